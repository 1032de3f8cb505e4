"""Tries mutants in code that runs when a file is loaded: in processes forked off at the moment when it first is.

Each goes on from there as the run itself does, with one mutant on and all tests before it. Everything here must work
with Python 3.8.
"""

from __future__ import annotations

import atexit
import math
import os
from typing import TYPE_CHECKING, Any

from verify_lsp_attempts import LEAST_CPU_S  # type: ignore[import-not-found]  # it stands beside this file at run time
from verify_lsp_crew import processors  # type: ignore[import-not-found]  # likewise
from verify_lsp_forks import CLOCK, Visit  # type: ignore[import-not-found]  # likewise
from verify_lsp_mutants import CANARY, Files  # type: ignore[import-not-found]  # likewise
from verify_lsp_origins import Trouble  # type: ignore[import-not-found]  # likewise
from verify_lsp_places import Places  # type: ignore[import-not-found]  # likewise
from verify_lsp_template import cannot_fork  # type: ignore[import-not-found]  # likewise

FOUND, ALL = (-1,), (math.inf,)
"""Places before all tests, when they have been found, and after the last."""
LONG_S = 1e6
"""As good as no limit of processor time, while nobody knows how much the tests themselves take."""
NEAR_S = 0.05
"""A file that is loaded so soon after another is tried from there: it takes less than to fork the run once more."""

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    Settled = Callable[[int, str, "str | None"], None]
    """Is told a mutant's number, its fate (`killed`, `survived`, `timeout` or `undecided`) and the test that noticed it."""


class Host:
    """What a test tool must be able to do where its run is forked.

    Attributes:
        places: The processes of the run.
        loading: Tries mutants in them.
    """

    def __init__(self, files: Files) -> None:
        self.files = files
        self.places = Places()
        self.loading = Loading(files, self.places, self)

    def prepare(self) -> None:
        """Let go of all that belongs to the process which runs the tests: its output, its reports."""
        raise NotImplementedError

    def enter(self, visit: Visit) -> None:
        """From now on this process is for that: have it end when a test fails, when `until` has passed, or when all have.

        `until` is the name of a test, "" for the point at which all are found and none has run, or None.
        """
        raise NotImplementedError

    def note_arrival(self, path: str) -> bool:  # noqa: ARG002  # where it matters, the tool keeps it
        """A file is about to be loaded, and may be tried from here; return whether tests run already."""
        return False

    def place_of(self, test: str, path: str) -> tuple[int, int] | None:
        """Return what tells by `<` which of two tests comes first in a fork for a file, or None for what is no test."""
        raise NotImplementedError


class Loading:
    """The files of an order that have such mutants, and what became of these."""

    def __init__(self, files: Files, places: Places, host: Host) -> None:
        order = files.order
        self._factor, self._least_s = order["factor"], order["least_s"]
        self._files = files
        self._places = places
        self._host = host
        self._at_import = {number for number, one in enumerate(order["mutants"], start=1) if one["at_import"]}
        self._places_of: dict[str, str] = {}
        self._arrived: dict[str, float] = {}
        self._passed_to: dict[str, tuple[float, ...]] = {}
        self._apart = False
        self._began: set[int] = set()
        self._fates: dict[int, tuple[str, str | None]] = {}
        self._settled: dict[int, Settled] = {}
        self._over: float | None = None
        files.arriving = self._arrive

    @property
    def patience_s(self) -> float:
        """How long one may take after the tests have ended, at most."""
        over = CLOCK[0]()
        return max((self._limit_s(place, over, self._least_s) for place in self._arrived), default=float(self._least_s))

    @property
    def decided(self) -> list[int]:
        """The mutants whose fate was found here, by tests that were read again."""
        return sorted(number for number in self._settled if self._fates.get(number, ("undecided",))[0] != "undecided")

    def can(self, number: int) -> bool:
        """Whether there are processes for it."""
        return self._files.path_of[number] in self._places_of

    def early(self, number: int) -> Generator[Any, Any, None]:
        """Try a mutant of which it is likely that it must be tried, while the tests run."""
        self._began.add(number)
        yield from self._decide(number)

    def likely(self) -> list[int]:
        """Return mutants for `early`: their code runs at load, and their file was loaded."""
        return sorted(number for number in self._at_import if self.can(number))

    def settle(self, number: int, settled: Settled) -> Generator[Any, Any, None]:
        """Try a mutant, unless that is done or under way; `settled` is called once its fate is known."""
        self._settled[number] = settled
        if number in self._fates:
            settled(number, *self._fates[number])
        elif number not in self._began:
            yield from self._decide(number)

    def sing(self, number: int) -> Generator[Any, Any, bool]:
        """Say whether the tests pass with an error in the place of the whole file that a mutant is in."""
        answer = yield from self._ask(self._files.path_of[number], number, canary=True)
        return answer is not None and answer["ended"] == "passed"

    def end(self) -> None:
        """The tests have ended."""
        self._over = CLOCK[0]()

    def _decide(self, number: int) -> Generator[Any, Any, None]:
        fate = self._fates[number] = yield from self._tried(number)
        if number in self._settled:
            self._settled[number](number, *fate)

    def _tried(self, number: int) -> Generator[Any, Any, tuple[str, str | None]]:
        path = self._files.path_of[number]
        answer = yield from self._ask(path, number)
        if answer is None or answer["ended"] in ("died", "exited"):
            return "undecided", None
        if answer["ended"] == "passed":
            return "survived", None
        at = answer["at"] if answer["ended"] == "failed" else None
        if (yield from self._passes_without(path, at)):
            return ("timeout", None) if at is None else ("killed", at)
        return "undecided", None

    def _passes_without(self, path: str, at: str | None) -> Generator[Any, Any, bool]:
        """Say whether the tests pass without any mutant in a process like this one, up to one of them or all."""
        place = ALL if at is None else self._host.place_of(at, path) or FOUND
        if place > self._passed_to.get(path, ()):
            answer = yield from self._ask(path, None, until="" if place == FOUND else at)
            if answer is None or answer["ended"] != "passed":
                return False
            self._passed_to[path] = max(place, self._passed_to.get(path, ()))
        return True

    def _ask(
        self, path: str, number: int | None, *, until: str | None = None, canary: bool = False
    ) -> Generator[Any, Any, Any]:
        place = self._places_of[path]
        while True:
            order: dict[str, Any] = {
                "place": place,
                "file": path,
                "mutant": number,
                "canary": canary,
                "tests": [],
                "until": until,
                "usual_s": math.inf,
                "beside": not self._apart,
                "limit_s": math.inf if self._over is None else self._limit_s(place, self._over, self._least_s),
                "cpu_s": LONG_S if self._over is None else self._limit_s(place, self._over, LEAST_CPU_S),
            }
            answer = yield order
            if answer is None or answer["ended"] != "shared":
                return answer
            self._apart = True

    def _limit_s(self, place: str, over: float, least_s: float) -> float:
        return float(max(self._factor * (over - self._arrived[place]), least_s))

    def _arrive(self, path: str) -> None:
        """A file is about to be loaded for the first time."""
        with Trouble():
            if path not in self._places_of and cannot_fork() is None:
                self._fork(path, is_late=self._host.note_arrival(path))

    def _fork(self, path: str, *, is_late: bool) -> None:
        now = CLOCK[0]()
        before = next(reversed(self._arrived), None)
        # What a test loads goes on from that test, and what was loaded before sees the tests in an order of its own.
        if before is not None and not is_late and now - self._arrived[before] < NEAR_S:
            self._places_of[path] = before
            return
        self._places_of[path] = path
        self._arrived[path] = now
        visit = self._places.fork(path, self._host.prepare, max(1, min(len(self._at_import), processors())))
        if visit is not None:
            self._enter(visit)

    def _enter(self, visit: Visit) -> None:
        """What this process was before is nothing to it any more, not even when it ends."""
        self._files.arriving = None
        self._files.alone = True
        if visit.order["canary"]:
            os.environ[CANARY] = "file"
        atexit.register(os._exit, 0)
        try:
            visit.begin(self._files.switches)
            self._host.enter(visit)
            visit.keep_apart(lambda: visit.end("shared", None))
        except BaseException:  # noqa: BLE001  # it must not go on as if it were the run itself
            os._exit(70)
