"""Large files that git stores as pointers (Git LFS). Its programs are not run; what is on disk is compared by its sum."""

import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import anyio.to_thread
import attrs

from verify_lsp.scope.copies.carry import Room
from verify_lsp.scope.copies.disk import copy_below, open_below, read_below
from verify_lsp.scope.gitdiff.changes import Entry, read_blobs
from verify_lsp.scope.names import unquote
from verify_lsp.scope.repository import Repository

POINTER_LIMIT = 1024
"""No pointer is longer than this many bytes."""

_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:ext-[^\n]*\n)*oid sha256:([0-9a-f]{64})\nsize (\d+)\n"
)


@attrs.frozen
class Pointer:
    """Which content is meant: its SHA-256 in hexadecimal, and its size in bytes."""

    sum: str
    size: int


def pointer_in(content: bytes | None) -> Pointer | None:
    """Return the pointer that `content` is, or None when it is something else."""
    match = _POINTER.fullmatch(content) if content is not None and len(content) <= POINTER_LIMIT else None
    return Pointer(match[1].decode(), int(match[2])) if match is not None else None


def is_on_disk(root: Path, name: bytes, pointer: Pointer) -> bool:
    """Tell whether the file `name` below `root` is the content that `pointer` means."""
    with open_below(root, name) as file:
        if file is None or os.fstat(file.fileno()).st_size != pointer.size:
            return False
        return hashlib.file_digest(file, "sha256").hexdigest() == pointer.sum


async def without_stored(repository: Repository, entries: Sequence[Entry]) -> list[Entry]:
    """Return what differs from the last commit, without files whose content is what their pointer there means."""
    if not await anyio.to_thread.run_sync(uses_lfs, repository.root):
        return list(entries)
    wanted = {record.old_object for record, _ in entries if record.state == "M"}
    blobs = (await read_blobs(repository.git, wanted, POINTER_LIMIT)).contents
    workspace = repository.root / repository.prefix

    def differs(entry: Entry) -> bool:
        record, _ = entry
        pointer = pointer_in(blobs.get(record.old_object)) if record.state == "M" else None
        return pointer is None or not is_on_disk(workspace, unquote(record.new_name), pointer)

    return await anyio.to_thread.run_sync(lambda: [entry for entry in entries if differs(entry)])


def uses_lfs(root: Path) -> bool:
    """Tell whether the attributes at the root of a tree name Git LFS."""
    return b"filter=lfs" in (read_below(root, b".gitattributes", 1024 * 1024) or b"")


def fill_pointers(source: Path, target: Path, names: Iterable[bytes], room: Room) -> list[str]:
    """Put contents from `source` where `target` has pointers to them. Returns those that are not to be had."""
    left_out: list[str] = []
    for name in names:
        pointer = pointer_in(read_below(target, name, POINTER_LIMIT))
        if pointer is None:
            continue
        if is_on_disk(source, name, pointer) and room.take(1, pointer.size):
            copy_below(source, target, name)
        else:
            left_out.append(os.fsdecode(name))
    return left_out
