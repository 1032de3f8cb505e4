"""Several processes that try mutants at the same time, some of it while the tests themselves still run.

What is tried beside something else is given up before it does anything that the other could notice, and is
done again when nothing else runs. Everything here must work with Python 3.8.
"""

from __future__ import annotations

import os
import select
import time
from typing import TYPE_CHECKING, Any

from verify_lsp_forks import CLOCK, Runner  # type: ignore[import-not-found]  # it stands beside this file at run time
from verify_lsp_mutants import Switches  # type: ignore[import-not-found]  # likewise
from verify_lsp_template import Template, cannot_fork  # type: ignore[import-not-found]  # likewise

MOST = 4
GRACE_S = 2.0

if TYPE_CHECKING:
    from collections.abc import Generator

    Answer = dict[str, Any] | None
    Job = Generator[Any, Answer, None]
    """Yields orders (as `Template.send` takes them, without `since` and `spare`) and is given what `Template.received`
    returns for each, or None when there is no answer within the time limit."""


class Task:
    """An order of a job; by when it must have been answered, and whether that is sooner than it should be."""

    def __init__(self, job: Job, order: dict[str, Any]) -> None:
        self.job = job
        self.order = order
        self.ends = 0.0
        self.is_cut = False


class Crew:
    """The processes, and what is to be done.

    Args:
        limit: By when all must be done, on the monotonic clock.

    Attributes:
        size: How many processes there were at first.
        solitary: Tests that did, or were about to do, what others could notice; they run when nothing else does.
    """

    def __init__(self, templates: list[Template], limit: float) -> None:
        self._limit = limit
        self.solitary: set[int] = set()
        self._idle = list(templates)
        self._busy: dict[Template, Task] = {}
        self._waiting: list[Task] = []
        self._cpu_s: dict[Template, float] = {}
        self._since = time.time() - 0.05  # The clocks of file systems are coarser.
        self._tests_run = True
        self.size = len(templates)

    @classmethod
    def formed(cls, runner: Runner, switches: Switches, limit: float) -> Crew | None:
        """Fork the processes off, one a processor; None where that cannot be done."""
        if cannot_fork() is not None:
            return None
        templates: list[Template] = []
        for _ in range(min(_processors(), MOST)):
            templates.append(Template.started(runner, switches, templates))
        return cls(templates, limit)

    @property
    def has_room(self) -> bool:
        """Whether something can be tried now, while the tests run on one of the processors."""
        return self.size > 1 and (len(self._idle) > 1 or not self._busy)

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

    def look(self) -> None:
        """Take the answers that have come and hand out more, without waiting."""
        for template in list(self._busy):
            self._take(template)
        while self.has_room and self._hand_out():
            pass

    def finish(self) -> None:
        """Do all that is to be done. The tests themselves have ended."""
        self._tests_run = False
        while self._waiting or self._busy:
            while self._hand_out():
                pass
            if not self._busy and not self._hand_out_alone():
                self._disappoint()
                continue
            ends = min(task.ends for task in self._busy.values())
            ready = select.select(list(self._busy), [], [], max(0.0, ends - CLOCK[0]()))[0]
            for template in ready or list(self._busy):
                self._take(template)

    def close(self) -> None:
        """Let the processes go."""
        for template in (*self._idle, *self._busy):
            template.close()

    def _hand_out(self) -> bool:
        beside = self.size > 1
        for task in self._waiting if self._idle else ():
            if not beside or self.solitary.isdisjoint(task.order["tests"]):
                return self._send(task, since=self._since if beside else None)
        return False

    def _hand_out_alone(self) -> bool:
        return bool(self._waiting and self._idle) and self._send(self._waiting[0], since=None)

    def _send(self, task: Task, since: float | None) -> bool:
        self._waiting.remove(task)
        left = self._limit - CLOCK[0]()
        limit_s = task.order["limit_s"]
        if left <= 0:
            self._proceed(task.job)
            return True
        task.is_cut = left < limit_s
        task.ends = CLOCK[0]() + min(limit_s, left) + GRACE_S
        order = {**task.order, "limit_s": min(limit_s, left), "since": since, "spare": self._tests_run}
        template = self._idle.pop()
        if template.send(order):
            self._busy[template] = task
        else:
            self._waiting.insert(0, task)  # There is one process less.
        return True

    def _take(self, template: Template) -> None:
        task = self._busy[template]
        answer = template.received()
        if answer is None and CLOCK[0]() < task.ends:
            return
        del self._busy[template]
        if not answer:
            template.close()
            self._proceed(task.job)
            return
        self._idle.append(template)
        self._cpu_s[template] = answer["cpu_s"]
        if answer["ended"] == "shared":
            self.solitary.add(answer["at"])
        is_cut_short = answer["ended"] == "timeout" and task.is_cut
        self._proceed(task.job, None if is_cut_short else answer)

    def _disappoint(self) -> None:
        """No process is left."""
        waiting, self._waiting = self._waiting, []
        for task in waiting:
            self._proceed(task.job)

    def _proceed(self, job: Job, answer: Answer = None, *, first: bool = False) -> None:
        try:
            order = next(job) if first else job.send(answer)
        except StopIteration:
            return
        # What was begun is brought to its end first.
        self._waiting.insert(len(self._waiting) if first else 0, Task(job, order))


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
