"""cargo-mutants: it lists the place and the replacement of each mutant, and tries those whose names it is given."""

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.same_mutants.base import Peer, Task, Tried, mutant_at
from benchmarks.same_mutants.measured import Spent, measured
from verify_lsp.model.mutant import Mutant
from verify_lsp.syntax.trees import parse
from verify_lsp.system.environment import child_environment

if TYPE_CHECKING:
    from tree_sitter import Node

_STATUSES = {"CaughtMutant": "killed", "MissedMutant": "survived", "Timeout": "timeout", "Unviable": "invalid"}
_OPERATORS = {"FnValue": "return", "MatchArm": "arm"}


def run(task: Task) -> tuple[Spent, list[Tried]]:
    environment = {**child_environment(offline=True), "CARGO_TERM_COLOR": "never"}
    files = [word for path in task.files for word in ("--file", path)]
    listed = measured([task.tool, "mutants", "--list", "--json", *files], task.place, environment)
    found = [each for each in json.loads(listed.printed) if _is_meant(task, each)]
    step = max(1.0, len(found) / task.mutants)
    chosen = [found[int(at * step)] for at in range(min(len(found), task.mutants))]
    names = "|".join(re.escape(each["name"]) for each in chosen)
    # Its own words for a literal text are not those of our regular expressions: a space needs no backslash.
    pattern = f"^({names.replace(chr(92) + ' ', ' ')})$"
    command = [task.tool, "mutants", "--colors", "never", "--no-shuffle", *files, "--re", pattern]
    spent = measured(command, task.place, environment)
    out = task.place / "mutants.out"
    told = json.loads((out / "outcomes.json").read_text(encoding="utf-8"))
    shutil.rmtree(out)
    return spent, [
        Tried(
            _mutant(task.place, each["scenario"]["Mutant"]),
            each["scenario"]["Mutant"]["genre"],
            _STATUSES[each["summary"]],
        )
        for each in told["outcomes"]
        if each["scenario"] != "Baseline"
    ]


def _is_meant(task: Task, told: Mapping[str, Any]) -> bool:
    lines = task.files[told["file"]]
    return lines is None or lines[0] <= told["span"]["start"]["line"] <= lines[1]


def _mutant(place: Path, told: Mapping[str, Any]) -> Mutant:
    start, end = ((told["span"][edge]["line"], told["span"][edge]["column"]) for edge in ("start", "end"))
    kind, path = told["genre"], told["file"]
    # Another operator may bind otherwise, so that all around it that binds too is chosen with it.
    operator = _OPERATORS.get(kind, "logic" if kind == "BinaryOperator" else "negation")
    mutant = mutant_at(place, path, start, end, operator, told["replacement"])
    return _whole_body(place, mutant) if kind == "FnValue" else mutant


def _whole_body(place: Path, mutant: Mutant) -> Mutant:
    """What stands in a body is replaced; the braces are taken along, since a body is a thing of its own and its lines are not."""
    text = (place / mutant.path).read_text(encoding="utf-8")
    rows = text.split("\n")
    at = sum(len(row.encode()) + 1 for row in rows[: mutant.line - 1]) + len(
        rows[mutant.line - 1][: mutant.column - 1].encode()
    )
    node: Node | None = parse("rust", text.encode()).root_node.descendant_for_byte_range(at, at)
    while node is not None and not (
        node.type == "block"
        and node.parent is not None
        and node.parent.type == "function_item"
        and node.start_byte < at
    ):
        node = node.parent
    if node is None:
        return mutant
    start, end = node.start_point, node.end_point
    first = (start.row + 1, len(rows[start.row].encode()[: start.column].decode()) + 1)
    last = (end.row + 1, len(rows[end.row].encode()[: end.column].decode()) + 1)
    return mutant_at(place, mutant.path, first, last, mutant.operator, f"{{ {mutant.replacement} }}")


PEER = Peer(run, skipped=("target", "mutants.out*"))
