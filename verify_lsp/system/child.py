"""One running command: a session of its own, known to the guard, and ended with all that came from it."""

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import anyio
import attrs

from verify_lsp.system.environment import marked
from verify_lsp.system.guard import guard
from verify_lsp.system.process_table import ending, has_table, living, process_ids

_LOST = 1 << 16
"""Stands for an exit code that nobody can tell any more; no process ends with it."""


@attrs.frozen
class Child:
    """A command that was started. Call `end` and then `reap`, whatever happens.

    Attributes:
        process: Never poll it: while nobody has waited for it, its id names no other process.
        mark: What its processes carry in their environment.
        before: The processes that were there before it.
    """

    process: "subprocess.Popen[bytes]"
    mark: str
    before: frozenset[int]

    async def exited(self) -> None:
        """Wait until the command's first process has ended."""
        try:
            descriptor = os.pidfd_open(self.process.pid)
        except (AttributeError, OSError):
            await self._exited_by_asking()
            return
        try:
            await anyio.wait_readable(descriptor)
        finally:
            os.close(descriptor)

    async def end(self, grace_s: float, *, thorough: bool) -> None:
        """End every process that came from the command; return at once when there is none.

        Args:
            grace_s: Seconds between asking (SIGTERM) and killing.
            thorough: Look at processes that were there before as well: their ids may have been given anew.
        """
        if not has_table():
            self._collected()
        known = frozenset() if thorough else self.before
        leader = self.process.pid
        for pause in ending(lambda: living(leader, self.mark, known=known), leader, grace_s):
            await anyio.sleep(pause)

    def reap(self) -> int | None:
        """Close the pipes, and return the exit code, or minus the number of the signal; None when nobody knows."""
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
        if not self._collected():
            self.process.returncode = _LOST
        guard().release_group(self.process.pid)
        return None if self.process.returncode == _LOST else self.process.returncode

    def _collected(self) -> bool:
        """Say whether the first process has ended, and take its exit code if so.

        `Popen.wait` would answer 0 for a lost exit code, which would pass for success.
        """
        if self.process.returncode is not None:
            return True
        try:
            pid, status = os.waitpid(self.process.pid, os.WNOHANG)
        except ChildProcessError:
            self.process.returncode = _LOST
            return True
        if pid != 0:
            self.process.returncode = os.waitstatus_to_exitcode(status)
        return pid != 0

    async def _exited_by_asking(self) -> None:
        pause = 0.002
        while not self._collected():
            await anyio.sleep(pause)
            pause = min(pause * 1.5, 0.05)


def start_child(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], *, stdin: int = subprocess.DEVNULL
) -> Child:
    """Start a program in a session of its own, with its output in pipes.

    Args:
        arguments: The program's absolute path, and what it is given.
        folder: Absolute working folder.
        environment: All its variables; a mark is added.
        stdin: Its input, as `subprocess` understands it: empty, or `subprocess.PIPE` for a conversation.

    Raises:
        OSError: It cannot be started.
        ValueError: An argument or variable holds a NUL.
    """
    _see_exit_codes()
    environment, mark = marked(environment, os.urandom(4).hex())
    before = frozenset(process_ids())
    process = subprocess.Popen(
        arguments,
        cwd=folder,
        env=environment,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
    )
    guard().hold_group(process.pid)
    return Child(process, mark, before)


def _see_exit_codes() -> None:
    """Some parents start us with SIGCHLD ignored. Exit codes are lost then, ours and those of our children's children."""
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
