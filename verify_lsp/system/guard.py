"""The guard: a small process that ends our commands and removes our private folders when we are gone, however we went.

It reads a pipe whose other end only we hold. The kernel closes that end when we end, even by `kill -9`.
The guard starts with the first command of a verify-lsp process, and goes when that process goes.
"""

import contextlib
import functools
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import attrs

from verify_lsp.system.dirs import cache_dir
from verify_lsp.system.environment import process_mark
from verify_lsp.system.process_table import MARK_VARIABLE, read_process

FOLDER_PREFIX = "verify-lsp-"
"""Begins the names of our private folders in the system's temporary folder."""

_log = logging.getLogger(__name__)


class Guard:
    """Our end of the pipe. Process groups and folders are held from here until they are released.

    Telling never fails the command: should the guard have died, another is started and told everything.
    """

    def __init__(self) -> None:
        self._held: dict[str, str] = {}
        self._lock = threading.Lock()
        self._link: _Link | None = None

    def hold_group(self, group: int) -> None:
        """End the process group `group`, led by the process of that id, when we are gone."""
        row = read_process(group)
        self._hold(f"group {group}", str(row.started if row else 0))

    def release_group(self, group: int) -> None:
        """Forget the process group `group`: it has ended."""
        self._release(f"group {group}")

    def hold_folder(self, folder: Path) -> None:
        """Remove `folder` when we are gone. It must be in our cache, or be a temporary folder of our prefix."""
        import tempfile

        temporary = Path(tempfile.gettempdir())
        mine = folder.parent == temporary and folder.name.startswith(FOLDER_PREFIX)
        self._hold(f"folder {_hex(folder)}", _hex(temporary if mine else cache_dir()))

    def release_folder(self, folder: Path) -> None:
        """Forget `folder`: it has been removed, or is to stay."""
        self._release(f"folder {_hex(folder)}")

    def process_id(self) -> int | None:
        """Return the id of the guard's process, or None before it was needed."""
        return None if self._link is None else self._link.process

    def _hold(self, key: str, value: str) -> None:
        with self._lock:
            self._held[key] = value
            self._tell(f"hold {key} {value}")

    def _release(self, key: str) -> None:
        with self._lock:
            if self._held.pop(key, None) is not None:
                self._tell(f"release {key}")

    def _tell(self, line: str) -> None:
        try:
            _write(self._link, line)
        except OSError:
            self._start_anew()

    def _start_anew(self) -> None:
        try:
            _abandon(self._link)
            self._link = None
            self._link = _start([f"hold {key} {value}" for key, value in self._held.items()])
        except OSError as error:
            _log.warning("no guard process: %s; commands would outlive a kill of verify-lsp", error)


@functools.cache
def guard() -> Guard:
    """Return this process's guard."""
    return Guard()


@attrs.frozen
class _Link:
    """The guard's process, and our end of its pipe."""

    process: int
    descriptor: int


def _start(lines: list[str]) -> _Link:
    # Without the mark, because a verify-lsp around this one should let the guard finish its work.
    environment = {name: value for name, value in os.environ.items() if name != MARK_VARIABLE}
    theirs, ours = os.pipe()
    try:
        with _ending_signals_blocked():
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(Path(__file__).with_name("guard_process.py")), process_mark()],
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env=environment,
                start_new_session=True,
            )
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    # It is meant to outlive us by a moment, and nobody waits for it; Popen would complain about that.
    process.returncode = 0
    link = _Link(process.pid, ours)
    for line in lines:
        _write(link, line)
    # A guard that was stopped must not stop us: a full pipe is an error like a closed one.
    os.set_blocking(ours, False)
    return link


@contextlib.contextmanager
def _ending_signals_blocked() -> Iterator[None]:
    """A process is born with what is blocked here, and so is not ended before it can say that it ignores this."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _abandon(link: _Link | None) -> None:
    if link is not None:
        os.close(link.descriptor)
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(link.process, signal.SIGKILL)
            os.waitpid(link.process, 0)


def _write(link: _Link | None, line: str) -> None:
    if link is None:
        raise BrokenPipeError
    # The pipe takes lines of this length whole or not at all.
    os.write(link.descriptor, line.encode() + b"\n")


def _hex(path: Path) -> str:
    return os.fsencode(path).hex()
