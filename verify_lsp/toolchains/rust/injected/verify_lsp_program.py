"""Starts one test program for cargo or rustdoc, and notes how it was started, what it ran and which mutants it reached.

    python verify_lsp_program.py FOLDER PROGRAM ARGUMENTS...

Below FOLDER/survey each program gets a folder of its own: `program.json` beside the notes of its processes. Its output
and its ending are passed on as they are. Programs of examples in comments are gone when rustdoc ends, so that they
are kept.
"""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_TEST = re.compile(rb"test (\S+)(?: - should panic)? \.\.\. ok\r?\n?")
_HARNESS = re.compile(rb"running \d+ tests?\r?\n?")
_LONGEST = 4096
_EXAMPLE = "rust_out"
"""What rustdoc calls the program that it makes of an example."""


def main() -> int:
    """Run the program; returns its exit code."""
    folder, program, *arguments = sys.argv[1:]
    is_example = Path(program).stem == _EXAMPLE
    room = Path(tempfile.mkdtemp(dir=Path(folder) / "survey"))
    reach = room / "reach"
    reach.mkdir()
    kept = _kept(room, program) if is_example else program
    environment = {**os.environ, "VERIFY_LSP_REACH": str(reach), "VERIFY_LSP_MUTANT": ""}
    begun = time.monotonic()
    child = subprocess.Popen([program, *arguments], env=environment, stdout=None if is_example else subprocess.PIPE)
    tests, harness = _passed_on(child)
    code = child.wait()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    about = {
        "docs": is_example,
        "program": kept,
        "was": program,
        "arguments": arguments,
        "folder": str(Path.cwd()),
        "environment": dict(os.environ),
        "package": os.environ.get("CARGO_PKG_NAME", ""),
        "pid": child.pid,
        "tests": tests,
        "harness": harness,
        "succeeds": code == 0,
        "seconds": time.monotonic() - begun,
        "cpu_seconds": used.ru_utime + used.ru_stime,
    }
    (room / "program.json").write_text(json.dumps(about), encoding="utf-8")
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), -code)
    return code


def _kept(room: Path, program: str) -> str:
    copy = room / "program"
    try:
        os.link(program, copy)
    except OSError:
        shutil.copy2(program, copy)
    return str(copy)


def _passed_on(child: "subprocess.Popen[bytes]") -> tuple[list[str], bool]:
    """Pass on what the program prints, and read from it which tests passed."""
    tests, harness = list[str](), False
    if child.stdout is None:
        return tests, harness
    while line := child.stdout.readline(_LONGEST):
        sys.stdout.buffer.write(line)
        if found := _TEST.fullmatch(line):
            tests.append(found[1].decode("utf-8", "replace"))
        harness = harness or _HARNESS.fullmatch(line) is not None
        sys.stdout.buffer.flush()
    return tests, harness


if __name__ == "__main__":
    sys.exit(main())
