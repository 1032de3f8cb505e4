"""From one file's diff and its content before to a `FileChange`."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import attrs

from verify_lsp.model.change import ChangeKind, FileChange, Line
from verify_lsp.scope.diff import Hunk, added_lines, apply, numbered_lines, removed_lines, reversed_hunks, section_hunks
from verify_lsp.scope.encoding import decoded
from verify_lsp.scope.gitdiff.output import Record, Section
from verify_lsp.scope.names import shown, unquote

TEXT_LIMIT = 2 * 1024 * 1024
"""Bytes from which a file's texts and diff are left out; its lines are kept."""

Remark = Literal["not-utf-8", "utf-16", "unknown-encoding", "large", "huge", "cut", "name"]

_KINDS: dict[str, ChangeKind] = {
    "A": "added",
    "D": "deleted",
    "M": "modified",
    "R": "renamed",
    "C": "copied",
    "T": "typechange",
}


@attrs.frozen
class Built:
    """A file of a change, and what a reader should know about how it was read."""

    file: FileChange
    remarks: tuple[Remark, ...] = ()


def is_unchanged(record: Record, sections: Sequence[Section]) -> bool:
    """Tell whether git listed the file for its time stamp alone."""
    if record.state != "M" or record.old_mode != record.new_mode:
        return False
    return not _differs(sections)


def is_regular(mode: str) -> bool:
    """Tell a file from a link, a submodule and nothing; only a file has lines."""
    return mode.startswith("100")


def needs_before(record: Record, sections: Sequence[Section]) -> bool:
    """Tell whether the content before is wanted: where lines stay, the diff does not show it all."""
    stays = is_regular(record.old_mode) and is_regular(record.new_mode)
    return stays and not any(section.binary or section.cut for section in sections)


def build(record: Record, sections: Sequence[Section], before: bytes | None) -> Built:
    """Return the change of one file.

    Args:
        record: Its line in the list of changed files.
        sections: Its diffs, as `output.paired` gives them.
        before: Its content before, where `needs_before` says so and it could be had.
    """
    name, old_name = unquote(record.new_name), unquote(record.old_name)
    file = FileChange(
        path=shown(name),
        change=_kind(record, sections),
        old_path=shown(old_name) if record.state in ("R", "C") else None,
        diff=_diff_text(sections, "utf-8"),
    )
    remarks: tuple[Remark, ...] = () if file.path.encode("utf-8") == name else ("name",)
    if any(section.cut for section in sections):
        return Built(file, (*remarks, "cut"))
    if any(section.binary for section in sections) or not (is_regular(record.old_mode) or is_regular(record.new_mode)):
        return Built(attrs.evolve(file, binary=True), remarks)
    hunks = _hunks(record, sections)
    before, after = _contents(record, hunks, before)
    old = _read(file.path, before, lambda: removed_lines(hunks), known=not is_regular(record.old_mode))
    new = _read(file.path, after, lambda: added_lines(hunks), known=not is_regular(record.new_mode))
    changed = FileChange(
        path=file.path,
        change=file.change,
        diff=file.diff if new.encoding == "utf-8" else _diff_text(sections, new.encoding),
        added_lines=new.lines,
        removed_lines=old.lines,
        old_path=file.old_path,
        before=old.text,
        after=new.text,
    )
    return Built(changed, tuple(dict.fromkeys((*remarks, *old.remarks, *new.remarks))))


@attrs.frozen
class _Side:
    """One side of a change as text."""

    text: str | None
    lines: tuple[Line, ...]
    encoding: str
    remarks: tuple[Remark, ...]


def _read(path: str, content: bytes | None, marked: Callable[[], Iterable[tuple[int, bytes]]], *, known: bool) -> _Side:
    """Read one side. `known` is True when there is no text on this side, so that its absence needs no remark."""
    sample = b"\n".join([line for _, line in marked()]) if content is None else content
    text, encoding, oddity = decoded(path, sample)
    remarks: list[Remark] = [] if oddity is None else [oddity]
    kept = content is not None and len(content) <= TEXT_LIMIT
    if not (kept or known):
        remarks.append("large")
    return _Side(text if kept else None, numbered_lines(marked(), encoding), encoding, tuple(remarks))


def _differs(sections: Sequence[Section]) -> bool:
    """Tell whether contents differ; a change of mode alone leaves the diff without a line on objects."""
    return any(b"\nindex " in section.content or b"\n@@ " in section.content for section in sections)


def _kind(record: Record, sections: Sequence[Section]) -> ChangeKind:
    if record.state == "M" and record.old_mode != record.new_mode and not _differs(sections):
        return "mode"
    return _KINDS.get(record.state, "modified")


def _hunks(record: Record, sections: Sequence[Section]) -> tuple[Hunk, ...]:
    """Return the hunks that speak of lines; of a file that became a link, or was one, just the file's."""
    if record.state == "T":
        sections = sections[:1] if is_regular(record.old_mode) else sections[1:]
    return tuple(hunk for section in sections for hunk in section_hunks(section.content))


def _contents(record: Record, hunks: Sequence[Hunk], before: bytes | None) -> tuple[bytes | None, bytes | None]:
    """Return both contents. What was added or deleted whole stands in the diff."""
    if is_regular(record.old_mode) and is_regular(record.new_mode):
        return before, apply(hunks, before) if before is not None else None
    if is_regular(record.old_mode):
        return apply(reversed_hunks(hunks), b""), None
    return None, apply(hunks, b"")


def _diff_text(sections: Sequence[Section], encoding: str) -> str:
    """Return the diff as git prints it, or nothing when it is too long to be carried along."""
    if sum(len(section.content) for section in sections) > TEXT_LIMIT:
        return ""
    parts = (b"diff --git " + section.content.removesuffix(b"\n") + b"\n" for section in sections)
    return b"".join(parts).decode(encoding, "replace")
