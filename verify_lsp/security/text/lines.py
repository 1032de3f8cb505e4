"""Logical lines, and what of them is a comment, for texts that no grammar reads."""

import re
from bisect import bisect_right

import attrs

from verify_lsp.security.source import Source

_JOINED_LIMIT = 40
_HASH_KINDS = frozenset({"python", "shell", "yaml", "dockerfile", "terraform", "make", "env", "config"})
_SLASH_KINDS = frozenset({"javascript", "typescript", "go", "rust", "terraform"})
_HASH_COMMENT = re.compile(r"(?:^|(?<=[\s;(]))#.*")
_SLASH_COMMENT = re.compile(r"(?:^|(?<=[\s;{(),]))//.*")
_QUOTED = re.compile(r"'[^'\n]*'|\"(?:[^\"\\\n]|\\.)*\"")
_LONG = 4_000


def logical_line(source: Source, line: int) -> tuple[int, int]:
    """Return the first and the last line that continuations (a backslash at the end) join with a line."""
    first = last = line
    if not source.kinds & {"shell", "dockerfile", "make", "yaml", "workflow"}:
        return first, last
    while first > 1 and line - first < _JOINED_LIMIT and _goes_on(source, first - 1):
        first -= 1
    while last < len(source.starts) and last - line < _JOINED_LIMIT and _goes_on(source, last):
        last += 1
    return first, last


@attrs.frozen
class Joined:
    """Lines as one text. `starts` says where each of them, from `first` on, begins in it."""

    text: str
    first: int
    starts: tuple[int, ...]

    def line_at(self, index: int) -> int:
        """Return the line that a place of the text belongs to."""
        return self.first + max(bisect_right(self.starts, index) - 1, 0)


def joined(source: Source, first: int, last: int) -> Joined:
    """Return lines as one, without comments and without the marks that join them; at most some thousand characters each."""
    text, starts = "", []
    for line in range(first, last + 1):
        start, end = source.line_span(line)
        part = without_comment(source, source.slice(start, min(end, start + _LONG)))
        starts.append(len(text))
        part = part.rstrip("\\ \t") if line < last else part
        text += f" {part.strip()}" if line > first else part
    return Joined(text, first, tuple(starts))


def without_comment(source: Source, text: str) -> str:
    """Return one line with its comment blanked out, so that columns stay; quoted marks begin no comment."""
    pattern = _HASH_COMMENT if source.kinds & _HASH_KINDS else _SLASH_COMMENT if source.kinds & _SLASH_KINDS else None
    if pattern is None or ("#" not in text and "//" not in text):
        return text
    masked = _QUOTED.sub(lambda quoted: "x" * len(quoted.group()), text)
    found = pattern.search(masked)
    return text if found is None else text[: found.start()]


def _goes_on(source: Source, line: int) -> bool:
    start, end = source.line_span(line)
    return source.data[start:end].rstrip().endswith(b"\\")
