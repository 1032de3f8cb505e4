"""Tries mutants one after another on the tests that reach them, by starting the built test programs directly.

    python verify_lsp_tries.py FOLDER RESULTS

RESULTS/tries.json holds `[[number, [names]], ...]`; 0 is no mutant. What became of each is a line of RESULTS/tried.jsonl, in
that order, so that a run that is ended early has told of those before.
"""

import contextlib
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
from typing import Any

_FACTOR, _LEAST_S, _LEAST_CPU_S = 5.0, 10.0, 4.0
_QUICK_S = 2.0
"""A program that takes no longer than this is run as a whole too: what a test leaves behind may fail another."""

_FAILED = re.compile(rb"test (\S+)(?: - should panic)? \.\.\. FAILED\r?")
_RAN_NONE = re.compile(rb"test result: ok\. 0 passed;")
_ENDED = re.compile(rb"test result: ")
_MOST_NAMES = 60_000
_PIECE, _PATIENCE_S = 65_536, 0.2


def main() -> None:
    """Try all of them."""
    folder, results = (Path(argument) for argument in sys.argv[1:3])
    programs = json.loads((folder / "programs.json").read_text(encoding="utf-8"))
    owners = {name: (program, test) for program in programs for name, test in _names(program)}
    tries = json.loads((results / "tries.json").read_text(encoding="utf-8"))
    with (results / "tried.jsonl").open("a", encoding="utf-8") as out:
        for number, names in tries:
            outcome, by = _tried(number, names, owners)
            out.write(json.dumps({"number": number, "names": names, "outcome": outcome, "by": by}) + "\n")
            out.flush()


def _names(program: dict[str, Any]) -> list[tuple[str, str | None]]:
    title = program["title"]
    return [(f"{title} {test}", test) for test in program["tests"]] if program["harness"] else [(title, None)]


def _tried(number: int, names: list[str], owners: dict[str, Any]) -> tuple[str, str]:
    """Run the tests that are named, then the rest of their programs; returns the outcome, and the test that failed."""
    if unknown := [name for name in names if name not in owners]:
        return "broken", unknown[0]
    chosen: dict[str, tuple[dict[str, Any], list[str]]] = {}
    for name in names:
        program, test = owners[name]
        chosen.setdefault(program["program"], (program, []))[1].extend([test] if test else [])
    ordered = sorted(chosen.values(), key=lambda each: (each[0]["docs"], each[0]["seconds"]))
    rounds = [(program, tests if len(tests) < len(program["tests"]) else []) for program, tests in ordered]
    rounds += [(program, []) for program, tests in rounds if tests and program["seconds"] <= _QUICK_S]
    for program, tests in rounds:
        outcome, by = _ran(program, tests, number)
        if outcome != "passed":
            return outcome, by
    return "passed", ""


def _ran(program: dict[str, Any], tests: list[str], number: int) -> tuple[str, str]:
    """Run one program in a home and a temporary folder of its own, which are gone afterwards."""
    room = tempfile.mkdtemp()
    try:
        for name in ("home", "tmp"):
            Path(room, name).mkdir()
        return _judged(program, tests, _environment(program, number, room))
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _environment(program: dict[str, Any], number: int, room: str) -> dict[str, str]:
    ours = {name: value for name, value in os.environ.items() if name.startswith("VERIFY_LSP")}
    given = {name: value.replace(program["was"], program["program"]) for name, value in program["environment"].items()}
    homes = {variable: str(Path(room, name)) for variable, name in (("HOME", "home"), ("TMPDIR", "tmp"))}
    switch = {"VERIFY_LSP_MUTANT": str(number), **homes}
    environment = {**given, **ours, **switch}
    environment.pop("VERIFY_LSP_REACH", None)
    return environment


def _judged(program: dict[str, Any], tests: list[str], environment: dict[str, str]) -> tuple[str, str]:
    words = [word.replace(program["was"], program["program"]) for word in program["arguments"]]
    if tests and sum(map(len, tests)) < _MOST_NAMES:
        words += ["--exact", *tests]
    cpu_s = int(max(_FACTOR * program["cpu_seconds"], _LEAST_CPU_S)) + 1

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    child = subprocess.Popen(
        [program["program"], *words],
        cwd=program["folder"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=limit,  # noqa: PLW1509  # no thread runs here
    )
    try:
        seen = _watched(child, program)
    finally:
        _end(child)
    if seen.failed:
        return "failed", f"{program['title']} {seen.failed}"
    if seen.late or child.returncode in {-signal.SIGXCPU, -signal.SIGKILL}:
        return "timeout", program["title"]
    if (child.returncode == 0) != program["succeeds"]:
        return "failed", f"{program['title']} [did not end]" if program["harness"] else program["title"]
    if program["harness"] and not seen.ended:
        return "quit", program["title"]
    return ("broken", program["title"]) if seen.empty and tests else ("passed", "")


class _Seen:
    """What a program printed up to its first failure: whose that was, whether no test ran, whether all came to their end."""

    failed, empty, ended, late = "", False, False, False


def _watched(child: "subprocess.Popen[bytes]", program: dict[str, Any]) -> _Seen:
    ends = time.monotonic() + max(_FACTOR * program["seconds"], _LEAST_S)
    known, rest, seen = set(program["tests"]), b"", _Seen()
    output = child.stdout
    while output is not None:
        if time.monotonic() > ends:
            seen.late = True
            return seen
        if not select.select([output], [], [], _PATIENCE_S)[0]:
            if child.poll() is not None:
                break  # What it started may still hold its pipe.
            continue
        piece = os.read(output.fileno(), _PIECE)
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            found = _FAILED.fullmatch(line)
            if found and (name := found[1].decode("utf-8", "replace")) in known:
                seen.failed = name
                return seen
            seen.empty |= _RAN_NONE.match(line) is not None
            seen.ended |= _ENDED.match(line) is not None
        rest = rest[-_PIECE:]
        if not piece:
            break
    try:
        child.wait(max(ends - time.monotonic(), 0.1))
    except subprocess.TimeoutExpired:
        seen.late = True
    return seen


def _end(child: "subprocess.Popen[bytes]") -> None:
    """End the program, and whatever it started and left."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    if child.stdout is not None:
        child.stdout.close()


if __name__ == "__main__":
    main()
