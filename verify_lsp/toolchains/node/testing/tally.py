"""From counts and an exit code to a test run. Neither is believed alone."""

import attrs

from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import TestCase, TestRun, TestVerdict

_NOT_FOUND = 127
_NOT_EXECUTABLE = 126


@attrs.frozen
class Tally:
    """What a report or a summary counted.

    Attributes:
        skipped: Tests that were not run: skipped, pending, to do.
        notes: Plain words worth showing.
        unbuilt: Test files that could not be loaded; each is among the failed.
    """

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    cases: tuple[TestCase, ...] = ()
    notes: tuple[str, ...] = ()
    unbuilt: tuple[str, ...] = ()

    def plus(self, other: "Tally") -> "Tally":
        """Return both together."""
        return Tally(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
            self.cases + other.cases,
            self.notes + other.notes,
            self.unbuilt + other.unbuilt,
        )


def judged(tally: Tally, exit_code: int | None) -> TestRun:
    """Hold a tally against the exit code; where they disagree the run failed and says so."""
    contradiction = None
    if tally.failed and exit_code == 0:
        contradiction = f"the output says {tally.failed} failed, the exit code is 0"
    elif not tally.failed and exit_code != 0 and tally.passed:
        contradiction = f"the output says that no test failed, the exit code is {exit_code}"
    verdict: TestVerdict = "passed" if tally.passed else "none-ran"
    if tally.failed or contradiction or (exit_code != 0 and tally.skipped):
        verdict = "failed"
    return TestRun(
        verdict=verdict,
        passed=tally.passed,
        failed=tally.failed,
        skipped=tally.skipped,
        total=tally.passed + tally.failed + tally.skipped,
        cases=tally.cases,
        reason=_none_ran(tally) if verdict == "none-ran" else None,
        contradiction=contradiction,
        notes=tally.notes,
        unbuilt=tally.unbuilt,
    )


def not_run(result: CommandResult, tool: str) -> TestRun | None:
    """Say why a command never got to its tests; None when it did."""
    if result.timed_out:
        seconds = max(1, round(result.duration_ms / 1000))
        return TestRun("unusable", reason=f"{tool} was ended after {seconds} s without finishing (watch mode?)")
    if result.missing or result.exit_code in {_NOT_FOUND, _NOT_EXECUTABLE}:
        return TestRun("unusable", reason=f"{tool} could not run a program that it needs (exit {result.exit_code})")
    if result.exit_code is None:
        return TestRun("unusable", reason=f"{tool} was ended before it finished")
    return None


def _none_ran(tally: Tally) -> str:
    if tally.skipped:
        return f"all {tally.skipped} tests were skipped"
    return "no tests were found"
