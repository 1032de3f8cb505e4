"""Runs all tests by cargo with no mutant on, and puts together what each test program reached.

    python verify_lsp_survey.py FOLDER RESULTS PROGRAM_PY -- cargo test ...

Leaves FOLDER/programs.json (how each program is run again) and RESULTS/reached.json (mutant to names of tests), and
RESULTS/counted.json (the mutants of which no name stands for more than one test, or for one that may not reach it).
Names of tests are those that the tests check uses: `crate::integration_test name`.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def main() -> int:
    """Run cargo; returns its exit code."""
    folder, results, program = (Path(argument) for argument in sys.argv[1:4])
    cargo = sys.argv[5:]
    raw = folder / "survey"
    shutil.rmtree(raw, ignore_errors=True)
    raw.mkdir(parents=True)
    # Cargo starts test programs by ours; rustdoc those of examples too, from Rust 1.89 on. Before, we only see which of the
    # mutants all examples together reach.
    examples = raw / "docs" / "reach"
    examples.mkdir(parents=True)
    runner = [sys.executable, "-E", "-s", "-S", "-B", str(program), str(folder)]
    command = [*cargo, "--config", f"target.'cfg(all())'.runner={json.dumps(runner)}"]
    environment = {**os.environ, "VERIFY_LSP_MUTANT": "", "VERIFY_LSP_REACH": str(examples)}
    child = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)
    kinds = _passed_on(child)
    code = child.wait()
    programs = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(raw.glob("*/program.json"))]
    reached, vague = _joined(raw, programs, kinds)
    (folder / "programs.json").write_text(json.dumps(programs), encoding="utf-8")
    (results / "reached.json").write_text(json.dumps(reached), encoding="utf-8")
    (results / "counted.json").write_text(json.dumps(sorted(reached.keys() - vague)), encoding="utf-8")
    return code


def _passed_on(child: "subprocess.Popen[bytes]") -> dict[str, str]:
    """Pass on what cargo prints, and read from it what kind of target each test program is of."""
    kinds: dict[str, str] = {}
    for line in child.stdout or ():
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
        if line.startswith(b'{"reason":"compiler-artifact"'):
            _note_kind(line, kinds)
    return kinds


def _note_kind(line: bytes, kinds: dict[str, str]) -> None:
    try:
        message = json.loads(line)
        target, executable = message["target"], message["executable"]
        kind, name = str(target["kind"][0]), str(target["name"])
    except (ValueError, LookupError, TypeError):
        return
    if executable:
        if kind == "test":
            kinds[executable] = f"::{name}"
        else:
            kinds[executable] = f"::{kind}/{name}" if kind in {"bin", "example", "bench"} else ""


def _joined(raw: Path, programs: list[dict[str, Any]], kinds: dict[str, str]) -> tuple[dict[int, list[str]], set[int]]:
    """Name the tests of each program; return those that reach each mutant, and the mutants of which that is not sure."""
    reached: dict[int, dict[str, None]] = {}
    vague = set[int]()
    folders = [path.parent for path in sorted(raw.glob("*/program.json"))]
    examples = 0
    for folder, program in zip(folders, programs, strict=True):
        examples += program["docs"]
        program["title"] = _title(program, kinds, examples)
        named = {test: f"{program['title']} {test}" for test in program["tests"]}
        whole = list(named.values()) if program["harness"] else [program["title"]]
        for number, test in _notes(folder / "reach", program["pid"]):
            names = [named[test]] if test in named else whole
            if test not in named or program["docs"]:
                vague.add(number)
            reached.setdefault(number, {}).update(dict.fromkeys(names))
    for number, _ in _notes(raw / "docs" / "reach", 0):
        reached.setdefault(number, {})["examples"] = None
        vague.add(number)
    return {number: list(names) for number, names in reached.items()}, vague


def _title(program: dict[str, Any], kinds: dict[str, str], examples: int) -> str:
    if program["docs"]:
        return f"{program['package']} example {examples}"
    return f"{program['package']}{kinds.get(program['program'], '')}"


def _notes(reach: Path, pid: int) -> Iterator[tuple[int, str]]:
    """Yield each mutant that was reached, with the thread's name; empty where a process reached it that a test started."""
    for path in sorted(reach.iterdir()):
        for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
            number, _, thread = line.partition(" ")
            if number.isdecimal():
                yield int(number), thread if path.name == str(pid) else ""


if __name__ == "__main__":
    sys.exit(main())
