"""Whether the program that started the conversation still lives: some die without closing our input."""

import asyncio
import contextlib
import os
from collections.abc import Callable

_POLL_S = 1.0


async def watch_parent(pid: int, gone: Callable[[], None]) -> None:
    """Call `gone` when the process `pid` ends; return at once when it cannot be watched.

    A client in another container names a process that we do not see: that says nothing of its end.
    """
    if os.name == "nt":
        return  # There, asking whether a process lives may end it; its pipes close when it dies.
    if hasattr(os, "pidfd_open"):
        try:
            await _readable(os.pidfd_open(pid))
        except OSError:
            return
    else:
        if not _lives(pid):
            return
        while _lives(pid):  # noqa: ASYNC110  # Nothing else tells.
            await asyncio.sleep(_POLL_S)
    gone()


async def _readable(fd: int) -> None:
    """A process's descriptor becomes readable when the process ends, also while nobody has reaped it."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    loop.add_reader(fd, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(fd)
        with contextlib.suppress(OSError):
            os.close(fd)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
