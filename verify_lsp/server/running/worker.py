"""The worker: a process beside the server that makes runs and reads reports.

What computes for long, or holds the interpreter for long, does it here, so that the server answers
everything else at once. It ends when the server does, and takes its runs along.
"""

import asyncio
import importlib
import itertools
import logging
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

import attrs

from verify_lsp.model.event import Event, Observer, ReportFailed
from verify_lsp.model.finding import Problem
from verify_lsp.model.mutant import TriedMutant
from verify_lsp.model.report import Report
from verify_lsp.mutation.skeletons.base import Skeleton
from verify_lsp.mutation.skeletons.registry import skeleton_in
from verify_lsp.server.guarded import BugError, in_background, outcome
from verify_lsp.server.running import stored
from verify_lsp.server.running.messages import Call, Message, News, Question, Reply, packed, unpacked
from verify_lsp.server.running.news import news_of, report_json
from verify_lsp.server.running.tools import tools_of
from verify_lsp.server.wire.apart import keep_protocol_apart
from verify_lsp.server.wire.channel import PipeChannel
from verify_lsp.verify import RunRequest

T = TypeVar("T")
Do = Callable[..., Awaitable[Any]]
"""Does one call: takes the worker and the call's arguments."""


class Runs(Protocol):
    """The part of `runs.Runs` that the worker uses."""

    def start(self, request: RunRequest, observe: Observer) -> str:
        """Queue a run and return its report id."""

    def cancel(self, report_id: str) -> bool:
        """Cancel a run; return whether there was one."""

    def report_so_far(self, report_id: str) -> Report | None:
        """Return what is known of a run that has not ended."""

    async def wait(self, report_id: str) -> Report:
        """Return the report when the run has ended."""

    async def close(self) -> None:
        """Cancel all runs and wait until their children are gone."""


def main(runs_name: str) -> None:
    """Work for the process on the other end of stdin and stdout until it hangs up.

    Args:
        runs_name: Module and name of what makes the runs, as in `verify_lsp.runs:Runs`.
    """
    sys.setswitchinterval(0.001)  # Who reads a report while a run computes is served the sooner.
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The server decides what an interrupt means.
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    asyncio.run(_work(keep_protocol_apart(), runs_name))
    sys.stderr.flush()
    os._exit(0)  # Threads that read files for nobody any more are not waited for.


async def _work(pipes: tuple[int, int], runs_name: str) -> None:
    channel = PipeChannel(*pipes)
    module, _, name = runs_name.partition(":")
    worker = Worker(channel)
    await worker.on_runs_loop(worker.make_runs(getattr(importlib.import_module(module), name)))
    worker.warm_up()
    while (body := await channel.receive()) is not None:
        worker.take(unpacked(body))
    await worker.on_runs_loop(worker.runs.close())


class Worker:
    """Answers calls, and tells news of runs as they happen.

    Runs have a loop and a thread of their own, so that reports can be read while a run computes.
    """

    runs: Runs

    def __init__(self, channel: PipeChannel) -> None:
        self._channel = channel
        self._tasks: set[asyncio.Task[None]] = set()
        self._questions: dict[int, asyncio.Future[Any]] = {}
        self._numbers = itertools.count(1)
        self._runs_loop = asyncio.new_event_loop()
        threading.Thread(target=self._runs_loop.run_forever, name="runs", daemon=True).start()

    async def make_runs(self, make: Callable[[], Runs]) -> None:
        """Make the runs, on the loop they will live on."""
        self.runs = make()

    def warm_up(self) -> None:
        """Import what runs need before the first one is asked for, which is to be answered at once."""
        self._runs_loop.call_soon_threadsafe(_load_checks)
        self._runs_loop.call_soon_threadsafe(importlib.import_module, "verify_lsp.scope.resolve")
        self._runs_loop.call_soon_threadsafe(_load_tools)

    async def on_runs_loop(self, work: Coroutine[Any, Any, T]) -> T:
        """Await work on the loop of the runs."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._runs_loop))

    def take(self, message: Message) -> None:
        """Take what the server said."""
        match message:
            case Call(number, name, arguments):
                in_background(self._tasks, self._answer(number, name, arguments))
            case Reply():
                self._runs_loop.call_soon_threadsafe(self._answered, message)

    async def _answer(self, number: int, name: str, arguments: tuple[Any, ...]) -> None:
        result, error = await outcome(f"the call {name}", CALLS[name](self, *arguments))
        self._send(Reply(number, result, error))

    def _send(self, message: Message) -> None:
        self._channel.send(packed(message))

    def _observe(self, event: Event) -> None:
        self._send(news_of(event))

    async def start(self, request: RunRequest, *, collects: bool) -> str:
        """Start a run and return its report id. Call it on the loop of the runs."""
        if collects:
            folder = request.workspace
            request = attrs.evolve(request, collect_diagnostics=lambda paths: self._ask_editor(folder, paths))
        report_id = self.runs.start(request, self._observe)
        in_background(self._tasks, self._watch(report_id))
        return report_id

    async def _watch(self, report_id: str) -> None:
        """See to it that every run has an end that the client hears of, also one that met a bug of ours."""
        _, error = await outcome(f"the run {report_id}", self.runs.wait(report_id))
        if isinstance(error, BugError):
            self._observe(ReportFailed(report_id, str(error)))

    async def _ask_editor(self, folder: Path, paths: tuple[str, ...]) -> Mapping[str, tuple[Problem, ...]]:
        """Ask the editor's other language servers, by way of the server."""
        number = next(self._numbers)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._questions[number] = answer
        self._send(Question(number, str(folder), paths))
        collected: Mapping[str, tuple[Problem, ...]] = await answer
        return collected

    def _answered(self, reply: Reply) -> None:
        answer = self._questions.pop(reply.number, None)
        if answer is not None and not answer.done():
            answer.set_exception(reply.error) if reply.error is not None else answer.set_result(reply.result)


async def start(worker: Worker, request: RunRequest, collects: bool) -> str:  # noqa: FBT001  # as it was sent
    """Start a run and return its report id."""
    return await worker.on_runs_loop(worker.start(request, collects=collects))


async def cancel(worker: Worker, report_id: str) -> bool:
    """Cancel a run; return whether it was still going on."""

    async def cancelling() -> bool:
        return worker.runs.cancel(report_id)

    return await worker.on_runs_loop(cancelling())


async def close(worker: Worker) -> None:
    """Cancel all runs and wait until their children are gone."""
    await worker.on_runs_loop(worker.runs.close())


async def report(worker: Worker, folders: tuple[Path, ...], report_id: str) -> bytes:
    """Return a report as JSON: of a run that goes on what is known so far, else the stored one."""
    so_far = worker.runs.report_so_far(report_id)
    if so_far is not None:
        return await asyncio.to_thread(report_json, so_far)
    return await asyncio.to_thread(stored.report, folders, report_id)


async def latest(_: Worker, folders: tuple[Path, ...], session_id: str | None) -> bytes:
    """Return the newest stored report as JSON, or a JSON null."""
    return await asyncio.to_thread(stored.latest, folders, session_id)


async def is_there(_: Worker, folders: tuple[Path, ...], report_id: str) -> bool:
    """Return whether there is such a report."""
    return await asyncio.to_thread(stored.is_there, folders, report_id)


async def arrived(_: Worker, folder: Path, report_id: str) -> News | None:
    """Return the news of a report that another program stored; None when it is gone or cannot be read."""
    return await asyncio.to_thread(stored.arrived, folder, report_id)


async def tools(_: Worker, folder: Path, timeout_s: float) -> list[dict[str, Any]]:
    """Return what each language of the folder's root would be verified with."""
    return await asyncio.to_thread(tools_of, folder, timeout_s)


async def skeleton(_: Worker, folder: Path, mutant: TriedMutant, texts: Mapping[str, str]) -> Skeleton | None:
    """Return a test to be written for a mutant; `texts` are open documents, by path relative to the folder."""
    return await asyncio.to_thread(skeleton_in, folder, mutant, texts)


CALLS: dict[str, Do] = {
    "start": start,
    "cancel": cancel,
    "close": close,
    "report": report,
    "latest": latest,
    "is_there": is_there,
    "arrived": arrived,
    "tools": tools,
    "skeleton": skeleton,
}


def _load_checks() -> None:
    from verify_lsp.checks.registry import BUILT, check_modules

    check_modules(BUILT)


def _load_tools() -> None:
    from verify_lsp.toolchains.registry import TOOLCHAINS

    for toolchain in TOOLCHAINS:
        toolchain.load()
