"""Running one test suite: what it prepares, its command, and what came back."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import attrs

from verify_lsp.checks.base import CheckContext, ProjectOf, RanTrial, Trial
from verify_lsp.checks.parts import output_of
from verify_lsp.checks.tooling import tool_info, unanswered
from verify_lsp.checks.user_line import shell_command
from verify_lsp.model.command import CommandResult
from verify_lsp.model.outcome import Broke, CheckOutcome, Skipped, ToolInfo
from verify_lsp.model.testrun import TestRun
from verify_lsp.toolchains.base import Absent, Project, TestStep
from verify_lsp.toolchains.test_summaries import read_custom_summary

TEST_COMMAND: Final = "testCommand"
"""What the user's own command is called where tools are named."""

RanSuite = tuple[TestRun, CommandResult, ToolInfo]


@attrs.frozen
class Suite:
    """A test step of a project, or the user's own command.

    Attributes:
        owner: None for the user's own command, which runs in the workspace's root.
        skip_prepare: True when `preTestCommand` took the place of the step's own preparation.
        trial: Runs the same tests to the same end, and then tries mutants on them; None for the tests alone.
    """

    owner: ProjectOf | None
    step: TestStep
    skip_prepare: bool = False
    trial: Trial | None = None

    def place(self, context: CheckContext) -> Path:
        """Return the folder that the suite's commands run in."""
        return self.owner.project.place if self.owner else context.place

    def step_for(self, project: Project | None, timeout_s: float) -> TestStep | None:
        """Return this suite's step for another layout of its project; None where it has none there."""
        if self.owner is None or project is None:
            return self.step
        step = self.owner.toolchain.tools.tests(project, timeout_s)
        return step if isinstance(step, TestStep) else None


def custom_suite(context: CheckContext, line: str) -> Suite:
    """Return the suite of the user's own test command."""
    command = shell_command(line, context.timeout_s)
    parse: Callable[[CommandResult], TestRun] = read_custom_summary
    return Suite(None, TestStep(TEST_COMMAND, command, parse))


def tests_to_build_into(context: CheckContext, owner: ProjectOf) -> Callable[[Project], TestStep | Absent]:
    """Return how the tests of a project are found that mutants are built into: its own, or the user's own command."""
    line, ahead = context.settings.test_command, context.settings.pre_test_command
    if line is None:
        return lambda project: owner.toolchain.tools.tests(project, context.timeout_s)
    prepare = (shell_command(ahead, context.timeout_s),) if ahead else ()
    step = attrs.evolve(custom_suite(context, line).step, prepare=prepare)
    return lambda project: owner.toolchain.tools.tests_by(project, step)


async def run_suite(context: CheckContext, suite: Suite) -> RanSuite | CheckOutcome:
    """Run a suite in the verified content; an outcome instead of a run says why there is none."""
    step = suite.step
    if not suite.skip_prepare:
        for command in step.prepare:
            built = await context.run(command, suite.place(context))
            if built.exit_code != 0:
                failed = "did not end in time" if built.timed_out else f"failed (exit {built.exit_code})"
                shown = command.shown()
                return Broke(f"the build that the tests need {failed}: {shown}", command=shown, output=output_of(built))
    command = suite.trial.step.command if suite.trial else step.command
    result = await context.run(command, suite.place(context))
    if why := unanswered(step.tool, result, step.command.timeout_s):
        hint = " (watch mode, or waiting for input?)" if result.timed_out else ""
        return Skipped(why + hint, command=step.command.shown(), output=output_of(result))
    run = step.parse(result)
    tool = ToolInfo(step.tool, run.version)
    if suite.owner:
        ask = step.version if run.version is None else None
        told = await tool_info(context, suite.owner.project, step.tool, step.command, ask)
        tool = attrs.evolve(told, version=told.version or run.version)
    context.test_runs[suite.owner.title if suite.owner else step.tool] = run
    if suite.trial and suite.owner:
        context.trials[suite.owner.title] = RanTrial(suite.trial, run, result, step.parse, suite.place(context))
    return run, result, tool
