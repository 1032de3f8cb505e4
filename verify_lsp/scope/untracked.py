"""What git does not track yet, or has in conflict, compared as if it were tracked.

A small index of our own is written that names just these files, and those that are gone, so that git itself
compares them with the disk and finds a file that was moved without being told. The user's index stays as it is.
"""

import hashlib
import os
import struct
from collections.abc import Collection, Iterable, Sequence

import anyio.to_thread
import attrs

from verify_lsp.scope.copies.disk import is_readable
from verify_lsp.scope.copies.folder import private_folder
from verify_lsp.scope.gitdiff.changes import Entry, differences
from verify_lsp.scope.names import listed, unquote
from verify_lsp.scope.repository import EMPTY_FILES, GITLINK, Repository, Status

_INSTALLED = (b"node_modules", b"__pycache__")
_MARKS = (b"pyvenv.cfg", b"CACHEDIR.TAG")
_EXTENDED, _INTENDED = 0x4000, 0x2000


@attrs.frozen
class IndexEntry:
    """A file as our index names it. Without an object it counts as new. `name` is below the repository's root."""

    name: bytes
    mode: str = "100644"
    object: str | None = None


async def with_untracked(
    repository: Repository, known: Sequence[Entry], unknown: Status, untracked: Sequence[bytes]
) -> list[Entry]:
    """Return the differences between the last commit and the disk, untracked files included.

    Args:
        repository: Where.
        known: What git finds by itself.
        unknown: Which files are in conflict.
        untracked: Those untracked files (below the root) that shall be looked at.
    """
    prefix = os.fsencode(repository.prefix)
    if not untracked and not unknown.unmerged:
        return list(known)
    unmerged = {name[len(prefix) :] for name in unknown.unmerged if name.startswith(prefix)}
    settled = [entry for entry in known if unquote(entry[0].new_name) not in unmerged]
    gone = [record for record, _ in settled if record.state == "D" and record.old_mode != GITLINK]
    entries = [IndexEntry(prefix + unquote(r.new_name), r.old_mode, r.old_object) for r in gone]
    entries += await _as_committed(repository, unknown.unmerged)
    entries += [IndexEntry(name) for name in untracked]
    found = await _against(repository, entries)
    replaced = {id(record) for record in gone}
    return [*(entry for entry in settled if id(entry[0]) not in replaced), *found]


async def only_named(repository: Repository, names: Collection[bytes], gone: Collection[bytes]) -> list[Entry]:
    """Return the differences between the last commit and the disk for these files alone, however many there are.

    Args:
        repository: Where.
        names: Files below the root; those that the last commit does not have count as new.
        gone: Other files of the last commit that are gone, from which one of `names` may have been moved.
    """
    entries = await _as_committed(repository, names)
    entries += [entry for entry in await _as_committed(repository, gone) if entry.object is not None]
    return await _against(repository, entries)


async def _against(repository: Repository, entries: Iterable[IndexEntry]) -> list[Entry]:
    """Return what differs between an index of these entries and the disk."""
    content = index_content({entry.name: entry for entry in entries}.values(), repository.objects)
    async with private_folder() as folder:
        index = folder / "index"
        await anyio.to_thread.run_sync(index.write_bytes, content)
        return await differences(repository.git.with_variables(GIT_INDEX_FILE=str(index)), ("diff-files",))


def index_content(entries: Iterable[IndexEntry], objects: str) -> bytes:
    """Return an index file (version 3 of the format) without time stamps, so that git reads every file in it."""
    ordered = sorted(entries, key=lambda entry: entry.name)
    content = bytearray(b"DIRC" + struct.pack(">LL", 3, len(ordered)))
    for entry in ordered:
        start = len(content)
        about = (0, 0, 0, 0, 0, 0, int(entry.mode, 8), 0, 0, 0)
        content += struct.pack(">10L", *about) + bytes.fromhex(entry.object or EMPTY_FILES[objects])
        content += struct.pack(">HH", _EXTENDED | min(len(entry.name), 0xFFF), 0 if entry.object else _INTENDED)
        content += entry.name
        content += b"\0" * (8 - (len(content) - start) % 8)
    # The format asks for this sum; it guards against damage, not against anybody.
    check = hashlib.sha1(usedforsecurity=False) if objects == "sha1" else hashlib.sha256()
    check.update(content)
    return bytes(content) + check.digest()


async def _as_committed(repository: Repository, names: Collection[bytes]) -> list[IndexEntry]:
    """Return files as the last commit has them, or as new ones."""
    if not names:
        return []
    wanted = {name: IndexEntry(name) for name in names}
    for line in (await repository.rooted.read("ls-tree", "-r", "-z", repository.tree)).split(b"\0"):
        about, _, name = line.partition(b"\t")
        if name in wanted:
            mode, _, value = about.decode().split(" ")
            wanted[name] = IndexEntry(name, mode, value)
    return list(wanted.values())


def worth_reading(repository: Repository, untracked: Iterable[bytes]) -> tuple[list[bytes], tuple[str, ...]]:
    """Return the untracked files that a change is made of, with notes on those left out.

    Installed packages and caches that nobody told git to ignore are not the user's change.
    """
    names = list(untracked)
    installed = _installed_folders(names)
    kept, left_out, unreadable = list[bytes](), list[bytes](), list[bytes]()
    for name in names:
        if installed and any(folder in installed for folder in _folders(name)):
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
            f"though nothing tells git to ignore them: {listed(folders)}"
        )
    if unreadable:
        notes.append(f"not readable, and left out: {listed(unreadable)}")
    return kept, tuple(notes)


def _installed_folders(names: Iterable[bytes]) -> set[bytes]:
    """Return the folders that a package manager or a build made, by their names and by the marks they bear."""
    found: set[bytes] = set()
    for name in names:
        folder, _, last = name.rpartition(b"/")
        if last in _MARKS and folder:
            found.add(folder)
        if any(word in name for word in _INSTALLED):
            found.update(above for above in _folders(name) if above.rpartition(b"/")[2] in _INSTALLED)
    return found


def _folders(name: bytes) -> Iterable[bytes]:
    """Yield the folders that `name` stands in, outermost first."""
    at = name.find(b"/")
    while at >= 0:
        yield name[:at]
        at = name.find(b"/", at + 1)
