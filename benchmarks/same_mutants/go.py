"""gremlins: it prints the kind and the place of each mutant, from which the swap follows."""

import json
from collections.abc import Mapping
from pathlib import Path

from benchmarks.same_mutants.base import Peer, Task, Tried, mutant_at
from benchmarks.same_mutants.measured import Spent, measured
from verify_lsp.system.environment import child_environment

_SWAPS: Mapping[str, Mapping[str, str]] = {
    "ARITHMETIC_BASE": {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*"},
    "CONDITIONALS_BOUNDARY": {">=": ">", ">": ">=", "<=": "<", "<": "<="},
    "CONDITIONALS_NEGATION": {"==": "!=", "!=": "==", "<=": ">", ">": "<=", "<": ">=", ">=": "<"},
    "INCREMENT_DECREMENT": {"++": "--", "--": "++"},
    "INVERT_NEGATIVES": {"-": "+"},
    "INVERT_LOGICAL": {"&&": "||", "||": "&&"},
    "INVERT_ASSIGNMENTS": {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "%=": "*="},
    "INVERT_LOOPCTRL": {"break": "continue", "continue": "break"},
}
_OPERATORS = {"INVERT_LOOPCTRL": "loop"}
_OPTIONS = ("--invert-logical", "--timeout-coefficient=20")
"""By its own measure of a suite that takes a tenth of a second, what has to be compiled runs out of time."""
_STATUSES = {
    "KILLED": "killed",
    "LIVED": "survived",
    "NOT COVERED": "no-coverage",
    "TIMED OUT": "timeout",
    "NOT VIABLE": "invalid",
}


def run(task: Task) -> tuple[Spent, list[Tried]]:
    """Run gremlins over whole files: it knows no other choice."""
    report = task.caches / "gremlins.json"
    others = [file for file in task.place.rglob("*.go") if not file.name.endswith("_test.go")]
    paths = [file.relative_to(task.place).as_posix() for file in others]
    left_out = [f"--exclude-files=^{path.replace('.', '[.]')}$" for path in paths if path not in task.files]
    environment = {**child_environment(offline=True), **variables(task.caches)}
    command = [task.tool, "unleash", *_OPTIONS, "--output", str(report), *left_out, "."]
    spent = measured(command, task.place, environment)
    if not report.is_file():
        raise SystemExit(spent.printed[-2000:])
    told = json.loads(report.read_text(encoding="utf-8"))
    report.unlink()
    return spent, [_tried(task.place, file["file_name"], each) for file in told["files"] for each in file["mutations"]]


def _tried(place: Path, path: str, told: Mapping[str, str | int]) -> Tried:
    kind, line = str(told["type"]), int(told["line"])
    row = (place / path).read_text(encoding="utf-8").split("\n")[line - 1]
    before = row.encode()[: int(told["column"]) - 1].decode()
    rest, swaps = row[len(before) :], _SWAPS[kind]
    token = max((token for token in swaps if rest.startswith(token)), key=len)
    start, end = (line, len(before) + 1), (line, len(before) + 1 + len(token))
    operator = _OPERATORS.get(kind, "boundary")
    return Tried(mutant_at(place, path, start, end, operator, swaps[token]), kind, _STATUSES[str(told["status"])])


def prepared(task: Task) -> None:
    """Run the tests plainly, which leaves Go's own packages compiled, as they are for everybody who works on the project."""
    measured(["go", "test", "./..."], task.place, {**child_environment(offline=True), **variables(task.caches)})


def variables(caches: Path) -> Mapping[str, str]:
    return {"GOCACHE": str(caches / "go-build"), "GOFLAGS": "-buildvcs=false"}


PEER = Peer(run, variables, prepared)
