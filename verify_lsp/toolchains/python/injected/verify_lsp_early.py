"""Chooses which mutants are tried while the tests still run, and keeps what is known of them by then.

Everything here must work with Python 3.8.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import Any

from verify_lsp_reach import Reach  # type: ignore[import-not-found]  # it stands beside this file at run time

WORTH_S = 0.05
"""A mutant that some tests passed with is tried again for others that take as long as this in all."""
PIECE_S = 0.1
"""So much of the tests is tried at a time. What is left when they end is dealt out to all processors, and they end soon."""


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
        self._new: dict[int, dict[int, None]] = {}
        self._new_s: dict[int, float] = {}
        self.noticed: dict[int, int] = {}
        self.passed: dict[int, set[int]] = {}
        self.under_way: set[int] = set()
        self.wanted: set[int] = set()

    def add(self, test: int, reached: set[int]) -> None:
        """A test has ended that reached these mutants. Few steps, as it is one of many."""
        files = self._reach.files
        for number in reached & self._left - self._reach.outside - files.sticky - files.unfit.keys():
            self._new.setdefault(number, {})[test] = None
            self._new_s[number] = self._new_s.get(number, 0.0) + self._reach.seconds[test]

    def chosen(self, solitary: set[int], keen: set[int]) -> tuple[int, list[int]] | None:
        """Return a mutant that is worth a try now, one never tried before others, with the tests for it."""
        ready = [
            (number not in self.passed, seconds, number)
            for number, seconds in self._new_s.items()
            if number not in self.under_way and (number not in self.passed or seconds >= WORTH_S)
        ]
        for _, _, number in sorted(ready, reverse=True):
            del self._new_s[number]
            tests = [test for test in self._new.pop(number) if test not in solitary]
            if tests:
                self.under_way.add(number)
                # Whoever outlives the most telling tests outlives most: those of a file share what they set up.
                rank = self._reach.rank if number not in self.passed else lambda _, test: (test,)
                tests.sort(key=lambda test: (test not in keen, *rank(number, test)))
                return number, self._piece_of(number, tests)
        return None

    def _piece_of(self, number: int, tests: list[int]) -> list[int]:
        """Return the first of some tests, and keep the others for later."""
        seconds = list(accumulate(self._reach.seconds[test] for test in tests))
        end = bisect_left(seconds, PIECE_S) + 1
        if tests[end:]:
            self._new[number] = dict.fromkeys(tests[end:])
            self._new_s[number] = seconds[-1] - seconds[end - 1]
        return tests[:end]

    def tell(self, number: int, tests: list[int], status: str, at: int | None) -> None:
        """Say what became of a mutant that was chosen."""
        self.under_way.discard(number)
        if status == "killed" and at is not None:
            self.noticed[number] = at
        if status == "survived":
            self.passed.setdefault(number, set()).update(tests)
        else:
            self._left.discard(number)
            self._new_s.pop(number, None)
            self._new.pop(number, None)
