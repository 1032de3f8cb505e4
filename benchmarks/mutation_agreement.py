"""Holds our verdict on each mutant against a plain run of the whole suite over a copy with the mutant's text in the file.

    python -m benchmarks.mutation_agreement [--mutants 40] [--python PATH] [--at-load] PROJECT FILE...

PROJECT is a checkout whose tests pass; FILEs are relative to it. All their lines count as added, or, with --at-load, those
with mutants in code that runs when the file is loaded. The projects that the figures in docs/mutation.md were taken on are
named there.
"""

import argparse
import os
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

import anyio
import attrs

from verify_lsp.checks.base import CheckContext, ProjectOf, RanTrial
from verify_lsp.checks.lone_mutants import decided_alone
from verify_lsp.checks.mutants import trial_of
from verify_lsp.checks.test_run import Suite, run_suite
from verify_lsp.model.change import Change, FileChange, Line
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.mutant import Mutant, MutationRun
from verify_lsp.mutation.languages import engine_for
from verify_lsp.settings.settings import Settings
from verify_lsp.system.environment import child_environment
from verify_lsp.system.process import run_command
from verify_lsp.toolchains.base import Absent, Project, TestStep
from verify_lsp.toolchains.python.toolchain import TOOLCHAIN

_SAME = {"no-coverage": "survived"}


def added_whole(root: Path, name: str, *, at_load: bool = False) -> FileChange:
    text = (root / name).read_text(encoding="utf-8")
    rows = dict(enumerate(text.split("\n"), 1))
    if at_load:
        engine = engine_for(name)
        mutants = engine.mutants_of(name, text, rows) if engine else ()
        rows = {n: row for n, row in rows.items() if any(each.line == n and each.at_import for each in mutants)}
    return FileChange(name, "added", after=text, added_lines=tuple(Line(n, row) for n, row in rows.items()))


def context_of(  # noqa: PLR0913, PLR0917  # what a run depends on
    root: Path,
    files: list[str],
    mutants: int,
    path: str,
    timeout_s: int,
    cache: Path,
    *,
    at_load: bool = False,
) -> CheckContext:
    environment = child_environment(offline=True)

    async def run(command: Command, place: Path) -> CommandResult:
        return await run_command(command, place, environment=environment)

    change = Change(tuple(added_whole(root, name, at_load=at_load) for name in sorted(files)))
    project = Project(root, root, ".", tuple(files), path, cache)
    settings = Settings(mutation_max_mutants=mutants, timeout_secs=timeout_s)
    return CheckContext(root, root, change, (ProjectOf(TOOLCHAIN, project),), settings, run)


def root_of(context: CheckContext) -> Path:
    return context.projects[0].project.place


def step_of(owner: ProjectOf, timeout_s: float) -> TestStep:
    step = owner.toolchain.tools.tests(owner.project, timeout_s)
    if isinstance(step, Absent):
        raise SystemExit(step.reason)
    return step


async def ours(context: CheckContext) -> tuple[tuple[Mutant, ...], MutationRun, RanTrial]:
    """Return the mutants, what became of them, and the run that they were tried in."""
    owner = context.projects[0]
    step = step_of(owner, context.timeout_s)
    trial = await trial_of(context, owner, step)
    if trial is None:
        raise SystemExit("no mutants")
    ran = await run_suite(context, Suite(owner, attrs.evolve(step, version=None), trial=trial))
    if not isinstance(ran, tuple):
        raise SystemExit(f"the tests do not run: {ran}")
    run, result, _ = ran
    if run.verdict != "passed":
        raise SystemExit(f"the tests do not pass: {run.reason or run.failures()[:3]}")
    kept = RanTrial(trial, run, result, step.parse, root_of(context))
    told = trial.step.read(result)
    return trial.order.mutants, await decided_alone(context, kept, told), kept


def plain(root: Path, mutant: Mutant, python: str, arguments: list[str], limit_s: float) -> str:
    """Write the mutant into a copy, run everything there, and tell by pytest's exit code alone."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", "__pycache__", ".venv"))
        file = copy / mutant.path
        rows = file.read_text(encoding="utf-8").split("\n")
        first, last = rows[mutant.line - 1], rows[mutant.end_line - 1]
        text = first[: mutant.column - 1] + mutant.replacement + last[mutant.end_column - 1 :]
        rows[mutant.line - 1 : mutant.end_line] = text.split("\n")
        file.write_text("\n".join(rows), encoding="utf-8")
        environment = {**child_environment(offline=True), "PYTHONPATH": f"{copy}/src{os.pathsep}{copy}"}
        try:
            done = subprocess.run(
                [python, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *arguments],
                cwd=copy,
                env=environment,
                capture_output=True,
                timeout=limit_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "timeout"
    return {0: "survived", 1: "killed", 2: "killed"}.get(done.returncode, f"exit {done.returncode}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--mutants", type=int, default=40)
    parser.add_argument("--python", default="python3")
    parser.add_argument("--timeout", type=int, default=600)
    parser.add_argument("--at-load", action="store_true")
    parser.add_argument("project", type=Path)
    parser.add_argument("files", nargs="+")
    given = parser.parse_args()
    root = given.project.resolve()
    found = shutil.which(given.python) or given.python
    path = os.pathsep.join([str(Path(found).parent), os.environ["PATH"]])
    with tempfile.TemporaryDirectory(prefix="agreement-") as cache:
        context = context_of(root, given.files, given.mutants, path, given.timeout, Path(cache), at_load=given.at_load)
        begun = time.monotonic()
        mutants, told, ran = anyio.run(ours, context)
        took = time.monotonic() - begun
    limit_s = max(5 * ran.result.duration_ms / 1000, 30)
    counts: Counter[str] = Counter()
    for position, mutant in enumerate(mutants):
        result = told.results.get(position)
        mine = result.status if result else told.unreached.get(mutant.path, "undecided")
        theirs = plain(root, mutant, found, [], limit_s)
        agrees = _SAME.get(mine, mine) == theirs
        counts["agree" if agrees else "differ"] += 1
        counts[mine] += 1
        if not agrees:
            print(
                f"  {mutant.path}:{mutant.line} {mutant.original!r} -> {mutant.replacement!r}: {mine}, plain {theirs} {attrs.asdict(result, recurse=False) if result else ''}"
            )
    print(
        f"{root.name}: {dict(counts)}; {len(told.read_again)} met at load; {len(told.alone)} in processes of their own; tests with mutants {took:.1f} s; uncertain {told.uncertain}; stopped {told.stopped}"
    )


if __name__ == "__main__":
    main()
