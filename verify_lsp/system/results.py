"""The private folder of one run of a command: what we put in, and what the command left behind."""

import secrets
import stat
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import attrs

from verify_lsp.model.errors import EngineError
from verify_lsp.system.files import because, read_text_if_there, remove_tree
from verify_lsp.system.guard import FOLDER_PREFIX, guard

MAX_FILES = 256
MAX_FILE_BYTES = 32 * 1024 * 1024
MAX_TOTAL_BYTES = 64 * 1024 * 1024
_MAX_DEPTH = 4


@attrs.frozen
class LeftFiles:
    """What a command left.

    Attributes:
        texts: POSIX path in the folder to text.
        complete: False when a file was left out because there were too many, or it was too large.
            A file is never cut: half a report would pass for a whole one.
    """

    texts: Mapping[str, str]
    complete: bool


@asynccontextmanager
async def private_folder() -> AsyncIterator[Path]:
    """Make a folder that only we can enter; it is gone afterwards, whatever happens.

    Raises:
        EngineError: The system's temporary folder is full or not writable.
    """
    root = Path(tempfile.gettempdir())
    folder = root / f"{FOLDER_PREFIX}{secrets.token_hex(8)}"
    # Before it is there: whoever kills us in between would leave it for ever.
    guard().hold_folder(folder)
    try:
        folder.mkdir(mode=0o700)
    except OSError as error:
        guard().release_folder(folder)
        raise EngineError(because(f"cannot make a folder in {root}", error)) from error
    try:
        yield folder
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(_remove, folder, root)
        guard().release_folder(folder)


def put_support(folder: Path, support: Mapping[str, str]) -> None:
    """Write the files that a command needs beside it.

    Raises:
        EngineError: A file cannot be written.
    """
    for name, text in support.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        except OSError as error:
            raise EngineError(because(f"cannot write {path}", error)) from error


async def left_files(folder: Path, support: Mapping[str, str]) -> LeftFiles:
    """Read what a command left in `folder`, beside what was put there: regular files only, links are not followed."""
    return await anyio.to_thread.run_sync(_left_files, folder, support)


def _left_files(folder: Path, support: Mapping[str, str]) -> LeftFiles:
    texts: dict[str, str] = {}
    total = 0
    complete = True
    for path, size in _regular_files(folder, _MAX_DEPTH):
        name = path.relative_to(folder).as_posix()
        if name in support:
            continue
        if len(texts) == MAX_FILES or total + size > MAX_TOTAL_BYTES:
            complete = False
            continue
        text = _text_of(path)
        if text is None:
            complete = False
            continue
        texts[name] = text
        total += size
    return LeftFiles(texts, complete)


def _remove(folder: Path, root: Path) -> None:
    if folder.is_symlink():
        folder.unlink()
    remove_tree(folder, root)


def _text_of(path: Path) -> str | None:
    try:
        return read_text_if_there(path, MAX_FILE_BYTES)
    except EngineError:
        return None


def _regular_files(folder: Path, depth: int) -> Iterator[tuple[Path, int]]:
    # The command may have put a link in the place of its own folder.
    try:
        paths = [] if folder.is_symlink() else sorted(folder.iterdir())
        found = [(path, path.lstat()) for path in paths]
    except OSError:
        return
    for path, status in found:
        if stat.S_ISREG(status.st_mode):
            yield path, status.st_size
        elif stat.S_ISDIR(status.st_mode) and depth > 0:
            yield from _regular_files(path, depth - 1)
