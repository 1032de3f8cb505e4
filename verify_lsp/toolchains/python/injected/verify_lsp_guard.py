# ruff: noqa: PTH118
# The functions of os.path are the least that a test can have replaced under our feet.
"""Ends a process before it does what another one could notice, so that tests can run side by side.

Python says what it is about to do (PEP 578), and whoever listens cannot be removed by a test. Everything here must work
with Python 3.8.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from typing import Any

SHARED = frozenset(
    {
        "os.exec",
        "os.fork",
        "os.forkpty",
        "os.kill",
        "os.killpg",
        "os.posix_spawn",
        "os.spawn",
        "os.system",
        "pty.spawn",
        "socket.bind",
        "socket.connect",
        "socket.getaddrinfo",
        "socket.gethostbyaddr",
        "socket.gethostbyname",
        "socket.sendmsg",
        "socket.sendto",
        "subprocess.Popen",
        "syslog.openlog",
        "syslog.syslog",
    }
)
"""What reaches beyond the process, whatever its arguments are."""

WRITING = {
    "os.chmod": ((0, 2),),
    "os.chown": ((0, 3),),
    "os.link": ((0, 2), (1, 3)),
    "os.mkdir": ((0, 2),),
    "os.remove": ((0, 1),),
    "os.removexattr": ((0, None),),
    "os.rename": ((0, 2), (1, 3)),
    "os.rmdir": ((0, 1),),
    "os.setxattr": ((0, None),),
    "os.symlink": ((1, 2),),
    "os.truncate": ((0, None),),
    "os.utime": ((0, 3),),
    "sqlite3.connect": ((0, None),),
}
"""What changes files: which arguments are their paths, and which the open folders that these are relative to."""

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_SYSTEM = ("/dev/", "/proc/", "/sys/")


def keep_apart(own: str, since: float, end: Callable[[], None]) -> None:
    """Have `end` called before this process does anything outside of itself and of one folder.

    To read a file that was written since the tests began is such a thing too: somebody may be writing it now.

    Args:
        own: The real path of the folder.
        since: When the tests began, in seconds since the epoch.
        end: Must not return.
    """
    inside = os.path.join(own, "")
    real, join, status, fsdecode, regular = os.path.realpath, os.path.join, os.stat, os.fsdecode, stat.S_ISREG

    def is_own(path: Any, folder: int = -1) -> bool:
        if isinstance(path, int):
            return True  # It was opened before.
        name = fsdecode(path)
        if name == ":memory:":
            return True
        at = real(name if folder < 0 else join(f"/dev/fd/{folder}", name))
        # What is compiled on the way is written aside and moved into place, as it is for any two processes.
        return at == own or at.startswith((inside, *_SYSTEM)) or f"{os.sep}__pycache__{os.sep}" in at

    def is_new(path: Any) -> bool:
        try:
            found = status(path)
        except (OSError, ValueError):
            return False
        return regular(found.st_mode) and found.st_mtime >= since

    def listen(event: str, args: Any) -> None:
        if event == "open":
            path, _, flags = args
            # Most are files that are only read, and were there before: to see that takes the fewest steps.
            if (flags & _WRITES or is_new(path)) and not is_own(path):
                end()
        elif event in SHARED or not all(
            is_own(args[path], -1 if folder is None else args[folder]) for path, folder in WRITING.get(event, ())
        ):
            end()

    sys.addaudithook(listen)
    _watch_quiet_starts(end)


def _watch_quiet_starts(end: Callable[[], None]) -> None:
    """Older Pythons do not tell of the processes that `multiprocessing` starts."""
    try:
        import _posixsubprocess as starts
    except ImportError:
        return
    starts.fork_exec = lambda *_given: end()  # type: ignore[assignment]  # nothing is started here
