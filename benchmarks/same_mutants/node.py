"""StrykerJS: its report has the place and the replacement of each mutant; it is told lines, and kinds to leave out."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.same_mutants.base import Peer, Task, Tried, mutant_at
from benchmarks.same_mutants.measured import Spent, measured
from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.javascript.reading import read
from verify_lsp.mutation.switched import span_of
from verify_lsp.syntax.languages import language_of
from verify_lsp.system.environment import child_environment

_CHAINED = frozenset({"member_expression", "call_expression", "subscript_expression", "non_null_expression"})
_STATUSES = {
    "Killed": "killed",
    "Survived": "survived",
    "NoCoverage": "no-coverage",
    "Timeout": "timeout",
    "CompileError": "invalid",
    "RuntimeError": "error",
}


def run(task: Task) -> tuple[Spent, list[Tried]]:
    meant = [path if lines is None else f"{path}:{lines[0]}-{lines[1]}" for path, lines in task.files.items()]
    settings = {
        "testRunner": "vitest",
        "reporters": ["json"],
        "mutate": meant,
        "jsonReporter": {"fileName": "stryker.json"},
        "mutator": {"excludedMutations": os.environ.get("LEFT_OUT", "").split(",")},
        "coverageAnalysis": "perTest",
        "disableTypeChecks": True,
        "allowConsoleColors": False,
        "tempDirName": ".stryker-tmp",
    }
    (task.place / "stryker.config.json").write_text(json.dumps(settings), encoding="utf-8")
    environment = {**child_environment(offline=True), "CI": "1"}
    spent = measured([str(task.place / "node_modules/.bin/stryker"), "run"], task.place, environment)
    report = task.place / "stryker.json"
    if not report.is_file():
        raise SystemExit(spent.printed[-3000:])
    told = json.loads(report.read_text(encoding="utf-8"))
    report.unlink()
    return spent, [
        _tried(task.place, path, each)
        for path, file in told["files"].items()
        for each in file["mutants"]
        if each["status"] in _STATUSES
    ]


def _tried(place: Path, path: str, told: Mapping[str, Any]) -> Tried:
    start, end = ((told["location"][edge]["line"], told["location"][edge]["column"]) for edge in ("start", "end"))
    mutant = mutant_at(place, path, start, end, "condition-of-peer", told["replacement"])
    kind = told["mutatorName"]
    mutant = _whole_chain(place, mutant) if kind in {"OptionalChaining", "MethodExpression"} else mutant
    return Tried(mutant, kind, _STATUSES[told["status"]])


def _whole_chain(place: Path, mutant: Mutant) -> Mutant:
    """`a?.b` decides on `a?.b.c()` as a whole, and what is called on what: neither can be put in parentheses."""
    text = (place / mutant.path).read_text(encoding="utf-8")
    start, end = span_of(text, mutant)
    data = text.encode()
    language = language_of(mutant.path)
    node = read(language, data).root_node.descendant_for_byte_range(start, end) if language else None
    while (
        node is not None
        and (above := node.parent) is not None
        and above.type in _CHAINED
        and above.start_byte == node.start_byte
    ):
        node = above
    if node is None or node.end_byte == end:
        return mutant
    rows = text.split("\n")
    last = node.end_point
    place_of_end = (last.row + 1, len(rows[last.row].encode()[: last.column].decode()) + 1)
    whole = mutant.replacement + data[end : node.end_byte].decode()
    return mutant_at(place, mutant.path, (mutant.line, mutant.column), place_of_end, mutant.operator, whole)


PEER = Peer(run, skipped=("node_modules",))
