"""Files of our own: written whole or not at all, private to the user, and removed without straying."""

import contextlib
import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path

from verify_lsp.model.errors import EngineError

TEMPORARY = ".verify-lsp-tmp"
"""Ends the name of a file that is being written."""

READ_LIMIT = 256 * 1024 * 1024
_PIECE = 65536


def write_private(
    path: Path,
    content: str | bytes | Iterable[str | bytes],
    *,
    durable: bool = True,
    written: Callable[[Path], None] | None = None,
) -> None:
    """Put `content` (one piece or many) at `path`, so that a reader sees the old content or the new, never a half.

    The file is its owner's alone, and so are the folders that are made for it; folders that exist stay as they are.

    Args:
        path: Where; an old file there is replaced.
        content: Text is written as UTF-8.
        durable: Wait until the disk has it. Not needed for what can be made again.
        written: Told where the new file stands, whole, just before it takes its place.

    Raises:
        EngineError: The disk is full, or the place is not writable; what was there is still there.
    """
    try:
        _make_missing(path.parent)
    except OSError as error:
        raise EngineError(because(f"cannot make the folder {error.filename or path.parent}", error)) from error
    pieces = (content,) if isinstance(content, str | bytes) else content
    _replace(path, pieces, durable=durable, written=written)


def write_atomically(path: Path, text: str | bytes) -> None:
    """Write a document where the user asked for it: whole or not at all, with the rights that new files have.

    A link is followed, an existing file keeps its rights, and a device or pipe is written to.

    Raises:
        EngineError: As `write_private`, or there is no such folder.
    """
    try:
        mode = path.stat().st_mode
    except OSError:
        umask = os.umask(0o077)
        os.umask(umask)
        mode = stat.S_IFREG | (0o666 & ~umask)
    if stat.S_ISREG(mode):
        _replace(Path(os.path.realpath(path)), (text,), mode=stat.S_IMODE(mode))
        return
    try:
        path.write_bytes(text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text)
    except OSError as error:
        raise EngineError(because(f"cannot write {path}", error)) from error


def make_private_folder(folder: Path) -> None:
    """Make `folder`, and whatever is missing above it, for its owner alone; shut an existing one to others.

    Raises:
        EngineError: It cannot be made, or something else is in its place.
    """
    try:
        _make_missing(folder)
        if (mode := folder.stat().st_mode) & 0o077:
            folder.chmod(stat.S_IMODE(mode) & 0o700)
    except OSError as error:
        raise EngineError(because(f"cannot make the folder {error.filename or folder}", error)) from error


def read_bytes_if_there(path: Path, limit: int = READ_LIMIT) -> bytes | None:
    """Return what is in the regular file `path`, or None when there is no such file.

    Raises:
        EngineError: It cannot be read, is no regular file, or holds more than `limit` bytes.
    """
    try:
        # Without O_NONBLOCK, opening a named pipe waits for a writer for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise EngineError(because(f"cannot read {path}", error)) from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise EngineError(f"cannot read {path}: it is not a file")
        content = _read(descriptor, expected=status.st_size, limit=limit)
    except OSError as error:
        raise EngineError(because(f"cannot read {path}", error)) from error
    finally:
        os.close(descriptor)
    if len(content) > limit:
        raise EngineError(f"cannot read {path}: it is larger than {limit} bytes")
    return content


def read_text_if_there(path: Path, limit: int = READ_LIMIT) -> str | None:
    """Return the text of the regular file `path`, bytes that are not UTF-8 replaced; else as `read_bytes_if_there`."""
    content = read_bytes_if_there(path, limit)
    return None if content is None else content.decode("utf-8", "replace")


def remove_tree(folder: Path, root: Path) -> None:
    """Remove `folder` with everything in it, as far as it can be; a missing one is none to remove.

    Links are removed and never followed. Folders that were made read-only (Go's module cache) go too.

    Raises:
        EngineError: `folder` is not strictly inside of `root`, or is a link itself.
    """
    parent = os.path.realpath(folder.parent)
    inside = os.path.realpath(root)
    if folder.name in {"", ".", ".."} or not f"{parent}{os.sep}".startswith(inside.rstrip(os.sep) + os.sep):
        raise EngineError(f"will not remove {folder}: it is not inside of {root}")
    if folder.is_symlink():
        raise EngineError(f"will not remove {folder}: it is a link")
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
    if folder.is_dir():
        _make_writable(folder)
        shutil.rmtree(folder, ignore_errors=True)


def because(what: str, error: OSError) -> str:
    """Return one sentence for the user: what failed, and why, in the system's words."""
    return f"{what}: {(error.strerror or type(error).__name__).lower()}"


def _read(descriptor: int, *, expected: int, limit: int) -> bytes:
    """Read one byte more than `limit` at most. Python sets aside what is asked for, so that it is asked for little."""
    pieces = []
    room = limit + 1
    with open(descriptor, "rb", buffering=0, closefd=False) as file:
        while room > 0 and (piece := file.read(min(max(expected, _PIECE), room))):
            pieces.append(piece)
            room -= len(piece)
            expected -= len(piece)
    return b"".join(pieces)


def _replace(
    path: Path,
    pieces: Iterable[str | bytes],
    *,
    mode: int = 0o600,
    durable: bool = True,
    written: Callable[[Path], None] | None = None,
) -> None:
    temporary = path.with_name(f".{path.name[:50]}.{os.urandom(8).hex()}{TEMPORARY}")
    try:
        _write_new(temporary, pieces, mode, durable=durable)
        if written is not None:
            written(temporary)
        temporary.replace(path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError):
            raise EngineError(because(f"cannot write {path}", error)) from error
        raise


def _write_new(path: Path, pieces: Iterable[str | bytes], mode: int, *, durable: bool) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        for piece in pieces:
            file.write(piece.encode("utf-8", "backslashreplace") if isinstance(piece, str) else piece)
        file.flush()
        os.fchmod(descriptor, mode)
        if durable:
            os.fsync(descriptor)


def _make_missing(folder: Path) -> None:
    if folder.is_dir():
        return
    _make_missing(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)


def _make_writable(folder: Path) -> None:
    """Let the owner list and change `folder` and every folder below it."""
    folder.chmod(0o700)
    for path, names, _ in os.walk(folder):
        for name in names:
            inner = Path(path, name)
            if not inner.is_symlink():
                with contextlib.suppress(OSError):
                    inner.chmod(0o700)
