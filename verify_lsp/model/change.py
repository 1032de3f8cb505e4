"""A change: files with before and after, and where they stand in git."""

from typing import Literal

import attrs

ChangeKind = Literal["added", "modified", "deleted", "renamed", "copied", "typechange", "mode"]


@attrs.frozen
class Line:
    """One line of text. `line` is 1-based; `text` has no line end."""

    line: int
    text: str


@attrs.frozen
class FileChange:
    """One file of a change.

    Attributes:
        path: Workspace-relative, POSIX style, NFC as git stores it.
        old_path: Where the file stood before, for renames and copies.
        change: What happened to it. `mode` means that only permissions changed.
        binary: True when git or a NUL byte says that there are no lines to speak of.
        before: Text before; None when there was no file, or no text, or too much of it.
        after: Text after; None likewise.
        diff: The file's unified diff, possibly empty.
        added_lines: Lines that are new, numbered as in `after`.
        removed_lines: Lines that are gone, numbered as in `before`.
    """

    path: str
    change: ChangeKind
    binary: bool = False
    diff: str = ""
    added_lines: tuple[Line, ...] = ()
    removed_lines: tuple[Line, ...] = ()
    old_path: str | None = None
    before: str | None = None
    after: str | None = None


@attrs.frozen
class BaseRef:
    """The commit a change is held against. `ref` is how it was named, `sha` the full object name."""

    ref: str
    sha: str


@attrs.frozen
class HeadRef:
    """The commit under the change. `sha` is absent before the first commit."""

    dirty: bool
    sha: str | None = None


@attrs.frozen
class Change:
    """A resolved scope.

    Attributes:
        files: Sorted by path.
        base: The commit of the "before" side; None when there is none (no commit yet, texts given).
        head: The commit checked out; None outside a repository.
        notes: What a reader should know about how the scope was found, in plain words.
    """

    files: tuple[FileChange, ...]
    base: BaseRef | None = None
    head: HeadRef | None = None
    notes: tuple[str, ...] = ()
