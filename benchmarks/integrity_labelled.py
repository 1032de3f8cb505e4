"""Precision and recall of the integrity check on labelled changes: `python -m benchmarks.integrity_labelled [--misses]`.

The pairs of its tests are what it was made with, and right by demand; those held out (`integrity_heldout.py`) are not. A
change is named when its rule says something of low severity or more; an honest one is wrong when any rule does.
"""

import argparse
from collections.abc import Iterable
from typing import Any

from _pytest.mark.structures import ParameterSet

from benchmarks.accuracy.scoring import share
from benchmarks.integrity_heldout import NAMED, SILENT, Pair
from tests.harness.changed_files import change_of, changed_file
from tests.integrity import test_pairs, test_settings
from verify_lsp.integrity.examine import examine
from verify_lsp.integrity.rules import RULES

_PREFIX = "integrity."
_NONE = "0 | – | –"


def named_in(pair: Pair) -> set[str]:
    """The rules that say something of weight of a change."""
    path, before, after, _ = pair
    problems = examine(change_of(changed_file(path, before, after))).problems
    return {problem.rule.removeprefix(_PREFIX) for problem in problems if problem.severity != "info"}


def known_pairs() -> list[Pair]:
    """The pairs of the tests; of those with several rules, one for each."""
    bad = [(path, before, after, rule) for path, before, after, rules in _values(test_pairs.NAMED) for rule in rules]
    fine = [(*values, None) for values in _values(test_pairs.SILENT)]
    return [*bad, *fine, *test_settings.NAMED, *((*values, None) for values in test_settings.SILENT)]


def _values(parameters: Iterable[ParameterSet]) -> list[tuple[Any, ...]]:
    return [tuple(each.values) for each in parameters]


HEAD = ("| rule | in tests | precision | recall | held out | precision | recall |", "|---|---|---|---|---|---|---|")


def table() -> list[str]:
    """Return a row a rule, and one for all, of the tests' pairs and of those held out."""
    known, held = (counted(pairs) for pairs in (known_pairs(), (*NAMED, *SILENT)))
    return [f"| {name} | {known[name]} | {held[name]} |" for name in known if known[name] != _NONE]


def counted(pairs: Iterable[Pair]) -> dict[str, str]:
    """Return the cells of each row: dangers, precision, recall."""
    said = [(pair[3], named_in(pair)) for pair in pairs]
    honest = [rules for wanted, rules in said if wanted is None]
    cells = {}
    for rule in (each.id.removeprefix(_PREFIX) for each in RULES):
        meant = [rules for wanted, rules in said if wanted == rule]
        cells[rule] = _cells(sum(rule in rules for rules in meant), len(meant), sum(rule in rules for rules in honest))
    bad = [(wanted, rules) for wanted, rules in said if wanted is not None]
    cells["all"] = _cells(sum(wanted in rules for wanted, rules in bad), len(bad), sum(map(bool, honest)))
    return cells


def _cells(hits: int, bad: int, wrong: int) -> str:
    return f"{bad} | {share(hits, hits + wrong)} | {share(hits, bad)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--misses", action="store_true", help="name what was missed and what was wrong, of those held out"
    )
    arguments = parser.parse_args()
    print("\n".join((*HEAD, *table())))
    for pair in (*NAMED, *SILENT) if arguments.misses else ():
        rules = named_in(pair)
        if pair[3] not in rules if pair[3] else rules:
            print("missed" if pair[3] else "WRONG", pair[0], pair[3] or "", sorted(rules), _first_difference(pair))


def _first_difference(pair: Pair) -> str:
    old, new = pair[1].split("\n"), pair[2].split("\n")
    at = next(index for index, line in enumerate(new) if index >= len(old) or old[index] != line)
    return f"{old[at].strip()!r} → {new[at].strip()!r}"


if __name__ == "__main__":
    main()
