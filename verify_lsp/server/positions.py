"""Columns: 1-based code points inside, the client's code units outside, 0-based in both directions on the wire."""

from typing import Literal, cast

import attrs

Encoding = Literal["utf-8", "utf-16", "utf-32"]


@attrs.frozen
class Place:
    """A place in a text: 0-based line, and 0-based column in code points.

    Lines end at a line feed and nowhere else, as git and the tools count them; a carriage return
    before it is no part of the line's content.
    """

    line: int
    column: int


def encoding_named(name: str | None) -> Encoding:
    """Return the encoding that was negotiated; UTF-16 is what holds where nothing was said."""
    return cast("Encoding", name) if name in {"utf-8", "utf-32"} else "utf-16"


def units_before(line: str, column: int, encoding: Encoding) -> int:
    """Return how many code units of `encoding` stand before the code point `column` of `line`."""
    before = line[:column]
    if encoding == "utf-32" or before.isascii():
        return len(before)
    if encoding == "utf-16":
        return len(before.encode("utf-16-le", "surrogatepass")) // 2
    return len(before.encode("utf-8", "surrogatepass"))


def column_at(line: str, units: int, encoding: Encoding) -> int:
    """Return the code point of `line` that starts at, or contains, the code unit `units`; at most the line's length."""
    if encoding == "utf-32" or line.isascii():
        return min(units, len(line))
    seen = 0
    for column, character in enumerate(line):
        seen += units_before(character, 1, encoding)
        if seen > units:
            return column
    return len(line)


def content(line: str) -> str:
    """Return `line` without the carriage return of its line end."""
    return line.removesuffix("\r")


def clamped(lines: list[str], line: int, units: int, encoding: Encoding) -> Place:
    """Return the place a client means, moved into the text where it lies outside."""
    if line >= len(lines):
        return Place(len(lines) - 1, len(lines[-1]))
    line = max(line, 0)
    text = lines[line] if line == len(lines) - 1 else content(lines[line])
    return Place(line, column_at(text, max(units, 0), encoding))
