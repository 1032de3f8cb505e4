# ruff: noqa: PTH118, PTH123
# The functions of os.path are the least that a test can have replaced under our feet.
"""Decides the fate of each mutant, beside and after a run of the tests in which none was on.

A test that fails with a mutant on has noticed it only if it passes, run in the same company, with the mutant off.
Everything here must work with Python 3.8.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator
from itertools import accumulate
from typing import Any

from verify_lsp_attempts import Attempts  # type: ignore[import-not-found]  # it stands beside this file at run time
from verify_lsp_crew import Crew  # type: ignore[import-not-found]  # likewise
from verify_lsp_early import WORTH_S, Early  # type: ignore[import-not-found]  # likewise
from verify_lsp_known import Known  # type: ignore[import-not-found]  # likewise
from verify_lsp_loading import Loading  # type: ignore[import-not-found]  # likewise
from verify_lsp_mutants import FOLDER  # type: ignore[import-not-found]  # likewise
from verify_lsp_reach import Reach  # type: ignore[import-not-found]  # likewise

REPORT = "mutants.json"
MAX_UNSERVED = 3
"""After so many mutants that forked processes could not decide, no more are tried in them."""
NAMED = 10
WEIGHT = {"killed": 0, "undecided": 1, "timeout": 2, "survived": 3}
"""Which fate goes before which, where tests were dealt out and came to different ones."""


class Trial:
    """All mutants of an order against the tests that are run.

    Args:
        tests: A test's number to how it is called, and to the file it stands in.
        crew: The processes that mutants are tried in; None where there are none.
        loading: Tries mutants in code that runs when a file is loaded; None where that cannot be done here.
    """

    def __init__(
        self,
        order: Any,
        reach: Reach,
        crew: Crew | None,
        tests: tuple[Callable[[int], str], Callable[[int], str]],
        loading: Loading | None = None,
    ) -> None:
        self._order = order
        self._reach = reach
        self._files = reach.files
        self._crew: Any = crew
        self._attempts = Attempts(order, reach, crew, tests[0])
        self._names, self._file_of = tests
        self._loading: Any = loading if crew is not None else None
        self._known: Known | None = None
        self._keys: dict[int, str] = {}
        self._unserved = 0
        self._results: dict[int, dict[str, Any]] = {}
        self._alone: list[int] = []
        self._loaded: dict[str, dict[int, Any]] = {}
        self._unreached: dict[str, str] = {}
        self._stopped: str | None = None
        self._early = Early(order, reach)

    def begin(self) -> None:
        """All tests are there and none has run: begin with what no test need show."""
        known = [mutant["met"] for mutant in self._order["mutants"]]
        if self._loading is not None and self._crew.size > 1:
            for number in self._loading.likely():
                if not known[number - 1]:
                    self._crew.add(self._loading.early(number))
            self._crew.look()

    def look(self, test: int, reached: set[int]) -> None:
        """A test has ended: go on with what can be tried while the others run."""
        if self._crew is None or not self._crew.takes_tests:
            return
        self._early.add(test, reached)
        self._crew.note(self._reach.seconds[test])
        self._crew.look()
        while self._crew.has_room:
            chosen = self._early.chosen(self._crew.solitary, self._attempts.keen)
            if chosen is None:
                return
            self._crew.add(self._try_early(*chosen))
            self._crew.look()

    def go_on(self) -> None:
        """The tests have ended: go on with what is left of all mutants, while others make their reports of the tests."""
        self._attempts.is_over = True
        if self._loading is not None:
            self._loading.end()
        self._known = Known(self._order, self._files.paths(), self._file_of, self._reach.seconds)
        copies = self._files.unmet_copies()
        for path, mutants in self._files.paths().items():
            shown = os.path.relpath(path, os.path.realpath(self._order["place"]))
            if path in self._files.changed:
                self._unreached[shown] = "the file does not hold the text that is verified any more"
            elif path in copies:
                self._unreached[shown] = f"the module {copies[path]} was loaded in a way that mutants cannot follow"
            else:
                self._loaded[shown] = mutants
                if path not in self._files.met:
                    self._files.examine(path)
                for number in mutants:
                    self._decide(number, path)
        if self._crew is not None:
            self._crew.go_on()

    def decide(self) -> None:
        """Decide about all mutants, then hold up a canary where none was noticed; write the report."""
        if not self._attempts.is_over:
            self.go_on()
        if self._crew is not None:
            self._finish()
            for shown, mutants in self._loaded.items():
                self._crew.add(self._sing(shown, mutants))
            self._finish()
        self._write()

    def _finish(self) -> None:
        self._crew.finish(0.0 if self._loading is None else self._loading.patience_s)

    def stop(self, reason: str) -> None:
        """Write a report that decides nothing."""
        self._results.clear()
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
                self._load(number)
        elif not tests:
            self._settle(number, "no-coverage", tests=0)
        elif not self._is_known(number, tests):
            if self._crew is None or not self._crew.takes_tests:
                self._load(number)
            elif number in self._early.under_way:
                self._early.wanted.add(number)
            else:
                self._crew.add(self._try(number))

    def _load(self, number: int) -> None:
        if self._loading is None or not self._loading.can(number):
            self._alone.append(number)
        else:
            self._crew.add(self._loading.settle(number, self._settle_loaded))

    def _settle_loaded(self, number: int, status: str, noticed_by: str | None) -> None:
        if status == "undecided":
            self._alone.append(number)
        elif number in self._files.unfit or number in self._reach.outside:
            self._settle(number, status, killed_by=noticed_by)
        else:
            self._settle_told(number, status, noticed_by)

    def _is_known(self, number: int, tests: list[int]) -> bool:
        assert self._known is not None  # noqa: S101  # set before anything is decided
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

    def _try_early(self, number: int, tests: list[int]) -> Generator[Any, Any, None]:
        """Try tests that have ended, while others run. Only what is certain counts."""
        status, at = yield from self._attempts.tried(number, tests)
        self._early.tell(number, tests, status, at)
        if number in self._early.wanted:
            yield from self._try(number)

    def _try(self, number: int) -> Generator[Any, Any, None]:
        """First the tests that reach it, those that noticed others before, in several processes where that pays."""
        at = self._early.noticed.get(number)
        if at is not None:
            self._settle_tried(number, "killed", at)
            return
        if self._unserved >= MAX_UNSERVED:
            self._alone.append(number)
            return
        tests = sorted(self._reach.tests_of(number), key=lambda test: test not in self._attempts.keen)
        if number in self._files.sticky:
            later = sorted(test for test in self._reach.seconds if test > min(tests) and test not in tests)
            parts = [[*tests, *later]]
        else:
            parts = self._parts(tests, self._early.passed.get(number, set()))
        fates: list[tuple[str, int | None]] = []
        for part in parts[1:]:
            self._crew.add(self._try_part(number, part, len(parts), fates))
        yield from self._try_part(number, parts[0], len(parts), fates)

    def _parts(self, tests: list[int], passed: set[int]) -> list[list[int]]:
        """Deal tests out that have not passed yet, to as many processes as are worth it.

        Most likely none fails after some have passed: then neighbours stay together, which share what they set up.
        """
        left = [test for test in tests if test not in passed]
        seconds = sum(self._reach.seconds[test] for test in left)
        number = max(1, min(self._crew.size, int(seconds / WORTH_S)))
        if not passed:
            return [left[first::number] for first in range(number)]
        left.sort()
        ends = accumulate(self._reach.seconds[test] for test in left)
        parts: list[list[int]] = [[] for _ in range(number)]
        for test, end in zip(left, ends):  # noqa: B905  # Python 3.8 knows no `strict`
            parts[min(number - 1, int(number * end / seconds))].append(test)
        return parts

    def _try_part(
        self, number: int, tests: list[int], parts: int, fates: list[tuple[str, int | None]]
    ) -> Generator[Any, Any, None]:
        """Try some of the tests that reach a mutant; who comes last draws the conclusion, if need be from all in order."""
        needless = any(status == "killed" for status, _ in fates)
        fates.append((yield from self._attempts.tried(number, tests)) if tests and not needless else ("survived", None))
        if len(fates) == parts:
            status, at = min(fates, key=lambda fate: WEIGHT[fate[0]])
            if status == "undecided" and not self._crew.is_late:
                tests = self._reach.tests_of(number)
                in_order = [test for test in self._reach.seconds if test <= max(tests)]
                status, at = yield from self._attempts.in_company(number, in_order)
            self._conclude(number, status, at)

    def _conclude(self, number: int, status: str, at: int | None) -> None:
        if status != "undecided":
            self._settle_tried(number, status, at)
        elif not self._crew.is_late:
            self._unserved += 1
            self._alone.append(number)

    def _sing(self, shown: str, mutants: dict[int, Any]) -> Generator[Any, Any, None]:
        """Where nothing in a file was noticed, see whether anything would be."""
        statuses = {number: self._results[number]["status"] for number in mutants if number in self._results}
        if "killed" in statuses.values():
            return
        survivors = [number for number, status in statuses.items() if status == "survived"]
        loaded = [] if self._loading is None else self._loading.decided
        for number in survivors:
            if number in loaded:
                if not (yield from self._loading.sing(number)):
                    return
                continue
            answer = yield from self._attempts.ask(number, self._reach.tests_of(number), canary=True)
            if answer is None or answer["ended"] != "passed":
                return
        if survivors:
            why = "an error that was raised there on purpose went unnoticed by the tests that run it"
            whole = "the tests pass as well with an error in the place of the whole file"
            self._unreached[shown] = whole if set(survivors) <= set(loaded) else why

    def _settle_tried(self, number: int, status: str, at: int | None) -> None:
        self._settle_told(number, status, None if at is None else self._names(at))

    def _settle_told(self, number: int, status: str, noticed_by: str | None) -> None:
        reaching = self._reach.tests_of(number)
        names = [self._names(test) for test in reaching[:NAMED]]
        killed_by = noticed_by if status == "killed" else None
        self._settle(number, status, tests=len(reaching), killed_by=killed_by, covered_by=names)

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
            "alone": sorted(self._alone),
            "stopped": self._stopped,
            "uncertain": list(self._attempts.uncertain)[:20],
            "unreached": self._unreached,
            "keys": self._keys,
            "read_again": [] if self._loading is None else self._loading.decided,
            "cpu_s": 0.0 if self._crew is None else self._crew.cpu_s,
        }
        with open(os.path.join(FOLDER, REPORT), "w", encoding="utf-8") as opened:
            json.dump(report, opened)
