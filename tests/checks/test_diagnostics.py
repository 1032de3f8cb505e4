"""The editor's word: what it said nothing of is not clean."""

import attrs
import pytest

from tests.harness.samples import a_file_change
from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.checks.diagnostics import check
from verify_lsp.model.change import Change, Line
from verify_lsp.model.finding import Problem
from verify_lsp.model.outcome import Ran, Skipped
from verify_lsp.settings.settings import Settings
from verify_lsp.toolchains.base import Absent, Project

pytestmark = pytest.mark.anyio


def context(tmp_path, answer):
    files = tuple(
        a_file_change(path=path, change="modified", before="x\n", after="x\ny\n", added_lines=(Line(2, "y"),))
        for path in ("a.py", "b.py")
    )

    async def collect(_paths):
        if answer is None:
            raise TimeoutError
        return answer

    async def run(_command, _place):
        raise AssertionError("nothing is run where the editor answers")

    return CheckContext(tmp_path, tmp_path, Change(files), (), Settings(), run, collect_diagnostics=collect)


def error(path, line):
    return Problem(path, line, "high", "E", "wrong")


async def test_files_without_errors_pass_when_the_editor_spoke_of_all(tmp_path):
    outcome = await check(context(tmp_path, {"a.py": (), "b.py": ()}))

    assert isinstance(outcome, Ran)
    assert (outcome.verdict, outcome.unverified) == ("pass", ())


async def test_a_file_that_the_editor_said_nothing_of_is_unverified(tmp_path):
    outcome = await check(context(tmp_path, {"a.py": ()}))

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "warn"
    assert outcome.unverified == ("the editor's language servers said nothing about b.py",)


async def test_an_editor_that_said_nothing_at_all_proved_nothing(tmp_path):
    assert isinstance(await check(context(tmp_path, {})), Skipped)


async def test_an_editor_that_does_not_answer_proved_nothing(tmp_path):
    assert isinstance(await check(context(tmp_path, None)), Skipped)


async def test_an_error_on_an_added_line_fails_and_one_elsewhere_warns(tmp_path):
    added = await check(context(tmp_path, {"a.py": (error("a.py", 2),), "b.py": ()}))
    elsewhere = await check(context(tmp_path, {"a.py": (error("a.py", 1),), "b.py": ()}))

    assert isinstance(added, Ran)
    assert isinstance(elsewhere, Ran)
    assert (added.verdict, elsewhere.verdict) == ("fail", "warn")


class Bare:
    """A toolchain of a machine without its language server."""

    title = "Python"

    @property
    def tools(self):
        return self

    def language_server(self, project):
        return Absent("pyright is not installed", needless=False)


def with_project(context, tmp_path, *changed):
    project = Project(place=tmp_path, workspace=tmp_path, root=".", changed=changed, path="", cache=tmp_path)
    return attrs.evolve(context, projects=(ProjectOf(Bare(), project),))


async def test_a_text_that_is_no_program_needs_no_word_of_the_editor(tmp_path):
    outcome = await check(with_project(context(tmp_path, {"a.py": ()}), tmp_path, "a.py"))

    assert isinstance(outcome, Ran)
    assert (outcome.verdict, outcome.unverified) == ("pass", ())


async def test_a_program_that_the_editor_said_nothing_of_is_unverified_beside_other_texts(tmp_path):
    outcome = await check(with_project(context(tmp_path, {"a.py": ()}), tmp_path, "a.py", "b.py"))

    assert isinstance(outcome, Ran)
    assert outcome.unverified == ("the editor's language servers said nothing about b.py",)


async def test_an_editor_that_is_silent_on_a_machine_without_servers_proved_nothing(tmp_path):
    outcome = await check(with_project(context(tmp_path, {}), tmp_path, "a.py"))

    assert isinstance(outcome, Skipped)
    assert outcome.reason == "the editor's language servers said nothing about the changed files"
