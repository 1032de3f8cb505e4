"""Runs live on an event loop and a thread of their own, so that no request waits for one that computes."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Protocol

from verify_lsp.model.event import Event, Observer, ReportFailed
from verify_lsp.model.report import Report
from verify_lsp.server.guarded import bug_in
from verify_lsp.server.running.news import News, news_of
from verify_lsp.verify import RunRequest


class Runs(Protocol):
    """The part of `runs.Runs` that the server uses."""

    def start(self, request: RunRequest, observe: Observer) -> str:
        """Queue a run and return its report id."""

    def cancel(self, report_id: str) -> bool:
        """Cancel a run; return whether there was one."""

    async def wait(self, report_id: str) -> Report:
        """Return the report when the run has ended."""

    async def close(self) -> None:
        """Cancel all runs and wait until their children are gone."""


class RunHost:
    """Hands requests to the runs' loop and brings their events back.

    Args:
        make: Makes the runs, on their own loop; called when the first run is asked for.
        deliver: Takes each event on the loop that made the host, in the order they happened.
    """

    def __init__(self, make: Callable[[], Runs], deliver: Callable[[News], None]) -> None:
        self._make, self._deliver = make, deliver
        self._home = asyncio.get_running_loop()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._runs: Runs | None = None
        self._watching: set[asyncio.Task[None]] = set()

    async def start(self, request: RunRequest) -> str:
        """Start a run and return its report id. Cancelling this call cancels the run."""
        starting = asyncio.run_coroutine_threadsafe(self._start(request), self._running_loop())
        try:
            return await asyncio.shield(asyncio.wrap_future(starting))
        except asyncio.CancelledError:
            starting.add_done_callback(lambda started: self._cancel_soon(started.result()))
            raise

    async def cancel(self, report_id: str) -> bool:
        """Cancel a run; return whether it was still going on."""
        if self._loop is None:
            return False
        cancelling = asyncio.run_coroutine_threadsafe(self._cancel(report_id), self._loop)
        return await asyncio.wrap_future(cancelling)

    async def close(self, limit_s: float) -> None:
        """Cancel all runs, and wait at most `limit_s` seconds until their children are gone."""
        if self._loop is None:
            return
        closing = asyncio.run_coroutine_threadsafe(self._close(), self._loop)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                await asyncio.wrap_future(closing)

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            threading.Thread(target=self._live, args=(self._loop,), name="runs", daemon=True).start()
        return self._loop

    def _live(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        loop.run_forever()

    def _made(self) -> Runs:
        if self._runs is None:
            self._runs = self._make()
        return self._runs

    async def _start(self, request: RunRequest) -> str:
        report_id = self._made().start(request, self._observe)
        watching = asyncio.ensure_future(self._watch(report_id))
        self._watching.add(watching)
        watching.add_done_callback(self._watching.discard)
        return report_id

    async def _watch(self, report_id: str) -> None:
        """See to it that every run has an end that the client hears of, also one that met a bug of ours."""
        bug = await bug_in(f"run {report_id}", self._made().wait(report_id))
        if bug is not None:
            self._observe(ReportFailed(report_id, bug))

    async def _cancel(self, report_id: str) -> bool:
        return self._made().cancel(report_id)

    def _cancel_soon(self, report_id: str) -> None:
        if self._loop is not None:
            asyncio.run_coroutine_threadsafe(self._cancel(report_id), self._loop)

    async def _close(self) -> None:
        await self._made().close()

    def _observe(self, event: Event) -> None:
        news = news_of(event)
        with contextlib.suppress(RuntimeError):  # The server's loop is closed: nobody listens any more.
            self._home.call_soon_threadsafe(self._deliver, news)
