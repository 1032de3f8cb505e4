"""Runs tests with a mutant on, and sees whether a test that fails does so because of it.

Everything here must work with Python 3.8.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from verify_lsp_crew import FORK_S, TESTS, Crew  # type: ignore[import-not-found]  # it stands beside this file at run time
from verify_lsp_reach import Reach  # type: ignore[import-not-found]  # likewise

LEAST_CPU_S = 4.0
"""Tests with a mutant on may take so much of a processor in any case."""


class Attempts:
    """What can be asked of a crew, in the words of `Crew`: each method is a job, or a part of one.

    A fate is `killed`, `survived`, `timeout` or `undecided`, with the number of the test that noticed.

    Args:
        names: A test's number to how it is called.

    Attributes:
        is_over: Whether the tests themselves have ended. Before, what may come of a lack of time decides nothing.
        keen: Tests that have failed with some mutant on, and not without any. They are the best to try first with others.
        uncertain: Names of tests that failed without any mutant, and at another time did not.
    """

    def __init__(self, order: Any, reach: Reach, crew: Crew, names: Callable[[int], str]) -> None:
        self._factor, self._least_s = order["factor"], order["least_s"]
        self._reach = reach
        self._crew = crew
        self._names = names
        self._controls: dict[tuple[int, ...], Any] = {}
        self.is_over = False
        self.keen: set[int] = set()
        self.uncertain: dict[str, None] = {}

    def tried(self, number: int, tests: list[int]) -> Generator[Any, Any, tuple[str, int | None]]:
        """Run tests until one fails: first those that nobody else notices, since several such runs go on at a time."""
        left, reached = list(tests), False
        while left:
            piece = [test for test in left if test not in self._crew.solitary] or left
            answer = yield self._asked(number, piece)
            if answer is None:
                return "undecided", None
            reached = reached or answer["reached"]
            if answer["ended"] == "shared":
                passed = set(piece[: piece.index(answer["at"])])
            elif answer["ended"] == "passed":
                passed = set(piece)
            else:
                return (yield from self._noticed(number, piece, answer))
            left = [test for test in left if test not in passed]
        return self._passed(number, tests, reached=reached), None

    def in_company(self, number: int, tests: list[int]) -> Generator[Any, Any, tuple[str, int | None]]:
        """Run tests until one fails, all of them in one process and in this order."""
        answer = yield from self.ask(number, tests)
        if answer is None:
            return "undecided", None
        if answer["ended"] != "passed":
            return (yield from self._noticed(number, tests, answer))
        return self._passed(number, tests, reached=answer["reached"]), None

    def ask(self, number: int | None, tests: list[int], *, canary: bool = False) -> Generator[Any, Any, Any]:
        """Run tests in one process, and return its answer."""
        while True:
            answer = yield self._asked(number, tests, canary=canary)
            if answer is None or answer["ended"] != "shared":
                return answer

    def _passed(self, number: int, tests: list[int], *, reached: bool) -> str:
        """A mutant that was not asked for has not been tried; what processes ask for that tests start is not seen here."""
        reached = reached or any(number in self._reach.in_children.get(test, ()) for test in tests)
        return "survived" if reached else "undecided"

    def _noticed(
        self, number: int, tests: list[int], answer: dict[str, Any]
    ) -> Generator[Any, Any, tuple[str, int | None]]:
        """A test has failed or did not end with a mutant on; see that this is because of the mutant."""
        if answer["ended"] == "exited":
            # The session would have ended with success, and nobody have noticed.
            return "undecided", None
        at = answer["at"]
        company = tests[: tests.index(at) + 1]
        is_early = not self.is_over
        if answer["ended"] != "timeout" and (yield from self._soon_noticed(number, company)):
            return "killed", at
        if is_early and not answer["spent"]:
            return "undecided", None
        control = yield from self._control(company)
        if control is None:
            return "undecided", None
        if not self._has_passed(control):
            again = yield from self.ask(None, company)
            if self._has_passed(again) and not is_early:
                self.uncertain[self._names(control["at"])] = None
            return "undecided", None
        return ("timeout" if answer["ended"] == "timeout" else "killed"), at

    def _soon_noticed(self, number: int, company: list[int]) -> Generator[Any, Any, bool]:
        """Say whether the last of some tests failed because of the mutant, as far as the quicker ways tell."""
        self._be_keen(company[-1])
        if self._is_soon_seen(company) and self._has_passed((yield from self._control(company))):
            return True
        return (yield from self._noticed_alone(number, company[-1], was_alone=len(company) == 1))

    def _be_keen(self, test: int) -> None:
        control = self._controls.get((test,))
        if control is None or self._has_passed(control):
            self.keen.add(test)

    def _is_soon_seen(self, company: list[int]) -> bool:
        """Whether tests in their company cost less than the last of them twice by itself, without the mutant and with it."""
        *before, last = company
        seconds = sum(self._reach.seconds.get(test, 0.0) for test in before)
        return (last,) not in self._controls and seconds < self._reach.seconds.get(last, 0.0) + FORK_S

    @staticmethod
    def _has_passed(answer: Any) -> bool:
        return answer is not None and answer["ended"] == "passed"

    def _noticed_alone(self, number: int, test: int, *, was_alone: bool) -> Generator[Any, Any, bool]:
        """Say whether a test, run by itself, fails with the mutant and passes without; most do, and that is soon seen."""
        control = yield from self._control([test])
        if not self._has_passed(control):
            self.keen.discard(test)
            return False
        if was_alone:
            return True
        answer = yield from self.ask(number, [test])
        return answer is not None and answer["ended"] in ("failed", "died")

    def _control(self, tests: list[int]) -> Generator[Any, Any, Any]:
        key = tuple(tests)
        if key not in self._controls:
            self._controls[key] = yield from self.ask(None, tests)
        return self._controls[key]

    def _asked(self, number: int | None, tests: list[int], *, canary: bool = False) -> dict[str, Any]:
        usual = sum(self._reach.seconds.get(test, 0.0) for test in tests) + self._reach.shared_seconds
        return {
            "place": TESTS,
            "beside": True,
            "mutant": number,
            "canary": canary,
            "tests": tests,
            "usual_s": usual,
            "limit_s": max(self._factor * usual, self._least_s),
            "cpu_s": max(self._factor * usual, LEAST_CPU_S),
        }
