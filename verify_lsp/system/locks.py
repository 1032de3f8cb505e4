"""Locks between processes. The system frees a lock when its owner ends, however it ends."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from verify_lsp.model.errors import EngineError
from verify_lsp.system.dirs import state_dir, workspace_hash
from verify_lsp.system.files import because, make_private_folder

if TYPE_CHECKING:
    from filelock import BaseFileLock

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 0.25


@asynccontextmanager
async def workspace_lock(workspace: Path, on_wait: Callable[[], None]) -> AsyncIterator[None]:
    """Hold the right to make a run in `workspace`, over all processes and tasks of this user.

    Args:
        workspace: Any spelling of the folder; links lead to the same lock.
        on_wait: Called once when another run has to be waited for.

    Raises:
        EngineError: The lock's file cannot be made.
    """
    lock = _lock(state_dir() / "locks" / f"{workspace_hash(workspace)}.lock")
    if not _taken(lock):
        on_wait()
        pause = FIRST_PAUSE_S
        while not _taken(lock):
            await anyio.sleep(pause)
            pause = min(pause * 1.3, LONGEST_PAUSE_S)
    try:
        yield
    finally:
        lock.release()


@contextmanager
def short_lock(path: Path, patience_s: float = 10.0) -> Iterator[None]:
    """Hold the lock at `path` for a moment's work, such as reading, changing and writing a small file.

    Raises:
        EngineError: The lock's file cannot be made, or another process does not let go of it.
    """
    from filelock import Timeout

    lock = _lock(path)
    try:
        lock.acquire(timeout=patience_s, poll_interval=FIRST_PAUSE_S)
    except Timeout:
        raise EngineError(f"another process has held {path} for more than {patience_s:g} seconds") from None
    except (OSError, NotImplementedError) as error:
        raise _no_lock(path, error) from error
    try:
        yield
    finally:
        lock.release()


def _lock(path: Path) -> "BaseFileLock":
    from filelock import FileLock

    make_private_folder(path.parent)
    # Not bound to a thread: a task may be continued, and its lock released, elsewhere.
    return FileLock(path, mode=0o600, thread_local=False)


def _taken(lock: "BaseFileLock") -> bool:
    from filelock import Timeout

    try:
        lock.acquire(blocking=False)
    except Timeout:
        return False
    except (OSError, NotImplementedError) as error:
        raise _no_lock(Path(lock.lock_file), error) from error
    return True


def _no_lock(path: Path, error: OSError | NotImplementedError) -> EngineError:
    if isinstance(error, OSError):
        return EngineError(because(f"cannot lock {path}", error))
    return EngineError(f"cannot lock {path}: the file system has no locks")
