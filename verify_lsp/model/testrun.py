"""What one run of a test command showed."""

from typing import Literal

import attrs

CaseOutcome = Literal["passed", "failed", "skipped"]
TestVerdict = Literal["passed", "failed", "none-ran", "unusable"]


@attrs.frozen
class TestCase:
    """One test.

    Attributes:
        id: As the tool names it, enough to run it again.
        path: Relative to the folder the tests ran in, POSIX style; None when unknown.
        line: 1-based; None when unknown.
        message: The first lines of the failure.
    """

    __test__ = False

    id: str
    outcome: CaseOutcome
    path: str | None = None
    line: int | None = None
    message: str = ""


@attrs.frozen
class TestRun:
    """Counts are None where the tool did not say; never 0 for "unknown".

    Attributes:
        verdict: `passed` and `failed` need at least one test, or an exit code that speaks for an
            unreadable summary; `none-ran` is neither; `unusable` says why in `reason`.
        cases: The failed tests, and all others where the tool lists them.
        contradiction: Set when the summary and the exit code disagree.
        notes: Plain words worth showing, such as "results of 3 packages came from Go's cache".
        unbuilt: Packages, crates or files whose tests could not even start, because they do not compile or
            load. Each is one of the failures, but none that a test noticed.
        version: The tool's, where the run itself told it.
    """

    __test__ = False

    verdict: TestVerdict
    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None
    total: int | None = None
    cases: tuple[TestCase, ...] = ()
    reason: str | None = None
    contradiction: str | None = None
    notes: tuple[str, ...] = ()
    unbuilt: tuple[str, ...] = ()
    version: str | None = None

    def failures(self) -> tuple[TestCase, ...]:
        """Return the tests that failed, in the order the tool gave them."""
        return tuple(case for case in self.cases if case.outcome == "failed")
