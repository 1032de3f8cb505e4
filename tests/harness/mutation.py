"""A small Python project, a change to it, and the mutation check run over it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import attrs

from tests.harness.python_projects import bare_project, python_project
from verify_lsp.checks import mutation, tests
from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.model.change import Change, FileChange, Line
from verify_lsp.model.outcome import CheckOutcome, Ran
from verify_lsp.settings.settings import Settings
from verify_lsp.system.environment import child_environment
from verify_lsp.system.process import run_command
from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.python.toolchain import TOOLCHAIN

INI = "[pytest]\npythonpath = . src\n"


def added(path: str, text: str, *lines: int) -> FileChange:
    """Return a file of which these lines are new, all of them where none is named."""
    rows = enumerate(text.split("\n"), 1)
    new = tuple(Line(number, row) for number, row in rows if not lines or number in lines)
    return FileChange(path, "added" if not lines else "modified", after=text, added_lines=new)


def prepared(
    folder: Path, files: Mapping[str, str], *changed: str, environment: bool = True, **settings: Any
) -> CheckContext:
    """Lay a project out whose `changed` files are new, and return what its checks are given."""
    make = python_project if environment else bare_project
    project = make(folder, {"pytest.ini": INI, **files}, *changed)
    return context_for(project, Change(tuple(added(path, files[path]) for path in sorted(changed))), **settings)


def context_for(project: Project, change: Change, **settings: Any) -> CheckContext:
    """Return what the checks of one project are given."""
    variables = child_environment(offline=True)

    async def run(command, place):
        return await run_command(command, place, environment=variables)

    held = Settings(**{"timeout_secs": 60, **settings})
    return CheckContext(project.workspace, project.place, change, (ProjectOf(TOOLCHAIN, project),), held, run)


def run_both(context: CheckContext) -> tuple[CheckOutcome, CheckOutcome]:
    """Return the outcomes of the tests check and of the mutation check, which share one run."""
    both = attrs.evolve(context, wanted=frozenset({"tests", "mutation"}), trials={})

    async def checked() -> tuple[CheckOutcome, CheckOutcome]:
        return await tests.check(both), await mutation.check(both)

    return anyio.run(checked)


def mutated(context: CheckContext) -> CheckOutcome:
    """Return the outcome of the mutation check alone."""
    return anyio.run(mutation.check, attrs.evolve(context, trials={}))


def ran(outcome: CheckOutcome) -> Ran:
    """Return the outcome of a check that looked."""
    assert isinstance(outcome, Ran), outcome
    return outcome


def counts(outcome: CheckOutcome) -> dict[str, float | None]:
    """Return the metrics that are not zero."""
    return {name: number for name, number in ran(outcome).metrics.items() if number != 0}
