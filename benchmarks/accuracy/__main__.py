"""Precision and recall of the security rules on the labelled corpus: `python -m benchmarks.accuracy`.

    python -m benchmarks.accuracy [--misses] [--beside TOOL=PROGRAM …] [--semgrep-rules FOLDER]

A bad text counts as found when a finding of medium severity or more is raised in it, and a fine text as wrong when one
is. Other scanners are run over the same files: `peers.py` says what counts of theirs.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

from benchmarks.accuracy.corpus import entries
from benchmarks.accuracy.peers import print_beside
from benchmarks.accuracy.scoring import Found, Score, family_scores, flagged_in, found_in, score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", action="store_true", help="name what was missed and what was wrong")
    parser.add_argument("--beside", action="append", default=[], metavar="TOOL=PROGRAM")
    parser.add_argument("--semgrep-rules", type=Path, metavar="FOLDER", help="what semgrep holds the texts against")
    arguments = parser.parse_args()
    found = found_in(entries())
    flagged = flagged_in(found)
    print_table(
        "texts", [(group, score([each for each in found if each.group == group], flagged)) for group in groups(found)]
    )
    print_row("all", score(found, flagged))
    print_table("rules", family_scores(found).items())
    if arguments.misses:
        for each in found:
            if (each in flagged) != each.bad:
                said = "missed" if each.bad else "WRONG"
                print(said, each.group, each.number, each.path, each.rule or "", *sorted(found[each]))
    if arguments.beside:
        print_beside(arguments.beside, arguments.semgrep_rules, list(found), flagged)


def groups(found: Found) -> list[str]:
    return sorted({each.group for each in found})


def print_table(title: str, rows: Iterable[tuple[str, Score]]) -> None:
    print(f"\n| {title} | bad | fine | precision | recall |")
    print("|---|---|---|---|---|")
    for name, scored in rows:
        print_row(name, scored)


def print_row(name: str, scored: Score) -> None:
    print(f"| {name} | {scored.bad} | {scored.fine} | {scored.precision} | {scored.recall} |")


if __name__ == "__main__":
    main()
