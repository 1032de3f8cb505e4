"""One diff that git makes, read into the files of a change."""

from collections.abc import Container, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import anyio
import anyio.to_thread
import attrs

from verify_lsp.model.change import FileChange
from verify_lsp.scope.copies.disk import read_below
from verify_lsp.scope.encoding import is_binary, is_utf_16
from verify_lsp.scope.gitdiff.filechange import (
    TEXT_LIMIT,
    Built,
    Remark,
    build,
    is_regular,
    is_unchanged,
    needs_before,
)
from verify_lsp.scope.gitdiff.output import BlobReader, Record, Section, SectionSplitter, new_object, paired
from verify_lsp.scope.gitdiff.pairs import DIFF_FLAGS, Pair, build_pairs
from verify_lsp.scope.names import is_inside, listed, shown, unquote
from verify_lsp.system.git import BIG_FILE, DisturbedError, Git

_REPEATS = 20
"""How often a diff is read again because a file changed under git's hands. One that is rewritten without end
disturbed one reading in six."""

_REPEAT_PAUSE_S = 0.02

_WORDS: dict[Remark, str] = {
    "not-utf-8": "not UTF-8, read as Latin-1",
    "utf-16": "UTF-16, not UTF-8, so that no lines are read from it",
    "unknown-encoding": "declared in an encoding that cannot be read line by line; read as UTF-8 or Latin-1",
    "large": f"larger than {TEXT_LIMIT // 2**20} MiB, so that only its changed lines are read",
    "huge": f"larger than {BIG_FILE // 2**20} MiB, or not to be had, so that no lines are read from it",
    "cut": "left out, because the whole change is too large; its lines are not verified",
    "name": "named in bytes that are not UTF-8, and shown with escapes",
}

Entry = tuple[Record, list[Section]]


@attrs.frozen
class Found:
    """The files of a change, sorted by path, and notes for the reader."""

    files: tuple[FileChange, ...]
    notes: tuple[str, ...] = ()


async def read_changes(git: Git, command: Sequence[str]) -> Found:
    """Run one of git's plumbing diffs between two trees, or a tree and the index, and read it."""
    return await read_entries(git, await differences(git, command))


async def differences(git: Git, command: Sequence[str]) -> list[Entry]:
    """Return the files that differ, with their diffs. Names are relative to git's folder; others are not looked at.

    Args:
        git: At work in the workspace.
        command: `diff-index …`, `diff-tree …` or `diff-files`, without options on the output.

    Raises:
        EngineError: Git cannot tell, or files are written faster than it can read them.
    """
    splitter = await _read_whole(git, command)
    return await anyio.to_thread.run_sync(_entries, splitter)


async def _read_whole(git: Git, command: Sequence[str]) -> SectionSplitter:
    """Let git read what may be written at the same time: by an agent, an editor, a formatter."""
    for _ in range(_REPEATS):
        with suppress(DisturbedError):
            return await _read_once(git, command)
        await anyio.sleep(_REPEAT_PAUSE_S)
    return await _read_once(git, command)


async def _read_once(git: Git, command: Sequence[str]) -> SectionSplitter:
    splitter = SectionSplitter()
    options = ("--raw", "--find-renames", "-l1000", "--relative", "--ignore-submodules=dirty", *DIFF_FLAGS)
    await git.feed(splitter.feed, command[0], *options, *command[1:])
    return splitter


async def read_entries(git: Git, entries: Sequence[Entry], disk: Path | None = None) -> Found:
    """Read what differs into the files of a change.

    Args:
        git: Where the contents before are.
        entries: What differs.
        disk: The workspace, when its files on disk are the side after.
    """
    contents = await _contents_before(git, entries)

    def build_all() -> list[Built]:
        return [build(record, sections, contents.get(record.old_object)) for record, sections in entries]

    built = await anyio.to_thread.run_sync(build_all)
    return found(await _look_into_binaries(git, entries, built, disk))


def is_among(record: Record, names: Container[bytes]) -> bool:
    """Tell whether a file is one of `names`, by where it stands or where it stood."""
    return unquote(record.new_name) in names or (record.state == "R" and unquote(record.old_name) in names)


def found(built: Iterable[Built], notes: Iterable[str] = ()) -> Found:
    """Return files in the order of their paths, with one note for each kind of remark."""
    by_remark: dict[Remark, list[str]] = {}
    files: list[FileChange] = []
    for one in sorted(built, key=lambda one: one.file.path):
        files.append(one.file)
        for remark in one.remarks:
            by_remark.setdefault(remark, []).append(one.file.path)
    remarks = [f"{listed(by_remark[remark])}: {words}" for remark, words in _WORDS.items() if remark in by_remark]
    return Found(tuple(files), (*notes, *remarks))


def _entries(splitter: SectionSplitter) -> list[Entry]:
    """Return the files that differ. A tree can be made to hold names that lead out of the folder; those are dropped."""
    records, sections = splitter.finish()
    return [
        (record, own)
        for record, own in paired(records, sections)
        if record.state != "U" and not is_unchanged(record, own) and is_inside(shown(unquote(record.new_name)))
    ]


async def _contents_before(git: Git, entries: Sequence[Entry]) -> dict[str, bytes | None]:
    wanted = {record.old_object for record, sections in entries if needs_before(record, sections)}
    return (await read_blobs(git, wanted, TEXT_LIMIT)).contents


async def read_blobs(git: Git, names: Iterable[str], limit: int) -> BlobReader:
    """Read objects of the repository; a content that is binary or beyond `limit` bytes keeps only its head."""
    reader = BlobReader(limit)
    lines = "".join(f"{name}\n" for name in sorted(names))
    if lines:
        await git.feed(reader.feed, "cat-file", "--batch", stdin=lines.encode("utf-8", "surrogateescape"))
    return reader


async def _look_into_binaries(
    git: Git, entries: Sequence[Entry], built: Sequence[Built], disk: Path | None
) -> list[Built]:
    """Look at the files in which git sees no lines.

    An attribute (`*.lock -diff`) hides lines from people; it must not hide them from a verification.
    Only a NUL byte does, and UTF-16 is full of them, which the reader should know.
    """
    hidden = {
        number
        for number, (record, sections) in enumerate(entries)
        if any(section.binary for section in sections) and (is_regular(record.old_mode) or is_regular(record.new_mode))
    }
    if not hidden:
        return list(built)
    sides = await _sides(git, [entries[number] for number in sorted(hidden)], disk)
    result, pairs = list(built), dict[int, Pair]()
    for number, (before, after, head) in zip(sorted(hidden), sides, strict=True):
        record = entries[number][0]
        if head is not None:
            result[number] = attrs.evolve(built[number], remarks=_remarks_on(head))
        else:
            pairs[number] = _pair(record, built[number].file, before, after)
    for number, one in zip(pairs, await build_pairs(list(pairs.values())), strict=True):
        result[number] = one
    return result


def _pair(record: Record, file: FileChange, before: bytes | None, after: bytes | None) -> Pair:
    regular = "100644"
    return Pair(
        path=file.path,
        before=before,
        after=after,
        old_path=file.old_path,
        kind=file.change,
        old_mode=record.old_mode if is_regular(record.old_mode) else regular,
        new_mode=record.new_mode if is_regular(record.new_mode) else regular,
    )


async def _sides(
    git: Git, entries: Sequence[Entry], disk: Path | None
) -> list[tuple[bytes | None, bytes | None, bytes | None]]:
    """Return for each file its contents before and after; or, third, the head of a side that holds no lines."""
    after_names = [new_object(sections[-1].content) or record.new_object for record, sections in entries]
    names = {record.old_object for record, _ in entries if is_regular(record.old_mode)}
    if disk is None:
        names |= {name for name, (record, _) in zip(after_names, entries, strict=True) if is_regular(record.new_mode)}
    blobs = await read_blobs(git, names, BIG_FILE)

    def look(record: Record, after_name: str) -> tuple[bytes | None, bytes | None, bytes | None]:
        before = blobs.contents.get(record.old_object) if is_regular(record.old_mode) else None
        after = None
        head = blobs.heads.get(record.old_object)
        if is_regular(record.old_mode) and before is None and head is None:
            head = b""
        if is_regular(record.new_mode):
            after = (
                blobs.contents.get(after_name) if disk is None else read_below(disk, unquote(record.new_name), BIG_FILE)
            )
            head = head or blobs.heads.get(after_name) or _head_without_lines(after)
        return before, after, head

    def look_at_all() -> list[tuple[bytes | None, bytes | None, bytes | None]]:
        return [look(record, name) for name, (record, _) in zip(after_names, entries, strict=True)]

    return await anyio.to_thread.run_sync(look_at_all)


def _head_without_lines(content: bytes | None) -> bytes | None:
    """Return the head of a content that holds no lines for us; an empty one when it is too large, or gone by now."""
    if content is None:
        return b""
    return content[:8000] if is_binary(content) else None


def _remarks_on(head: bytes) -> tuple[Remark, ...]:
    if is_utf_16(head):
        return ("utf-16",)
    return () if is_binary(head) else ("huge",)
