"""Reading and writing below one folder, never through a symbolic link that lies on the way."""

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

from verify_lsp.model.errors import EngineError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Without blocking, for a pipe of that name would wait for a writer.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_ABSENT = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


def read_below(root: Path, name: bytes, limit: int) -> bytes | None:
    """Return the content of the regular file `name` (relative, POSIX style) below `root`.

    None when there is no such file, when a link stands there or on the way, or when it holds more than `limit` bytes.

    Raises:
        EngineError: The file is there but cannot be read.
    """
    with open_below(root, name) as file:
        content = None if file is None else file.read(limit + 1)
    return content if content is not None and len(content) <= limit else None


@contextmanager
def open_below(root: Path, name: bytes) -> Iterator[BufferedReader | None]:
    """Open the regular file `name` below `root` for reading; None as for `read_below`.

    Raises:
        EngineError: The file is there but cannot be read.
    """
    try:
        with _folder_of(root, name) as (folder, last):
            handle = os.open(last, _FILE, dir_fd=folder)
    except OSError as error:
        if error.errno not in _ABSENT:
            raise _cannot("read", name, error) from None
        yield None
        return
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        yield None
        return
    with os.fdopen(handle, "rb") as file:
        yield file


def stat_below(root: Path, name: bytes) -> os.stat_result | None:
    """Return what is known of `name` itself below `root`, or None when nothing is there without following links."""
    try:
        with _folder_of(root, name) as (folder, last):
            return os.stat(last, dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno in (*_ABSENT, errno.EACCES):
            return None
        raise _cannot("read", name, error) from None


def is_readable(root: Path, name: bytes) -> bool:
    """Tell whether git could read `name` below `root`; a link counts, for git reads the link alone."""
    try:
        with _folder_of(root, name) as (folder, last):
            about = os.stat(last, dir_fd=folder, follow_symlinks=False)
            return stat.S_ISLNK(about.st_mode) or os.access(last, os.R_OK, dir_fd=folder)
    except OSError:
        return False


def write_below(root: Path, name: bytes, content: bytes, *, executable: bool = False) -> None:
    """Put `content` at `name` below `root`, in place of whatever file or link is there.

    Raises:
        EngineError: It cannot be written, or a link stands on the way.
    """
    try:
        with _new_file(root, name, executable=executable) as file:
            file.write(content)
    except OSError as error:
        raise _cannot("write", name, error) from None


def copy_below(source: Path, target: Path, name: bytes) -> None:
    """Copy the file or link `name` below `source` to the same name below `target`; nothing when it is not there."""
    try:
        with _folder_of(source, name) as (folder, last):
            about = os.stat(last, dir_fd=folder, follow_symlinks=False)
            if stat.S_ISLNK(about.st_mode):
                link_below(target, name, os.readlink(last, dir_fd=folder))
            elif stat.S_ISREG(about.st_mode):
                with (
                    os.fdopen(os.open(last, _FILE, dir_fd=folder), "rb") as file,
                    _new_file(target, name, executable=bool(about.st_mode & stat.S_IXUSR)) as copy,
                ):
                    shutil.copyfileobj(file, copy, 1024 * 1024)
    except OSError as error:
        if error.errno not in _ABSENT:
            raise _cannot("copy", name, error) from None


def link_below(root: Path, name: bytes, target: str | bytes) -> None:
    """Make the symbolic link `name` below `root`, in place of whatever file or link is there."""
    try:
        with _folder_of(root, name, make=True) as (folder, last):
            _remove(folder, last)
            os.symlink(target, last, dir_fd=folder)
    except OSError as error:
        raise _cannot("link", name, error) from None


def remove_below(root: Path, name: bytes) -> None:
    """Remove the file, link or empty folder `name` below `root`, if it is there."""
    try:
        with _folder_of(root, name) as (folder, last):
            _remove(folder, last)
    except OSError as error:
        if error.errno not in _ABSENT:
            raise _cannot("remove", name, error) from None


def real_path(path: Path) -> Path:
    """Return `path` with every symbolic link resolved."""
    return Path(os.path.realpath(path))


@contextmanager
def _folder_of(root: Path, name: bytes, *, make: bool = False) -> Iterator[tuple[int, bytes]]:
    """Open the folder that `name` stands in, one component at a time. Yields its handle and the last component."""
    *folders, last = name.split(b"/")
    handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for folder in folders:
            if folder in (b"", b".", b".."):
                raise OSError(errno.ENOENT, "not a plain name")
            below = _open_folder(folder, handle, make=make)
            os.close(handle)
            handle = below
        if last in (b"", b".", b".."):
            raise OSError(errno.ENOENT, "not a plain name")
        yield handle, last
    finally:
        os.close(handle)


@contextmanager
def _new_file(root: Path, name: bytes, *, executable: bool) -> Iterator[BinaryIO]:
    with _folder_of(root, name, make=True) as (folder, last):
        _remove(folder, last)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(last, flags, 0o755 if executable else 0o644, dir_fd=folder), "wb") as file:
            yield file


def _open_folder(name: bytes, parent: int, *, make: bool) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=parent)
    except FileNotFoundError:
        if not make:
            raise
    os.mkdir(name, 0o755, dir_fd=parent)
    return os.open(name, _FOLDER, dir_fd=parent)


def _remove(folder: int, name: bytes) -> None:
    try:
        os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        return
    except (IsADirectoryError, PermissionError):
        os.rmdir(name, dir_fd=folder)  # What was in it has been removed before; a folder with content is an error.


def _cannot(what: str, name: bytes, error: OSError) -> EngineError:
    return EngineError(f"cannot {what} {name.decode('utf-8', 'backslashreplace')}: {error.strerror}")
