"""An index of our own that also knows what git does not track yet, so that one diff shows the whole tree.

The user's index is copied with its time stamp, by which git tells which files it must read again; a copy that
looked newer would hide changes made in the same instant. Nothing is written into the repository.
"""

import os
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio.to_thread

from verify_lsp.scope.disk import is_readable
from verify_lsp.scope.folder import private_folder
from verify_lsp.scope.names import listed
from verify_lsp.scope.repository import EMPTY_FILES, Repository, Status
from verify_lsp.system.git import Git

_INSTALLED = (b"node_modules", b"__pycache__")
_MARKS = (b"pyvenv.cfg", b"CACHEDIR.TAG")


@asynccontextmanager
async def whole_tree(repository: Repository, status: Status, untracked: Iterable[bytes]) -> AsyncIterator[Git]:
    """Yield git, in the workspace, with an index in which `untracked` files and those in conflict are plain entries.

    Args:
        repository: Where.
        status: Its state; files in conflict are taken from here.
        untracked: Names below the root.
    """
    names = list(untracked)
    if not names and not status.unmerged:
        yield repository.git
        return
    async with private_folder() as folder:
        index = folder / "index"
        await anyio.to_thread.run_sync(_copy, await repository.path_of("index"), index)
        git = repository.git.with_variables(GIT_INDEX_FILE=str(index))
        # The object named here is never read: without a time stamp the entry makes git look at the disk.
        empty = EMPTY_FILES[repository.objects].encode()
        gone = b"0" * len(empty)
        entries = [b"0 %s\t%s\0" % (gone, name) for name in status.unmerged]
        entries += [b"100644 %s\t%s\0" % (empty, name) for name in (*status.unmerged, *names)]
        await git.at(repository.root).read("update-index", "-z", "--index-info", stdin=b"".join(entries))
        yield git


def worth_reading(repository: Repository, untracked: Iterable[bytes]) -> tuple[list[bytes], tuple[str, ...]]:
    """Return the untracked files of the workspace that a change is made of, with notes on those left out.

    Installed packages and caches that nobody told git to ignore are not the user's change.
    """
    names = [name for name in untracked if repository.within(name) is not None]
    installed = _installed_folders(names)
    kept, left_out, unreadable = list[bytes](), list[bytes](), list[bytes]()
    for name in names:
        if any(folder in installed for folder in _folders(name)):
            left_out.append(name)
        elif os.access(repository.root / os.fsdecode(name), os.R_OK) or is_readable(repository.root, name):
            kept.append(name)
        else:
            unreadable.append(name)
    notes: list[str] = []
    if left_out:
        folders = sorted({folder for name in left_out for folder in _folders(name) if folder in installed})
        notes.append(
            f"{len(left_out)} untracked files of installed packages or caches are left out, "
            f"though nothing tells git to ignore them: {listed(folders)}."
        )
    if unreadable:
        notes.append(f"Not readable, and left out: {listed(unreadable)}.")
    return kept, tuple(notes)


def _installed_folders(names: Iterable[bytes]) -> set[bytes]:
    """Return the folders that a package manager or a build made, by their names and by the marks they bear."""
    found: set[bytes] = set()
    for name in names:
        folder, _, last = name.rpartition(b"/")
        if last in _MARKS and folder:
            found.add(folder)
        found.update(above for above in _folders(name) if above.rpartition(b"/")[2] in _INSTALLED)
    return found


def _folders(name: bytes) -> Iterable[bytes]:
    """Yield the folders that `name` stands in, outermost first."""
    at = name.find(b"/")
    while at >= 0:
        yield name[:at]
        at = name.find(b"/", at + 1)


def _copy(source: Path, target: Path) -> None:
    try:
        about = source.stat()
        content = source.read_bytes()
    except FileNotFoundError:
        return  # Before the first `git add` there is no index.
    target.write_bytes(content)
    os.utime(target, ns=(about.st_atime_ns, about.st_mtime_ns))
