"""Unified diffs as data. A line ends at a line feed and nowhere else, as for git and for editors' line numbers.

Everything here is bytes: what a line says is decided by `scope.encoding`, per file, after the lines are cut.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

import attrs

from verify_lsp.model.change import ChangeKind, FileChange, Line
from verify_lsp.model.errors import UsageError
from verify_lsp.scope.header import Header, read_header, starts_file
from verify_lsp.scope.names import shown

_HUNK = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_PLUS, _MINUS, _SPACE, _BACKSLASH, _RETURN = b"+- \\\r"


@attrs.frozen
class Hunk:
    """One hunk.

    Attributes:
        old_start: 1-based number of its first line before; the line in front of it when it removes nothing.
        new_start: Likewise after.
        lines: Each with its marker (space, `+`, `-`, or the backslash of "No newline at end of file").
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: Sequence[bytes]


@attrs.frozen
class Patch:
    """The diff of one file. `lines` is all of it, the head included."""

    header: Header
    hunks: tuple[Hunk, ...]
    lines: Sequence[bytes]


def read_diff(text: str) -> tuple[FileChange, ...]:
    """Return the changes that a unified diff shows, without looking at any file.

    The texts before and after are known for files that were added or deleted whole, and None for all others.

    Raises:
        UsageError: As `parse_diff`.
    """
    return tuple(_file_change(patch) for patch in parse_diff(text.encode("utf-8", "surrogateescape")))


def parse_diff(text: bytes, *, strip: bool = True) -> tuple[Patch, ...]:
    """Read a diff from anywhere: git, `diff -u`, a mailed patch.

    Args:
        text: The diff; what stands between the files' diffs is passed over.
        strip: Take the prefixes `a/` and `b/` (or git's other pairs) off the names.

    Raises:
        UsageError: There is no diff in it, it is a combined diff, or a hunk is not as long as it says.
    """
    lines = text.split(b"\n")
    if len(lines) > 1 and all(line.endswith(b"\r") for line in lines if line.startswith((b"@@", b"+++", b"diff "))):
        lines = text.replace(b"\r\n", b"\n").split(b"\n")
    patches = tuple(_patches(lines, strip=strip))
    if not patches and text.strip():
        raise UsageError("there is no unified diff in the text that was given")
    return patches


def section_hunks(section: bytes) -> tuple[Hunk, ...]:
    """Return the hunks of one file's diff as our own git prints it."""
    start = section.find(b"\n@@ ")
    if start < 0:
        return ()
    lines = section[start + 1 :].split(b"\n")
    hunks, end = _hunks(lines, 0)
    if any(lines[end:]):
        raise UsageError(f"line {end + 1} of a hunk is no line of a diff")
    return hunks


def added_lines(hunks: Sequence[Hunk]) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are new: 1-based numbers after the change, and contents without the line end."""
    return _marked(hunks, _PLUS, _MINUS, [hunk.new_start for hunk in hunks])


def removed_lines(hunks: Sequence[Hunk]) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are gone: 1-based numbers before the change, and contents without the line end."""
    return _marked(hunks, _MINUS, _PLUS, [hunk.old_start for hunk in hunks])


def numbered_lines(marked: Iterable[tuple[int, bytes]], encoding: str) -> tuple[Line, ...]:
    """Return lines as text, without their ends. The carriage return of CRLF belongs to the end, any other to the line."""
    numbers, lines = list[int](), list[bytes]()
    for number, line in marked:
        numbers.append(number)
        lines.append(line)
    if not lines:
        return ()
    # All at once, for a large change has a million of them. No encoding that we read with moves line feeds.
    texts = b"\n".join(lines).decode(encoding, "replace").split("\n")
    return tuple(map(Line, numbers, [text.removesuffix("\r") for text in texts]))


def apply(hunks: Sequence[Hunk], before: bytes) -> bytes | None:
    """Return the content after the change, or None when the hunks' old side is not what `before` says there."""
    lines = lines_with_ends(before)
    at, result = 0, list[bytes]()
    for hunk in hunks:
        start = hunk.old_start - 1 if hunk.old_count else hunk.old_start
        old = _side(hunk, _MINUS)
        if start < at or start > len(lines) or lines[start : start + len(old)] != old:
            return None
        result += lines[at:start]
        if result and not result[-1].endswith(b"\n"):
            return None  # Only the last line of a text may lack its end.
        result += _side(hunk, _PLUS)
        at = start + len(old)
    rest = lines[at:]
    if rest and result and not result[-1].endswith(b"\n"):
        return None
    return b"".join(result + rest)


def lines_with_ends(text: bytes) -> list[bytes]:
    """Cut `text` behind each line feed; only the last line may lack its end."""
    return _LINE.findall(text)


def reversed_hunks(hunks: Sequence[Hunk]) -> tuple[Hunk, ...]:
    """Return the hunks that undo `hunks`."""
    return tuple(
        Hunk(
            old_start=hunk.new_start,
            old_count=hunk.new_count,
            new_start=hunk.old_start,
            new_count=hunk.old_count,
            lines=[_turned(line) for line in hunk.lines],
        )
        for hunk in hunks
    )


def _turned(line: bytes) -> bytes:
    if line.startswith(b"+"):
        return b"-" + line[1:]
    return b"+" + line[1:] if line.startswith(b"-") else line


def _file_change(patch: Patch) -> FileChange:
    header, hunks = patch.header, patch.hunks
    before = None if header.exists else apply(reversed_hunks(hunks), b"")
    after = None if header.existed else apply(hunks, b"")
    return FileChange(
        path=shown(header.path),
        change=_kind(patch),
        binary=header.binary,
        diff=_text(b"\n".join(patch.lines)) + "\n",
        added_lines=numbered_lines(added_lines(hunks), "utf-8"),
        removed_lines=numbered_lines(removed_lines(hunks), "utf-8"),
        old_path=shown(header.old_path) if header.old_path is not None else None,
        before=_text(before) if before is not None and not header.binary else None,
        after=_text(after) if after is not None and not header.binary else None,
    )


def _kind(patch: Patch) -> ChangeKind:
    header = patch.header
    if not header.existed:
        return "added"
    if not header.exists:
        return "deleted"
    if header.old_path is not None:
        return "copied" if header.copied else "renamed"
    return "mode" if not patch.hunks and header.old_mode != header.new_mode else "modified"


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _marked(hunks: Sequence[Hunk], wanted: int, other: int, starts: list[int]) -> Iterator[tuple[int, bytes]]:
    for hunk, start in zip(hunks, starts, strict=True):
        number = start
        for line in hunk.lines:
            marker = line[0] if line else _SPACE
            if marker == wanted:
                yield number, line[1:]
                number += 1
            elif marker not in (other, _BACKSLASH):
                number += 1


def _side(hunk: Hunk, wanted: int) -> list[bytes]:
    """Return one side of a hunk, context included, with line ends."""
    side: list[bytes] = []
    belongs = False
    for line in hunk.lines:
        marker = line[0] if line else _SPACE
        if marker != _BACKSLASH:
            belongs = marker in (wanted, _SPACE, _RETURN)
            if belongs:
                side.append((line if marker == _RETURN else line[1:]) + b"\n")
        elif belongs:
            side[-1] = side[-1][:-1]
    return side


def _hunks(lines: Sequence[bytes], at: int) -> tuple[tuple[Hunk, ...], int]:
    """Read hunks from line `at` on, each as long as its header says. Returns them and the line behind them."""
    hunks: list[Hunk] = []
    while at < len(lines) and (match := _HUNK.match(lines[at])):
        old_start, old_count, new_start, new_count = (1 if number is None else int(number) for number in match.groups())
        end = _hunk_end(lines, at + 1, old_count, new_count)
        hunks.append(Hunk(old_start, old_count, new_start, new_count, lines[at + 1 : end]))
        at = end
    return tuple(hunks), at


def _hunk_end(lines: Sequence[bytes], at: int, old: int, new: int) -> int:
    """Return the line behind the hunk whose body begins at line `at`, by counting."""
    total = len(lines)
    while (old > 0 or new > 0) and old >= 0 and new >= 0:
        if at >= total or (at == total - 1 and lines[at] == b""):
            raise UsageError("the diff ends in the middle of a hunk")
        marker = lines[at][:1]
        if marker in (b" ", b"", b"\r"):  # Mail programs and editors strip the space of an empty context line.
            old, new = old - 1, new - 1
        elif marker == b"+":
            new -= 1
        elif marker == b"-":
            old -= 1
        elif marker != b"\\":
            raise UsageError(f"line {at + 1} of the diff is not part of a hunk, though its hunk is not complete")
        at += 1
    if old < 0 or new < 0:
        raise UsageError(f"the hunk that ends at line {at} of the diff is longer than it says")
    while at < total and lines[at].startswith(b"\\"):
        at += 1
    return at


def _patches(lines: Sequence[bytes], *, strip: bool) -> Iterator[Patch]:
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith((b"diff --cc ", b"diff --combined ", b"@@@ ")):
            raise UsageError("this is a combined diff of a merge; a diff against one parent is needed")
        if starts_file(lines, at):
            first = at
            at, header = read_header(lines, at, strip=strip)
            hunks, at = _hunks(lines, at)
            yield Patch(header, hunks, lines[first:at])
        elif _HUNK.match(line):
            raise UsageError(f"line {at + 1} of the diff begins a hunk, but no file is named above it")
        else:
            at += 1
