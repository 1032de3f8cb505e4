"""Chooses which mutants are tried while the tests still run, and keeps what is known of them by then.

Everything here must work with Python 3.8.
"""

from __future__ import annotations

from typing import Any

from verify_lsp_reach import Reach  # type: ignore[import-not-found]  # it stands beside this file at run time

WORTH_S = 0.05
"""A mutant that some tests passed with is tried again for others that take as long as this in all."""


class Early:
    """What was tried early, by mutant.

    Attributes:
        noticed: The test that noticed it.
        passed: Tests that passed with it on, each in a process that had run no other test but such.
        under_way: Those that are being tried.
        wanted: Those of them that must be decided when that is over.
    """

    def __init__(self, order: Any, reach: Reach) -> None:
        self._reach = reach
        # What was decided in an earlier run may still stand, and that is only known when the tests have ended.
        self._left = {number for number, mutant in enumerate(order["mutants"], start=1) if not mutant["met"]}
        self.noticed: dict[int, int] = {}
        self.passed: dict[int, set[int]] = {}
        self.under_way: set[int] = set()
        self.wanted: set[int] = set()

    def chosen(self, solitary: set[int], keen: set[int]) -> tuple[int, list[int]] | None:
        """Return a mutant that is worth a try now, with the tests for it, which are few at first."""
        best, most = None, 0.0
        for number in self._left - self.under_way - self._reach.outside:
            if number in self._reach.files.sticky or number in self._reach.files.unfit:
                continue
            passed = self.passed.get(number)
            tests = [
                test
                for test in self._reach.tests_of(number)
                if test not in solitary and (passed is None or test not in passed)
            ]
            seconds = sum(self._reach.seconds[test] for test in tests)
            worth = (float("inf") if passed is None else seconds) if tests else 0.0
            if worth > most and (passed is None or seconds >= WORTH_S):
                best, most = (number, sorted(tests, key=lambda test: test not in keen)), worth
        if best is not None:
            self.under_way.add(best[0])
        return best

    def tell(self, number: int, tests: list[int], status: str, at: int | None) -> None:
        """Say what became of a mutant that was chosen."""
        self.under_way.discard(number)
        if status == "killed" and at is not None:
            self.noticed[number] = at
        if status == "survived":
            self.passed.setdefault(number, set()).update(tests)
        else:
            self._left.discard(number)
