"""Starts one test program for cargo or rustdoc, and notes how it was started, what it ran and which mutants it reached.

    python verify_lsp_program.py FOLDER PROGRAM ARGUMENTS...

Below FOLDER/survey each program gets a folder of its own: `program.json` beside the notes of its processes. Its output
and its ending are passed on as they are. The program of an example in a comment is gone when rustdoc ends: it is kept where
it reached a mutant.
"""

import json
import os
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_TEST = re.compile(rb"test (\S+)(?: - should panic)? \.\.\. ok\r?")
_HARNESS = re.compile(rb"running \d+ tests?\r?")
_LONGEST, _PATIENCE_S = 65_536, 0.2
_CARGOS = frozenset({"RUSTC_WORKSPACE_WRAPPER", "CARGO_INCREMENTAL"})
"""Meant for our cargo, and not for one that a test starts."""

_EXAMPLE = "rust_out"
"""What rustdoc calls the program that it makes of an example."""


def main() -> int:
    """Run the program; returns its exit code."""
    folder, program, *arguments = sys.argv[1:]
    is_example = Path(program).stem == _EXAMPLE
    room = Path(tempfile.mkdtemp(dir=Path(folder) / "survey"))
    reach = room / "reach"
    reach.mkdir()
    environment = {name: value for name, value in os.environ.items() if name not in _CARGOS}
    environment.update({"VERIFY_LSP_REACH": str(reach), "VERIFY_LSP_MUTANT": ""})
    begun = time.monotonic()
    child = subprocess.Popen([program, *arguments], env=environment, stdout=None if is_example else subprocess.PIPE)
    tests, harness = _passed_on(child)
    code = child.wait()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    about = {
        "docs": is_example,
        "program": _kept(room, program) if is_example and any(reach.iterdir()) else program,
        "was": program,
        "arguments": arguments,
        "folder": str(Path.cwd()),
        "environment": environment,
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
    rest = b""
    while piece := _next_piece(child, child.stdout.fileno()):
        sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        *lines, rest = (rest + piece).split(b"\n")
        rest = rest[-_LONGEST:]
        for line in lines:
            if found := _TEST.fullmatch(line):
                tests.append(found[1].decode("utf-8", "replace"))
            harness = harness or _HARNESS.fullmatch(line) is not None
    return tests, harness


def _next_piece(child: "subprocess.Popen[bytes]", output: int) -> bytes:
    """Wait for more output; none comes when the program has ended, although what it started may hold its pipe."""
    while not select.select([output], [], [], _PATIENCE_S)[0]:
        if child.poll() is not None:
            return b""
    return os.read(output, _LONGEST)


if __name__ == "__main__":
    sys.exit(main())
