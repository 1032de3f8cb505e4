"""The output of a test command that we did not compose: whoever knows it reads it, the exit code speaks anyway."""

from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import TestCase, TestRun, TestVerdict
from verify_lsp.toolchains.registry import TOOLCHAINS

_NOT_FOUND = 127
_NOT_EXECUTABLE = 126


def read_custom_summary(result: CommandResult) -> TestRun:
    """Read the summaries of every tool that the output bears, and add them up.

    A command that fails although every summary passes, or succeeds although one fails, contradicts itself.
    """
    if result.exit_code in {_NOT_FOUND, _NOT_EXECUTABLE}:
        return TestRun("unusable", reason=f"the test command could not run a program (exit {result.exit_code})")
    runs = [run for toolchain in TOOLCHAINS if (run := toolchain.tools.parse_tests(result)) is not None]
    if not runs:
        return _by_exit_code(result)
    if len(runs) == 1:
        return runs[0]
    return _added_up(runs)


def _by_exit_code(result: CommandResult) -> TestRun:
    return TestRun("passed" if result.exit_code == 0 else "failed")


def _added_up(runs: list[TestRun]) -> TestRun:
    def total(values: list[int | None]) -> int | None:
        known = [value for value in values if value is not None]
        return sum(known) if len(known) == len(values) else None

    verdicts = {run.verdict for run in runs}
    worst: tuple[TestVerdict, ...] = ("failed", "unusable", "passed", "none-ran")
    cases: tuple[TestCase, ...] = tuple(case for run in runs for case in run.cases)
    return TestRun(
        verdict=next(verdict for verdict in worst if verdict in verdicts),
        passed=total([run.passed for run in runs]),
        failed=total([run.failed for run in runs]),
        skipped=total([run.skipped for run in runs]),
        total=total([run.total for run in runs]),
        cases=cases,
        reason=next((run.reason for run in runs if run.reason), None),
        contradiction=_contradiction(runs),
        notes=tuple(note for run in runs for note in run.notes),
        unbuilt=tuple(name for run in runs for name in run.unbuilt),
    )


def _contradiction(runs: list[TestRun]) -> str | None:
    """Several tools share one exit code: a pass beside a failure is no contradiction, unlike one that all name."""
    told = [run.contradiction for run in runs if run.contradiction]
    return told[0] if len(told) == len(runs) else None
