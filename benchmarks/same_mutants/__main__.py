"""Ours beside a peer on the peer's own mutants: what each takes, and where they say otherwise.

    python -m benchmarks.same_mutants --language go|rust|node --tool PATH [--mutants 60] PROJECT FILE[:FIRST-LAST]...

PROJECT is a checkout whose tests pass. Each tool gets a copy of its own, and caches of its own, which are empty at first. A
second run follows after a change that moves no line, with what each keeps warm; what we remember of mutants, and what Stryker
can be told to, is not used. Every mutant of the peer is tried by both. A fate that differs is settled by a plain run of the
whole suite over the mutant's text.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from benchmarks.agreement.plain import tried_plainly
from benchmarks.same_mutants import go, node, rust
from benchmarks.same_mutants.base import Peer, Task, Tried
from benchmarks.same_mutants.measured import Spent, measured
from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.languages import engine_for

PEERS: Mapping[str, tuple[str, Peer]] = {
    "go": ("gremlins", go.PEER),
    "rust": ("cargo-mutants", rust.PEER),
    "node": ("StrykerJS", node.PEER),
}
_ALIKE = {"no-coverage": "survived"}


def copied(root: Path, place: Path, skipped: tuple[str, ...]) -> Path:
    shutil.copytree(root, place, symlinks=True, ignore=shutil.ignore_patterns(".git", *skipped))
    if (root / "node_modules").is_dir():
        (place / "node_modules").symlink_to(root / "node_modules")
    return place


def ours(
    task: Task, language: str, variables: Mapping[str, str], mutants: list[Mutant]
) -> tuple[Spent, dict[str, Any]]:
    order, answer = task.caches / "order.json", task.caches / "answer.json"
    given = {
        "root": str(task.place),
        "language": language,
        "cache": str(task.caches),
        "mutants": [attrs.asdict(mutant) for mutant in mutants],
    }
    order.write_text(json.dumps(given), encoding="utf-8")
    command = [sys.executable, "-m", "benchmarks.same_mutants.ours", str(order), str(answer)]
    spent = measured(command, Path(__file__).resolve().parents[2], {**os.environ, **variables})
    if not answer.is_file():
        raise SystemExit(spent.printed[-3000:])
    told = json.loads(answer.read_text(encoding="utf-8"))
    answer.unlink()
    return spent, told


def compared(task: Task, language: str, tried: list[Tried], told: Mapping[str, Any], limit_s: float) -> None:
    """Print where the two say otherwise, and what a plain run says."""
    if told["stopped"] or told["unreached"]:
        print(f"  stopped: {told['stopped']}; not reached: {told['unreached']}")
    for position, each in enumerate(tried):
        mine = told["results"].get(str(position), {"status": "undecided"})
        if _ALIKE.get(mine["status"], mine["status"]) == _ALIKE.get(each.status, each.status):
            continue
        plain = tried_plainly(task.place, each.mutant, language, limit_s)
        mutant = each.mutant
        place = f"{mutant.path}:{mutant.line}:{mutant.column}"
        print(f"  {place} {each.kind} {mutant.original[:60]!r} -> {mutant.replacement[:60]!r}: ", end="")
        print(
            f"ours {mine['status']} {mine.get('reason') or mine.get('killed_by') or ''}, theirs {each.status}, plain {plain}",
            flush=True,
        )


def inexpressible(place: Path, tried: list[Tried]) -> Counter[str]:
    """Return the kinds of the mutants that we cannot build in beside others, and build by themselves."""
    left: Counter[str] = Counter()
    for path in {each.mutant.path for each in tried}:
        engine = engine_for(path)
        numbered = {number: each for number, each in enumerate(tried) if each.mutant.path == path}
        if engine is not None and engine.switched is not None:
            text = (place / path).read_text(encoding="utf-8").replace("\r\n", "\n")
            switched = engine.switched(text, {number: each.mutant for number, each in numbered.items()})
            left.update(numbered[number].kind for number in switched.left)
    return left


def changed_again(task: Task) -> None:
    """Make the second change: a comment at the end of each file."""
    for path in task.files:
        with (task.place / path).open("a", encoding="utf-8") as file:
            file.write("\n// A second change.\n")


def task_of(given: argparse.Namespace, name: str, folder: Path, skipped: tuple[str, ...]) -> Task:
    files = {}
    for word in given.files:
        path, _, lines = word.partition(":")
        first, _, last = lines.partition("-")
        files[path] = (int(first), int(last)) if lines else None
    root = given.project.resolve()
    caches = folder / f"{name}-caches"
    caches.mkdir()
    return Task(copied(root, folder / name / root.name, skipped), files, given.mutants, given.tool, caches)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--language", choices=sorted(PEERS), required=True)
    parser.add_argument("--tool", default="", help="the peer's program")
    parser.add_argument("--mutants", type=int, default=60)
    parser.add_argument("--verbose", action="store_true", help="show what each of our commands took")
    parser.add_argument("--limit", type=float, default=60, help="seconds of one plain run")
    parser.add_argument("--runs", type=int, default=2, choices=(1, 2))
    parser.add_argument("--empty", action="store_true", help="begin with empty caches of the language's own, too")
    parser.add_argument("project", type=Path)
    parser.add_argument("files", nargs="+")
    given = parser.parse_args()
    title, peer = PEERS[given.language]
    with tempfile.TemporaryDirectory(prefix="same-mutants-") as name:
        folder = Path(name)
        theirs, own = (task_of(given, each, folder, peer.skipped) for each in ("peer", "ours"))
        for task in () if given.empty else (theirs, own):
            peer.prepared(task)
        for caches in ("first run", "second change")[: given.runs]:
            load = os.getloadavg()[0]
            spent, tried = peer.run(theirs)
            mutants = [each.mutant for each in tried]
            left = inexpressible(own.place, tried)
            mine, told = ours(own, given.language, peer.variables(own.caches), mutants)
            print(
                f"{given.project.name}, {caches}: {len(tried)} mutants {dict(Counter(each.kind for each in tried))}, load {load:.1f}"
            )
            print(f"  built by themselves here: {dict(left)}")
            fates = Counter(each["status"] for each in told["results"].values())
            for who, took, counts in ((title, spent, Counter(each.status for each in tried)), ("ours", mine, fates)):
                print(f"  {who}: {took.seconds:.1f} s, {took.cpu_s:.1f} cpu s; {dict(counts)}")
            print(
                f"  {spent.seconds / mine.seconds:.2f} times by the clock, {spent.cpu_s / mine.cpu_s:.2f} by processors",
                flush=True,
            )
            if given.verbose:
                print("    " + mine.printed.strip().replace("\n", "\n    "))
            compared(own, given.language, tried, told, given.limit)
            for task in (theirs, own):
                changed_again(task)


if __name__ == "__main__":
    main()
