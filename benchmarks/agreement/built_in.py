"""Holds our verdict on each built-in mutant against a plain run of the whole suite over a copy with the mutant in the file.

    python -m benchmarks.agreement.built_in [--language go] [--mutants 40] [--timeout 900] [--all-lines] PROJECT FILE...

PROJECT is a checkout whose tests pass; FILEs are relative to it. All their lines count as added. With --all-lines a line may have more
than one mutant, spread evenly over the files, instead of those that a change would be tried with.
"""

import argparse
import resource
import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path

import anyio
import attrs

from benchmarks.agreement.plain import PLAIN, tried_plainly
from benchmarks.mutation_agreement import added_whole, step_of
from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.checks.built_in_mutants import tried_built_in
from verify_lsp.checks.mutant_room import mutant_room
from verify_lsp.checks.mutants import order_of
from verify_lsp.model.change import Change
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.mutant import MutationOrder, MutationRun
from verify_lsp.mutation.languages import engine_for
from verify_lsp.settings.settings import Settings
from verify_lsp.system.environment import child_environment
from verify_lsp.system.process import run_command
from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.registry import TOOLCHAINS

_SAME = {"no-coverage": "survived"}


@attrs.define
class Spent:
    """Commands by their first words, with the seconds they took."""

    commands: Counter[str] = attrs.field(factory=Counter)
    seconds: dict[str, float] = attrs.field(factory=dict)

    def note(self, command: Command, seconds: float) -> None:
        name = " ".join(command.argv[:2])
        self.commands[name] += 1
        self.seconds[name] = self.seconds.get(name, 0.0) + seconds


def context_of(root: Path, given: argparse.Namespace, spent: Spent, cache: Path) -> CheckContext:
    environment = child_environment(offline=True)

    async def run(command: Command, place: Path) -> CommandResult:
        begun = time.monotonic()
        result = await run_command(command, place, environment=environment)
        spent.note(command, time.monotonic() - begun)
        return result

    change = Change(tuple(added_whole(root, name) for name in sorted(given.files)))
    project = Project(root, root, ".", tuple(given.files), environment["PATH"], cache)
    toolchain = next(each for each in TOOLCHAINS if each.language == given.language)
    settings = Settings(mutation_max_mutants=given.mutants, timeout_secs=given.timeout)
    return CheckContext(root, root, change, (ProjectOf(toolchain, project),), settings, run)


async def order_for(context: CheckContext, given: argparse.Namespace) -> MutationOrder:
    order = await order_of(context, context.projects[0])
    if order is None:
        raise SystemExit("no mutants")
    if not given.all_lines:
        return order
    found = [
        mutant
        for file in context.change.files
        if (engine := engine_for(file.path)) and file.after
        for mutant in engine.mutants_of(file.path, file.after, range(1, file.after.count("\n") + 2))
    ]
    chosen = found[:: max(1, len(found) // given.mutants)][: given.mutants]
    texts = {file.path: file.after for file in context.change.files if file.after}
    return attrs.evolve(order, mutants=tuple(chosen), texts=texts)


async def ours(context: CheckContext, order: MutationOrder) -> MutationRun:
    owner = context.projects[0]
    async with mutant_room(context, owner, step_of(owner, context.timeout_s)) as room:
        if room is None:
            raise SystemExit("mutants cannot be built in here")
        return await tried_built_in(context, room, order, MutationRun())


def processor_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def compare(root: Path, order: MutationOrder, told: MutationRun, given: argparse.Namespace) -> None:
    counts: Counter[str] = Counter()
    begun, before = time.monotonic(), processor_seconds()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / root.name
        shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", "node_modules", "target"))
        if (root / "node_modules").is_dir():
            (copy / "node_modules").symlink_to(root / "node_modules")
        for position, mutant in enumerate(order.mutants):
            result = told.results.get(position)
            mine = result.status if result else told.unreached.get(mutant.path, "undecided")
            theirs = tried_plainly(copy, mutant, given.language, given.limit)
            agrees = _SAME.get(mine, mine) == theirs
            counts["agree" if agrees else "differ"] += 1
            counts[mine] += 1
            if not agrees or given.verbose:
                print(
                    f"  {mutant.path}:{mutant.line} {mutant.operator} {mutant.original!r} -> {mutant.replacement!r}:",
                    end=" ",
                )
                print(
                    f"{mine}, plain {theirs} {result.tests if result else ''} {result.reason or '' if result else ''}"
                )
    each = max(len(order.mutants), 1)
    print(
        f"{root.name}: {len(order.mutants)} mutants {dict(counts)}; uncertain {told.uncertain}; stopped {told.stopped}"
    )
    print(
        f"  plain runs: {(time.monotonic() - begun) / each:.2f} s and {(processor_seconds() - before) / each:.2f} cpu s a mutant"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--language", choices=sorted(PLAIN), default="go")
    parser.add_argument("--mutants", type=int, default=40)
    parser.add_argument("--timeout", type=int, default=900, help="seconds for all mutants together")
    parser.add_argument("--limit", type=float, default=60, help="seconds of one plain run")
    parser.add_argument("--all-lines", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--no-plain", action="store_true", help="measure what ours costs, and compare nothing")
    parser.add_argument("project", type=Path)
    parser.add_argument("files", nargs="+")
    given = parser.parse_args()
    root, spent = given.project.resolve(), Spent()
    with tempfile.TemporaryDirectory(prefix="agreement-") as cache:
        context = context_of(root, given, spent, Path(cache))
        order = anyio.run(order_for, context, given)
        begun, before = time.monotonic(), processor_seconds()
        told = anyio.run(ours, context, order)
        took, cpu = time.monotonic() - begun, processor_seconds() - before
    statuses = Counter(result.status for result in told.results.values())
    print(f"{root.name}: ours {took:.1f} s, {cpu:.1f} cpu s for {len(order.mutants)} mutants: {dict(statuses)}")
    for name, number in spent.commands.items():
        print(f"  {number} x {name}: {spent.seconds[name]:.1f} s")
    if not given.no_plain:
        compare(root, order, told, given)


if __name__ == "__main__":
    main()
