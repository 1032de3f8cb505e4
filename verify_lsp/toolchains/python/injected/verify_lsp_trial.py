# ruff: noqa: PTH118, PTH123
# The functions of os.path are the least that a test can have replaced under our feet.
"""Decides the fate of each mutant, after a run of the tests in which none was on.

A test that fails with a mutant on has noticed it only if it passes, run in the same company, with the mutant off.
Everything here must work with Python 3.8.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from typing import Any

from verify_lsp_forks import Template  # type: ignore[import-not-found]  # it stands beside this file at run time
from verify_lsp_known import Known  # type: ignore[import-not-found]  # likewise
from verify_lsp_mutants import CHILDREN, FOLDER, Files  # type: ignore[import-not-found]  # likewise

REPORT = "mutants.json"
FACTOR, LEAST_S, LEAST_CPU_S = 5.0, 10.0, 4.0
MAX_UNSERVED = 3
NAMED = 10
"""After so many mutants that forked processes could not decide, no more are tried in them."""


class Reach:
    """Which mutants each test reached, and how long it took."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.seconds: dict[int, float] = {}
        self.shared_seconds = 0.0
        self.outside: set[int] = set()
        self.in_children: dict[int, set[int]] = {}
        self._by_test: dict[int, set[int]] = {}
        self._began = 0.0
        self._fixtures: list[set[int]] = []
        self._children_read = 0
        self.files.switches.note = None

    def loaded(self) -> None:
        """All tests are there and none has run: what was reached so far was reached when files were loaded."""
        self.outside |= self._taken()

    def begin(self) -> set[int]:
        """A test begins; return what was reached since the last one ended."""
        reached = self._taken()
        self._began = time.monotonic()
        return reached

    def end(self, test: int, lasting: set[int]) -> None:
        """A test has ended. `lasting`: mutants reached by what it shares with other tests, whoever set that up."""
        self.seconds[test] = time.monotonic() - self._began
        in_children = self._taken_in_children()
        if in_children:
            self.in_children[test] = in_children
        self._by_test.setdefault(test, set()).update(self.files.switches.taken() | in_children | lasting)

    def begin_shared(self) -> None:
        """Something that several tests share is being set up."""
        self._fixtures.append(self.files.switches.taken())

    def end_shared(self, began: float) -> set[int]:
        """Return what was reached since; it counts for the test that runs as well."""
        reached: set[int] = self.files.switches.taken()
        before = self._fixtures.pop()
        self.files.switches.reached |= before | reached
        self.shared_seconds += time.monotonic() - began
        return reached

    def tests_of(self, number: int) -> list[int]:
        """Return the tests that reach a mutant, the quickest first."""
        found = [test for test, reached in self._by_test.items() if number in reached]
        return sorted(found, key=lambda test: self.seconds.get(test, 0.0))

    def _taken(self) -> set[int]:
        return self.files.switches.taken() | self._taken_in_children()  # type: ignore[no-any-return]  # both are sets

    def _taken_in_children(self) -> set[int]:
        path = os.path.join(FOLDER, CHILDREN)
        try:
            if os.stat(path).st_size == self._children_read:  # noqa: PTH116  # as above
                return set()
            with open(path, "rb") as opened:
                opened.seek(self._children_read)
                data = opened.read()
        except OSError:
            return set()
        self._children_read += len(data)
        return {int(word) for word in data.split()}


class Trial:
    """All mutants of an order against the tests that were run.

    Args:
        tests: A test's number to how it is called, and to the file it stands in.
        limit: By when everything must be decided, on the monotonic clock.
    """

    def __init__(
        self,
        order: Any,
        reach: Reach,
        template: Template | None,
        tests: tuple[Callable[[int], str], Callable[[int], str]],
        limit: float,
    ) -> None:
        self._order = order
        self._reach = reach
        self._files = reach.files
        self._template = template
        self._names, file_of = tests
        self._known = Known(order, reach.files.paths(), file_of, reach.seconds)
        self._keys: dict[int, str] = {}
        self._limit = limit
        self._unserved = 0
        self._cpu_s = 0.0
        self._keen: set[int] = set()
        self._results: dict[int, dict[str, Any]] = {}
        self._alone: list[int] = []
        self._uncertain: dict[str, None] = {}
        self._unreached: dict[str, str] = {}
        self._controls: dict[tuple[int, ...], dict[str, Any] | None] = {}
        self._stopped: str | None = None

    def decide(self) -> None:
        """Try one mutant after another, then hold up a canary where none was noticed; write the report."""
        copies = self._files.unmet_copies()
        for path, mutants in self._files.paths().items():
            shown = os.path.relpath(path, os.path.realpath(self._order["place"]))
            if path in self._files.changed:
                self._unreached[shown] = "the file does not hold the text that is verified any more"
            elif path in copies:
                self._unreached[shown] = f"the module {copies[path]} was loaded in a way that mutants cannot follow"
            else:
                if path not in self._files.met:
                    self._files.examine(path)
                for number in mutants:
                    self._decide(number, path)
                self._sing(shown, mutants)
        self._write()

    def stop(self, reason: str) -> None:
        """Write a report that decides nothing."""
        self._stopped = reason
        self._write()

    def _decide(self, number: int, path: str) -> None:
        unfit = self._files.unfit.get(number)
        tests = self._reach.tests_of(number)
        if unfit is not None and unfit.invalid:
            self._settle(number, "invalid", reason=str(unfit))
        elif not self._is_loaded(path):
            self._settle(number, "no-coverage", tests=0)
        elif unfit is not None or number in self._reach.outside:
            # All tests may see what loading a file does.
            if not self._is_known(number, list(self._reach.seconds)):
                self._alone.append(number)
        elif not tests:
            self._settle(number, "no-coverage", tests=0)
        elif not self._is_known(number, tests):
            if self._template is None or self._unserved >= MAX_UNSERVED:
                self._alone.append(number)
            else:
                self._try(number, tests)

    def _is_known(self, number: int, tests: list[int]) -> bool:
        key = self._keys[number] = self._known.key(number, tests, self._names)
        fate = self._known.fate(key)
        if fate is not None:
            self._results[number] = fate
        return fate is not None

    def _is_loaded(self, path: str) -> bool:
        """Say whether this process loaded a file, or one that the tests started reached a mutant in it."""
        if path in self._files.met:
            return True
        return any(self._reach.tests_of(number) for number in self._files.paths()[path])

    def _try(self, number: int, tests: list[int]) -> None:
        """First the tests that reach it, those that noticed others before; then all that ran up to the last of them."""
        tests = sorted(tests, key=lambda test: test not in self._keen)
        if number in self._files.sticky:
            tests = [*tests, *sorted(test for test in self._reach.seconds if test > min(tests) and test not in tests)]
        in_order = [test for test in self._reach.seconds if test <= max(tests)]
        for chosen in (tests, in_order):
            status, at = self._tried(number, chosen)
            if status == "killed" and at is not None:
                self._keen.add(at)
            if status != "undecided":
                killed_by = self._names(at) if status == "killed" and at is not None else None
                reaching = self._reach.tests_of(number)
                names = [self._names(test) for test in reaching[:NAMED]]
                self._settle(number, status, tests=len(reaching), killed_by=killed_by, covered_by=names)
                return
            if time.monotonic() > self._limit:
                return
        self._unserved += 1
        self._alone.append(number)

    def _tried(self, number: int, tests: list[int]) -> tuple[str, int | None]:
        answer = self._ask(number, tests)
        if answer is None:
            return "undecided", None
        if answer["ended"] == "passed":
            return ("survived" if answer["reached"] or number in self._in_children(tests) else "undecided"), None
        at = answer["at"]
        if answer["ended"] != "timeout" and self._noticed_alone(number, at, was_alone=at == tests[0]):
            return "killed", at
        company = tests[: tests.index(at) + 1]
        control = self._control(company)
        if control is None:
            return "undecided", None
        if control["ended"] != "passed":
            again = self._ask(None, company)
            if again is not None and again["ended"] == "passed":
                self._uncertain[self._names(control["at"])] = None
            return "undecided", None
        return ("timeout" if answer["ended"] == "timeout" else "killed"), at

    def _noticed_alone(self, number: int, test: int, *, was_alone: bool) -> bool:
        """Say whether a test, run by itself, fails with the mutant and passes without; most do, and that is soon seen."""
        control = self._control([test])
        if control is None or control["ended"] != "passed":
            return False
        if was_alone:
            return True
        answer = self._ask(number, [test])
        return answer is not None and answer["ended"] in ("failed", "died")

    def _in_children(self, tests: list[int]) -> set[int]:
        """What was reached in processes that the tests started is not known to the process that runs them."""
        return set().union(*(self._reach.in_children.get(test, set()) for test in tests))

    def _control(self, tests: list[int]) -> dict[str, Any] | None:
        key = tuple(tests)
        if key not in self._controls:
            self._controls[key] = self._ask(None, tests)
        return self._controls[key]

    def _ask(self, number: int | None, tests: list[int], *, canary: bool = False) -> dict[str, Any] | None:
        if self._template is None or time.monotonic() > self._limit:
            return None
        usual = sum(self._reach.seconds.get(test, 0.0) for test in tests) + self._reach.shared_seconds
        left = max(0.0, self._limit - time.monotonic())
        limit_s = max(FACTOR * usual, LEAST_S)
        order = {
            "mutant": number,
            "canary": canary,
            "tests": tests,
            "limit_s": min(limit_s, left),
            "cpu_s": max(FACTOR * usual, LEAST_CPU_S),
        }
        answer: dict[str, Any] | None = self._template.tried(order, time.monotonic() + min(limit_s, left) + 2)
        if answer is not None:
            self._cpu_s = answer["cpu_s"]
        if answer is None or (answer["ended"] == "timeout" and limit_s > left):
            return None
        return answer

    def _sing(self, shown: str, mutants: dict[int, Any]) -> None:
        """Where nothing in a file was noticed, see whether anything would be."""
        statuses = {number: self._results[number]["status"] for number in mutants if number in self._results}
        if "killed" in statuses.values() or self._template is None:
            return
        survivors = [number for number, status in statuses.items() if status == "survived"]
        for number in survivors:
            answer = self._ask(number, self._reach.tests_of(number), canary=True)
            if answer is None or answer["ended"] != "passed":
                return
        if survivors:
            self._unreached[shown] = "an error that was raised there on purpose went unnoticed by the tests that run it"

    def _settle(self, number: int, status: str, **more: Any) -> None:
        self._results[number] = {"status": status, **more}

    def _write(self) -> None:
        numbers = range(1, len(self._order["mutants"]) + 1)
        unreached = [mutant["path"] in self._unreached for mutant in self._order["mutants"]]
        left = [n for n in numbers if n not in self._results and n not in self._alone and not unreached[n - 1]]
        if left and self._stopped is None:
            self._stopped = f"the time limit left no room for {len(left)} of {len(numbers)} mutants"
        report = {
            "results": self._results,
            "alone": self._alone,
            "stopped": self._stopped,
            "uncertain": list(self._uncertain)[:20],
            "unreached": self._unreached,
            "keys": self._keys,
            "cpu_s": self._cpu_s,
        }
        with open(os.path.join(FOLDER, REPORT), "w", encoding="utf-8") as opened:
            json.dump(report, opened)
