"""Work that goes on in the background, and its orderly end.

A task is ended through a cancel scope, never by `Task.cancel`: asyncio, cancelled between starting a process and
connecting its pipes, waits for ever for the process to be lost, and only a scope's shield can keep that from happening.
"""

import asyncio
from collections.abc import Awaitable
from typing import Any

import anyio

from verify_lsp.server.guarded import guarded_task


class Tasks:
    """Tasks by name: a new one under the name of an older one takes its place."""

    def __init__(self) -> None:
        self._going: dict[asyncio.Task[None], anyio.CancelScope] = {}
        self._named: dict[str, asyncio.Task[None]] = {}
        self.closed = False

    def start(self, what: str, work: Awaitable[Any], name: str | None = None) -> None:
        """Begin work on the running loop.

        Args:
            what: For the log.
            work: What is awaited; its bugs are logged.
            name: Whose place it takes; None for nobody's.
        """
        if name is not None:
            self.cancel(name)
        scope = anyio.CancelScope()
        task = asyncio.ensure_future(_within(scope, guarded_task(what, work)))
        self._going[task] = scope
        if name is not None:
            self._named[name] = task
        task.add_done_callback(lambda done: self._done(done, name))
        if self.closed:
            scope.cancel()

    def named(self, name: str) -> "asyncio.Task[None] | None":
        """Return the task that goes on under a name."""
        return self._named.get(name)

    def cancel(self, name: str) -> None:
        """End the task that goes on under a name."""
        task = self._named.pop(name, None)
        if task is not None and task in self._going:
            self._going[task].cancel()

    async def close(self, limit_s: float) -> None:
        """End all tasks, and wait for them, at most `limit_s` seconds. What is started from now on ends at once."""
        self.closed = True
        for scope in self._going.values():
            scope.cancel()
        if self._going:
            await asyncio.wait(list(self._going), timeout=limit_s)

    def _done(self, task: "asyncio.Task[None]", name: str | None) -> None:
        self._going.pop(task, None)
        if name is not None and self._named.get(name) is task:
            del self._named[name]


async def _within(scope: anyio.CancelScope, work: Awaitable[None]) -> None:
    with scope:
        await work
