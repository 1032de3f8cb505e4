"""Private folders that last as long as one run, and the removal of what dead processes left behind.

A folder is removed by its owner, or by a later process once the owner's lock is free. Removal works below one
opened folder of ours, takes only names that we give, and never follows a link.
"""

import fcntl
import os
import re
import secrets
import shutil
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import anyio.to_thread

from verify_lsp.model.errors import EngineError
from verify_lsp.scope.copies.disk import real_path
from verify_lsp.system.dirs import cache_dir

_NAME = re.compile(r"[0-9a-f]{32}")
_LOCK = ".lock"


@asynccontextmanager
async def private_folder() -> AsyncIterator[Path]:
    """Make an empty folder that only this user can enter, and remove it with all that is in it on exit.

    Raises:
        EngineError: The cache folder cannot be written, or is not ours.
    """
    base = await anyio.to_thread.run_sync(_base)
    try:
        await anyio.to_thread.run_sync(_remove_left_over, base)
        name, lock = await anyio.to_thread.run_sync(_make, base)
        try:
            yield real_path(shadows_dir()) / name
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(partial(_remove, base, name, lock))
    finally:
        os.close(base)


def shadows_dir() -> Path:
    """Return the folder that all private folders stand in. Nothing is created."""
    return cache_dir() / "shadow"


def _base() -> int:
    """Open the folder of the private folders, made on first use; a link or a stranger's folder is refused."""
    path = shadows_dir()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with suppress(FileExistsError):
            path.mkdir(mode=0o700)
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise EngineError(f"the folder {path} cannot be used: {error.strerror}") from None
    about = os.fstat(handle)
    if about.st_uid != os.getuid():
        os.close(handle)
        raise EngineError(f"the folder {path} belongs to another user")
    if stat.S_IMODE(about.st_mode) != 0o700:
        os.fchmod(handle, 0o700)
    return handle


def _make(base: int) -> tuple[str, int]:
    """Make a folder whose lock we hold. The lock comes first, so that no other process takes the folder for left over."""
    while True:
        name = secrets.token_hex(16)
        try:
            lock = os.open(name + _LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=base)
            if _take(base, name, lock):
                os.mkdir(name, 0o700, dir_fd=base)
                return name, lock
        except OSError as error:
            raise EngineError(f"a private folder cannot be made in {shadows_dir()}: {error.strerror}") from None
        os.close(lock)


def _take(base: int, name: str, lock: int) -> bool:
    """Lock the file, unless a process that clears up was quicker: then it holds the lock, or has removed the file."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(lock), os.stat(name + _LOCK, dir_fd=base, follow_symlinks=False))
    except (BlockingIOError, FileNotFoundError):
        return False


def _remove(base: int, name: str, lock: int) -> None:
    """Remove the folder, then its lock: whoever finds a lock without an owner finishes the work."""
    try:
        _remove_tree(base, name)
        with suppress(FileNotFoundError):
            os.unlink(name + _LOCK, dir_fd=base)
    finally:
        os.close(lock)


def _remove_left_over(base: int) -> None:
    """Remove every folder whose owner is gone; the system frees a lock when its process ends, however it ends."""
    for entry in os.listdir(base):
        name = entry.removesuffix(_LOCK)
        if entry == name or not _NAME.fullmatch(name):
            continue
        with suppress(OSError):
            lock = os.open(entry, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=base)
            if _take(base, name, lock):
                _remove(base, name, lock)
            else:
                os.close(lock)


def _remove_tree(base: int, name: str) -> None:
    """Remove one folder of ours. Tools may have made folders in it read-only, so those are opened up first."""
    if not shutil.rmtree.avoids_symlink_attacks or not _NAME.fullmatch(name):
        raise EngineError("this system cannot remove folders safely")
    try:
        shutil.rmtree(name, dir_fd=base)
    except FileNotFoundError:
        return
    except OSError:
        for _, folders, _, handle in os.fwalk(name, dir_fd=base, follow_symlinks=False):
            for folder in folders:
                _open_up(folder, handle)
        shutil.rmtree(name, dir_fd=base, ignore_errors=True)


def _open_up(folder: str, parent: int) -> None:
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
        try:
            os.fchmod(handle, 0o700)
        finally:
            os.close(handle)
