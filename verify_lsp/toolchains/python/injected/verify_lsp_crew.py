"""Several processes that try mutants at the same time, some of it while the tests themselves still run.

What is tried beside something else is given up before it does anything that the other could notice, and is
done again when nothing else runs. Everything here must work with Python 3.8.
"""

from __future__ import annotations

import math
import os
import select
import time
from itertools import chain
from typing import TYPE_CHECKING, Any

from verify_lsp_forks import CLOCK, Runner, be_tried  # type: ignore[import-not-found]  # it stands beside this file at run time
from verify_lsp_mutants import Switches  # type: ignore[import-not-found]  # likewise
from verify_lsp_places import Places  # type: ignore[import-not-found]  # likewise
from verify_lsp_template import Template, cannot_fork  # type: ignore[import-not-found]  # likewise

MOST = 4
TESTS = ""
"""The place at which all tests are there and none has run."""
GRACE_S = 2.0
FORK_S = 0.01
"""What it takes to fork a process and to run the first test in it, about."""
AHEAD_S = 0.15
"""While the tests run, nobody looks after the processes before the test at hand has ended: so much is given to each ahead."""
FADING = 0.8
"""How much of that is left with each test that takes next to nothing: what is given later is chosen with more knowledge."""

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    Answer = dict[str, Any] | None
    Job = Generator[Any, Answer, None]
    """Yields orders and is given what `Template.received` returns for each, or None when there is no answer within the
    time limit. An order is as `Template.send` takes it, without `since` and `spare`; and says from which `place` (a key of
    `idle`), whether it may go on `beside` others, and how long it takes (`usual_s`; infinite where that is not known). A
    `limit_s` that is infinite ends when the tests have ended."""


class Task:
    """An order of a job.

    Attributes:
        jobs: Who is to be told: the job, and others that have asked for the same since.
        ends: By when it must have been answered, while nothing is before it.
        limit_s: How long it may take from when nothing is before it.
        seconds: About how long it takes, if nothing is noticed.
        is_cut: Whether that is sooner than it should be, because all must be done by then.
        is_open: Whether its limit is not known before the tests have ended.
    """

    def __init__(self, job: Job, order: dict[str, Any]) -> None:
        self.jobs = [job]
        self.order = order
        self.ends = 0.0
        self.limit_s = 0.0
        self.seconds: float = order["usual_s"] + FORK_S
        self.is_cut = False
        self.is_open = math.isinf(order["limit_s"])

    def is_next(self) -> None:
        """From now on nothing is before it."""
        self.ends = CLOCK[0]() + self.limit_s + GRACE_S


class Crew:
    """The processes, and what is to be done.

    Args:
        size: How many may run at the same time, this process included while it runs the tests.
        idle: As in `Places`. Others may be added to it at any time.
        limit: By when all must be done, on the monotonic clock.

    Attributes:
        solitary: Tests that did, or were about to do, what others could notice; they run when nothing else does.
    """

    def __init__(self, size: int, idle: dict[str, list[Template]], limit: float) -> None:
        self._limit = limit
        self.size = size
        self.solitary: set[int] = set()
        self._idle = idle
        self._busy: dict[Template, list[Task]] = {}
        self._waiting: list[Task] = []
        self._cpu_s: dict[Template, float] = {}
        self._since = time.time() - 0.05  # The clocks of file systems are coarser.
        self._tests_run = True
        self._all_known = False
        self._patience_s = math.inf
        self._ahead_s = FORK_S

    @classmethod
    def formed(cls, places: Places, runner: Runner | None, switches: Switches, limit: float) -> Crew | None:
        """Fork processes off for tests, where there is a runner and that can be done; None where no process is there.

        In each process that is forked for an order this does not return.
        """
        if runner is not None and cannot_fork() is None:
            visit = places.fork(TESTS, runner.prepare, processors())
            if visit is not None:
                be_tried(runner, switches, visit)
        return cls(processors(), places.idle, limit) if places.idle else None

    @property
    def takes_tests(self) -> bool:
        """Whether there were processes that tests can be run in one by one."""
        return TESTS in self._idle

    @property
    def has_room(self) -> bool:
        """Whether something can be taken on now, while the tests run on one of the processors."""
        if any(task.order["place"] == TESTS and self._may_stand_beside(task.order) for task in self._waiting):
            return False  # More tests may be known of what is taken on later.
        return len(self._busy) < self.size - 1 or any(self._has_room(tasks) for tasks in self._busy.values())

    @property
    def is_late(self) -> bool:
        """Whether the time limit is over."""
        return bool(CLOCK[0]() > self._limit)

    @property
    def cpu_s(self) -> float:
        """Seconds of processor time that all this took so far."""
        return sum(self._cpu_s.values())

    def add(self, job: Job) -> None:
        """Take on a job."""
        self._proceed(job, first=True)

    def note(self, seconds: float) -> None:
        """A test of the run took so long: its neighbours do, and so far away may the next look be."""
        self._ahead_s = min(AHEAD_S, max(FADING * self._ahead_s, FORK_S + 2 * seconds))

    def look(self) -> None:
        """Take the answers that have come and hand out more, without waiting."""
        for template in list(self._busy):
            self._take(template)
        while self._hand_out():
            pass

    def go_on(self) -> None:
        """Hand out more, as the tests have ended, but not yet what else is to be done where they ran.

        Nobody knows how long that is: at most a fair share waits behind what is done, so that all end at the same time.
        """
        self._all_known = True
        self._ahead_s = sum(task.seconds for task in self._unanswered() if not math.isinf(task.seconds)) / self.size
        self.look()

    def finish(self, patience_s: float) -> None:
        """Do all that is to be done. The tests themselves have ended.

        Args:
            patience_s: How much longer that may take for which no limit was known when it was ordered.
        """
        self._tests_run, self._all_known = False, True
        self._patience_s = patience_s
        for task, *_ in self._busy.values():
            if task.is_open and CLOCK[0]() + patience_s < task.ends:
                task.ends = CLOCK[0]() + patience_s
                task.is_cut = False
        while self._waiting or self._busy:
            while self._hand_out():
                pass
            if not self._busy and not self._hand_out_alone():
                self._disappoint()
            if not self._busy:
                continue
            ends = min(tasks[0].ends for tasks in self._busy.values())
            ready = select.select(list(self._busy), [], [], max(0.0, ends - CLOCK[0]()))[0]
            for template in ready or list(self._busy):
                self._take(template)

    def _hand_out(self) -> bool:
        beside = self.size > 1
        # When nothing more comes, all end soonest if the longest begin first.
        tasks = sorted(self._waiting, key=lambda task: -task.seconds) if self._all_known else self._waiting
        for task in tasks:
            if not beside or self._may_stand_beside(task.order):
                template = self._free(task)
                if template is not None:
                    self._send(template, task, since=self._since if beside else None)
                    return True
        return False

    def _free(self, task: Task) -> Template | None:
        """Return a process for it: one that does nothing, or while the tests run one that will soon have done all it has."""
        idle = self._idle.get(task.order["place"])
        if idle and len(self._busy) < (self.size - 1 if self._tests_run else self.size):
            return idle[-1]
        if not self._tests_run:
            return None
        ready = (
            template
            for template, tasks in self._busy.items()
            if tasks[0].order["place"] == task.order["place"] and self._has_room(tasks, task.seconds)
        )
        return next(ready, None)

    def _has_room(self, tasks: list[Task], seconds: float = 0.0) -> bool:
        """Whether one more that takes so long may wait behind these."""
        ahead = sum(task.seconds for task in tasks)
        if self._all_known:
            return ahead + seconds / 2 < self._ahead_s
        return ahead < self._ahead_s and seconds < AHEAD_S

    def _may_stand_beside(self, order: dict[str, Any]) -> bool:
        return order["beside"] and self.solitary.isdisjoint(order["tests"])

    def _hand_out_alone(self) -> bool:
        for task in self._waiting:
            idle = self._idle.get(task.order["place"])
            if idle:
                self._send(idle[-1], task, since=None)
                return True
        return False

    def _send(self, template: Template, task: Task, since: float | None) -> None:
        self._waiting.remove(task)
        left = self._limit - CLOCK[0]()
        limit_s = min(task.order["limit_s"], self._patience_s) if task.is_open else task.order["limit_s"]
        if left <= 0:
            self._tell(task)
            return
        task.is_cut = left < limit_s
        task.limit_s = min(limit_s, left)
        task.is_next()
        is_there = template.send({**task.order, "limit_s": task.limit_s, "since": since, "spare": self._tests_run})
        if is_there and template in self._busy:
            self._busy[template].append(task)
        elif is_there:
            self._idle[task.order["place"]].remove(template)
            self._busy[template] = [task]
        else:
            self._waiting.insert(0, task)
            self._lose(template, task.order["place"])

    def _take(self, template: Template) -> None:
        """Take all answers that have come from a process."""
        while template in self._busy:
            task = self._busy[template][0]
            answer = template.received()
            if answer is None and (CLOCK[0]() < task.ends or self._gives_up(template, task)):
                return
            if not answer:
                self._lose(template, task.order["place"])
                return
            self._answered(template, answer)

    def _lose(self, template: Template, place: str) -> None:
        """A process is gone, or does not answer."""
        template.close()
        tasks = self._busy.pop(template, None)
        if tasks is None:
            self._idle[place].remove(template)
        else:
            self._waiting[:0] = tasks[1:]
            self._tell(tasks[0])

    def _answered(self, template: Template, answer: dict[str, Any]) -> None:
        task = self._busy[template].pop(0)
        place = task.order["place"]
        if self._busy[template]:
            self._busy[template][0].is_next()
        else:
            del self._busy[template]
            self._idle[place].append(template)
        self._cpu_s[template] = answer["cpu_s"]
        if answer["ended"] == "shared" and task.order["tests"]:
            self.solitary.add(answer["at"])
        is_cut_short = answer["ended"] == "timeout" and task.is_cut
        self._tell(task, None if is_cut_short else answer)

    @staticmethod
    def _gives_up(template: Template, task: Task) -> bool:
        """Have the process end what it is at, where it does not know when that should be."""
        if task.is_open and template.give_up():
            task.is_open = False
            task.ends = CLOCK[0]() + GRACE_S
            return True
        return False

    def _disappoint(self) -> None:
        """No process is left for them."""
        waiting, self._waiting = self._waiting, []
        for task in waiting:
            self._tell(task)

    def _tell(self, task: Task, answer: Answer = None) -> None:
        for job in task.jobs:
            self._proceed(job, answer)

    def _proceed(self, job: Job, answer: Answer = None, *, first: bool = False) -> None:
        try:
            order = next(job) if first else job.send(answer)
        except StopIteration:
            return
        same = self._same(order)
        if same is not None:
            same.jobs.append(job)
            return
        # What was begun is brought to its end first.
        self._waiting.insert(len(self._waiting) if first else 0, Task(job, order))

    def _same(self, order: dict[str, Any]) -> Task | None:
        """Return what was asked for already and not answered yet, where no mutant is on and all would see the same."""
        if order["mutant"] is not None:
            return None
        return next((task for task in self._unanswered() if task.order == order), None)

    def _unanswered(self) -> Iterator[Task]:
        return chain(self._waiting, *self._busy.values())


def processors() -> int:
    """Return how many processes are worth it."""
    return min(_available(), MOST)


def _available() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
