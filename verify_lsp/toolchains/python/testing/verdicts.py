"""From counts and an exit code to a verdict. Whatever does not fit together speaks against the run."""

import attrs

from verify_lsp.model.testrun import TestCase, TestRun

FEW = 3


@attrs.frozen
class Counts:
    """What a tool counted.

    Attributes:
        failed: Failures and errors together.
        expected: Tests that failed as they were expected to (`xfail`).
        unexpected: Tests that passed although they were expected to fail (non-strict `xpass`).
    """

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    expected: int = 0
    unexpected: int = 0

    @property
    def total(self) -> int:
        """All tests that were counted."""
        return sum(attrs.astuple(self))

    def plus(self, other: "Counts") -> "Counts":
        """Return both together, for several runs behind one command."""
        return Counts(*(mine + theirs for mine, theirs in zip(attrs.astuple(self), attrs.astuple(other), strict=True)))

    def notes(self) -> tuple[str, ...]:
        """Say what is in the total beside passed, failed and skipped."""
        notes = []
        if self.expected:
            notes.append(f"{counted(self.expected, 'test')} failed as expected")
        if self.unexpected:
            notes.append(f"{counted(self.unexpected, 'test')} passed unexpectedly")
        return tuple(notes)


def judged(counts: Counts, exit_code: int | None, *, tool: str, cases: tuple[TestCase, ...] = ()) -> TestRun:
    """Return the run that `counts` and `exit_code` tell of.

    Skipped tests alone prove nothing, so that such a run is `none-ran`.
    """
    verdict, reason, contradiction = _verdict(counts, exit_code, tool)
    return TestRun(
        verdict=verdict,  # type: ignore[arg-type]  # one of the four words, see below
        passed=counts.passed,
        failed=counts.failed,
        skipped=counts.skipped,
        total=counts.total,
        cases=cases,
        reason=reason,
        contradiction=contradiction,
        notes=counts.notes(),
    )


def _verdict(counts: Counts, exit_code: int | None, tool: str) -> tuple[str, str | None, str | None]:
    if counts.failed:
        contradiction = f"{tool} says {counts.failed} failed, but the exit code is 0" if exit_code == 0 else None
        return "failed", None, contradiction
    if counts.passed + counts.unexpected == 0 and exit_code in {0, 5}:
        return "none-ran", _nothing_passed(counts), None
    if exit_code == 0:
        return "passed", None, None
    if counts.total == 0:
        return "unusable", f"{tool} ran no tests and ended with {exit_words(exit_code)}", None
    return "failed", None, f"{tool} says that no test failed, but it ended with {exit_words(exit_code)}"


def _nothing_passed(counts: Counts) -> str:
    if counts.total == 0:
        return "no tests were collected"
    if counts.skipped == counts.total:
        return f"all {counts.skipped} tests were skipped" if counts.skipped > 1 else "the only test was skipped"
    return "no test passed: all were skipped, or failed as expected"


def exit_words(exit_code: int | None) -> str:
    """Return an exit code as a person would say it."""
    if exit_code is None:
        return "no exit code"
    if exit_code < 0:
        return f"signal {-exit_code}"
    return f"exit code {exit_code}"


def counted(number: int, noun: str) -> str:
    """Return "1 test" or "2 tests"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def named(cases: tuple[TestCase, ...]) -> str:
    """Return where the first few failed and why, in one line."""
    places = [f"{_place(case)}: {case.message.splitlines()[0] if case.message else 'failed'}" for case in cases[:FEW]]
    more = [f"and {len(cases) - FEW} more"] if len(cases) > FEW else []
    return "; ".join(places + more)


def _place(case: TestCase) -> str:
    if case.path is None:
        return case.id
    return case.path if case.line is None else f"{case.path}:{case.line}"


def running_test(text: str) -> str:
    """Return the test that ran when its process ended, as our reporters leave its name: in the first line."""
    return text.partition("\n")[0].strip()
