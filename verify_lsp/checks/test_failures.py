"""Telling failures apart: brought by the change, there before it, or flaky."""

import attrs

from verify_lsp.checks.base import CheckContext
from verify_lsp.checks.before import project_at_base
from verify_lsp.checks.test_run import Suite
from verify_lsp.checks.tooling import unanswered
from verify_lsp.model.testrun import TestCase, TestRun
from verify_lsp.toolchains.base import Project, TestStep


@attrs.frozen
class Failures:
    """The failed tests of a run, told apart.

    Attributes:
        flaky: Passed when run once more on the same content.
        old: Failed at the base as well.
        unknown: Why "before" could not be measured; the rest then counts as new.
        same_count_before: The command names no tests, and as many failed at the base.
    """

    new: tuple[TestCase, ...] = ()
    old: tuple[TestCase, ...] = ()
    flaky: tuple[TestCase, ...] = ()
    unknown: str | None = None
    same_count_before: bool = False


async def sort_failures(context: CheckContext, suite: Suite, run: TestRun) -> Failures:
    """Run failures once more, and what still fails at the base."""
    failed = run.failures()
    if not failed:
        return await _unnamed(context, suite, run)
    flaky_ids = await _passing_again(context, suite, failed)
    flaky = tuple(case for case in failed if case.id in flaky_ids)
    steady = tuple(case for case in failed if case.id not in flaky_ids)
    if not steady or context.base_tree is None:
        return Failures(new=steady, flaky=flaky)
    at_base = await _run_at_base(context, suite, steady)
    if isinstance(at_base, str):
        return Failures(new=steady, flaky=flaky, unknown=at_base)
    failed_before = {case.id for case in at_base.failures()}
    old = tuple(case for case in steady if case.id in failed_before)
    new = tuple(case for case in steady if case.id not in failed_before)
    return Failures(new=new, old=old, flaky=flaky)


async def _passing_again(context: CheckContext, suite: Suite, failed: tuple[TestCase, ...]) -> frozenset[str]:
    """Run the failed tests alone; return the ids that a second run saw pass."""
    command = suite.step.only(tuple(case.id for case in failed))
    if command is None:
        return frozenset()
    result = await context.run(command, suite.place(context))
    if unanswered(suite.step.tool, result, command.timeout_s):
        return frozenset()
    again = suite.step.parse(result)
    wanted = {case.id for case in failed}
    return frozenset(case.id for case in again.cases if case.outcome == "passed" and case.id in wanted)


async def _run_at_base(context: CheckContext, suite: Suite, cases: tuple[TestCase, ...]) -> TestRun | str:
    """Run just these tests on the content before the change, all of them where they cannot be chosen."""
    if context.base_tree is None:
        return "there is no base"
    async with context.base_tree() as place:
        project = project_at_base(context, suite.owner, place) if suite.owner else None
        step = _step_there(suite, project, context.timeout_s)
        if step is None:
            return TestRun("none-ran")
        for command in () if suite.skip_prepare else step.prepare:
            if (await context.run(command, place)).exit_code != 0:
                return "at the base the build that the tests need fails"
        command = step.only(tuple(case.id for case in cases)) or step.command
        result = await context.run(command, place)
    if why := unanswered(step.tool, result, command.timeout_s):
        return f"at the base {why}"
    run = step.parse(result)
    return f"at the base {run.reason}" if run.verdict == "unusable" and run.reason else run


def _step_there(suite: Suite, project: Project | None, timeout_s: float) -> TestStep | None:
    if project is not None and not project.folder.is_dir():
        return None
    return suite.step_for(project, timeout_s)


async def _unnamed(context: CheckContext, suite: Suite, run: TestRun) -> Failures:
    """The output names no test: all there is to hold against the base is how many failed."""
    if context.base_tree is None:
        return Failures()
    before = await _run_at_base(context, suite, ())
    if isinstance(before, str):
        return Failures(unknown=before)
    same = before.verdict == "failed" and run.failed is not None and before.failed == run.failed
    return Failures(same_count_before=same)
