"""A type check says which changed files it did not look at."""

import pytest

from tests.harness.samples import a_file_change
from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.checks.project_check import check
from verify_lsp.model.change import Change
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.outcome import Ran
from verify_lsp.settings.settings import Settings
from verify_lsp.toolchains.base import Absent, ProblemStep, Project, Toolchain, Tools

pytestmark = pytest.mark.anyio


def nothing(*_arguments):
    return Absent("nothing", needless=True)


def context(tmp_path, unseen, *, by_choice):
    step = ProblemStep("tsc", Command(("tsc",)), lambda _: (), unseen=lambda _: unseen, unseen_by_choice=by_choice)
    tools = Tools(
        root_of=lambda _place, _path: ".",
        project_check=lambda _project, _limit: step,
        tests=nothing,
        lint=nothing,
        language_server=nothing,
        parse_tests=lambda _result: None,
    )
    toolchain = Toolchain("node", "JavaScript", frozenset({".ts"}), ("package.json",), load=lambda: tools)
    project = Project(tmp_path, tmp_path, ".", ("a.ts", "b.ts"), "/usr/bin", tmp_path / "cache")

    async def run(_command, _place):
        return CommandResult(0)

    change = Change(tuple(a_file_change(path=path) for path in ("a.ts", "b.ts")))
    return CheckContext(tmp_path, tmp_path, change, (ProjectOf(toolchain, project),), Settings(), run)


@pytest.mark.parametrize(
    ("unseen", "by_choice", "verdict"),
    [((), True, "pass"), (("b.ts",), True, "pass"), (("a.ts", "b.ts"), True, "warn"), (("b.ts",), False, "warn")],
)
async def test_a_file_that_should_have_been_looked_at_keeps_the_check_from_passing(
    tmp_path, unseen, by_choice, verdict
):
    outcome = await check(context(tmp_path, unseen, by_choice=by_choice))

    assert isinstance(outcome, Ran)
    said = [f"tsc did not look at {name}" for name in unseen]
    # What keeps a check from passing turns its verdict into a warning when the check is put together.
    assert list(outcome.unverified) == (said if verdict == "warn" else [])
    assert list(outcome.asides) == ([] if verdict == "warn" else said)
