"""Reading a test run of ours: the report first, then what was printed, and the exit code against both."""

import re
from pathlib import Path

import attrs

from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import TestRun
from verify_lsp.toolchains.node.testing.runners import Plan
from verify_lsp.toolchains.node.testing.summaries import lost_before_tests, read_summaries
from verify_lsp.toolchains.node.testing.tally import judged, not_run
from verify_lsp.toolchains.output import head, plain

_NO_MANAGER = re.compile(
    r"Network access disabled by the environment"
    r"|Internal Error: .*[Cc]orepack|ERR_PNPM_(?:UNSUPPORTED_ENGINE|BAD_PM_VERSION|OTHER_PM_EXPECTED)"
    r"|This project is configured to use (?:npm|pnpm|yarn|bun)|npm error npx canceled"
)


def read_reported(result: CommandResult, plan: Plan, tool: str, folder: Path) -> TestRun:
    """Read a run that was asked to write a report.

    Many failing tests can make the exit code 127, so the report is asked before the exit code is. A success
    without the report is none: a test that ends the process leaves just that behind.
    """
    tally = plan.read(result.files.get(plan.report, ""), folder)
    if result.exit_code is not None and tally is not None:
        return lost_before_tests(tally, result) or judged(tally, result.exit_code)
    if lost := not_run(result, tool):
        return lost
    printed = read_summaries(result)
    if printed is not None:
        return printed
    if result.exit_code == 0:
        return TestRun("unusable", reason=f"{tool} ended early with exit code 0, without a report or a summary")
    # Whoever fails without a report got no further than loading: mocha loads all files before it runs one.
    return TestRun("failed", reason=_first_lines(result), unbuilt=(".",))


def read_printed(result: CommandResult, tool: str, notes: tuple[str, ...]) -> TestRun:
    """Read a run of a script that we did not compose; without a summary the exit code alone speaks."""
    run = read_summaries(result)
    if run is None or result.exit_code is None:
        run = not_run(result, tool) or _without_summary(result, tool)
    return attrs.evolve(run, notes=(*run.notes, *notes))


def _without_summary(result: CommandResult, tool: str) -> TestRun:
    if result.exit_code == 0:
        return TestRun("passed")
    told = plain(result.stderr + "\n" + result.stdout)
    if no_manager := _NO_MANAGER.search(told):
        return TestRun("unusable", reason=f"{tool} could not start: {no_manager[0]}")
    return TestRun("failed", reason=_first_lines(result))


def _first_lines(result: CommandResult) -> str:
    told = head(result.stderr, 300) or head(result.stdout[-2000:], 300)
    return f"exit code {result.exit_code}, without a summary of tests" + (f": {told}" if told else "")
