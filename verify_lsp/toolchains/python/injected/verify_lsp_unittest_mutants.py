"""The part of our unittest runner that tries mutants, when the tests have ended and their report is written.

Everything here must work with Python 3.8.
"""

from __future__ import annotations

import sys
import time
import unittest
from collections.abc import Callable
from typing import Any

from verify_lsp_crew import Crew  # type: ignore[import-not-found]  # it stands beside this file at run time
from verify_lsp_forks import Runner, let_go  # type: ignore[import-not-found]  # likewise
from verify_lsp_reach import Reach  # type: ignore[import-not-found]  # likewise
from verify_lsp_trial import Trial  # type: ignore[import-not-found]  # likewise
from verify_lsp_unittest_host import RunHost  # type: ignore[import-not-found]  # likewise

STARTED = time.monotonic()
NUMBER = "_verify_lsp_number"


class Mutation:
    """Watches a run in which no mutant is on, and has the mutants tried when it is over."""

    def __init__(self, host: RunHost) -> None:
        self._order = host.files.order
        self._host = host
        self._names: list[str] = []
        self._files: list[str] = []
        self._reach = Reach(host.files, self._files.__getitem__)
        self._crew: Crew | None = None
        self._trial: Trial | None = None
        self._class: Any = None
        self._module: Any = None
        self._of_class: set[int] = set()
        self._of_module: set[int] = set()

    def start(self, tests: list[unittest.TestCase]) -> None:
        """Fork the template off; the tests themselves are not kept alive here, as unittest does not keep them."""
        for test in tests:
            self._number(test)
        self._reach.loaded()
        if not tests:
            return
        self._form_crew(SuiteRunner(tests))
        self._trial = self._new_trial()
        self._trial.begin()

    def _form_crew(self, runner: SuiteRunner | None) -> None:
        self._host.numbers = {name: number for number, name in enumerate(self._names)}
        limit = STARTED + self._order["limit_s"]
        self._crew = Crew.formed(self._host.places, runner, self._reach.files.switches, limit)

    def _new_trial(self) -> Trial:
        tests = (self._names.__getitem__, self._files.__getitem__)
        return Trial(self._order, self._reach, self._crew, tests, self._host.loading)

    def _number(self, test: Any) -> int:
        number = getattr(test, NUMBER, None)
        if number is None:
            number = len(self._names)
            setattr(test, NUMBER, number)
            self._names.append(test.id())
            module = sys.modules.get(type(test).__module__)
            self._files.append(str(getattr(module, "__file__", "")))
        return int(number)

    def begin(self, test: Any) -> None:
        """What was reached since the last test was reached by what this one shares with others of its class."""
        between = self._reach.begin()
        kind = type(test)
        if kind.__module__ != self._module:
            self._module, self._of_module = kind.__module__, set(between)
        if kind is not self._class:
            self._class, self._of_class = kind, set()
        self._of_class |= between

    def end(self, test: Any) -> None:
        """A test has ended."""
        number = self._number(test)
        reached = self._reach.end(number, self._of_class | self._of_module)
        if self._trial is not None:
            self._trial.look(number, reached)

    def finish(self, ran: int, *, failed: bool) -> None:
        """Try the mutants. No test runs in this process any more."""
        if self._trial is None:
            # A program of the project's own runs the tests, and nobody but it knows how.
            self._form_crew(None)
        trial = self._trial or self._new_trial()
        if failed or not ran:
            trial.stop("the tests fail" if failed else "no test ran")
        else:
            trial.decide()
        self._host.places.close()


class SuiteRunner(Runner):  # type: ignore[misc]  # its base is only known at run time
    """Runs tests in a forked process, with the fixtures of their classes and modules."""

    def __init__(self, tests: list[unittest.TestCase]) -> None:
        self._tests = tests

    def prepare(self) -> None:
        """Leave the run's output to the process that it belongs to."""
        let_go([1, 2])

    def run(self, tests: list[int], told: Callable[[int, bool], None]) -> None:
        """Run tests one after another."""
        result = Result(told, tests)
        suite = unittest.TestSuite(self._tests[number] for number in tests)
        try:
            suite.run(result)
        except BaseException:  # noqa: BLE001  # it would end the run, and with it every test after this one
            result.fail()
        result.tell()


class Result(unittest.TestResult):
    """Tells of a test when the next one begins, so that what is torn down after it counts for it."""

    def __init__(self, told: Callable[[int, bool], None], tests: list[int]) -> None:
        super().__init__()
        self.failfast = True
        self._told = told
        self._left = list(tests)
        self._begun = False
        self._broken = False

    def startTest(self, test: Any) -> None:  # noqa: N802  # unittest's own name
        """Tell of the test before."""
        if self._begun:
            self._told(self._left.pop(0), True)
        self._begun = True
        super().startTest(test)

    def fail(self) -> None:
        """Something other than a test ended the run."""
        self._broken = True

    def tell(self) -> None:
        """Tell how it ended."""
        passed = self.wasSuccessful() and not self._broken
        for number in self._left if passed else self._left[:1]:
            self._told(number, passed)
