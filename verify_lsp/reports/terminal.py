"""Lines for a terminal: wrapped by what characters take up there, and coloured only when asked."""

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Literal

import attrs

Style = Literal["plain", "bold", "dim", "good", "bad", "warn", "note"]

_CODES: dict[Style, str] = {
    "plain": "",
    "bold": "1",
    "dim": "2",
    "good": "32",
    "bad": "31",
    "warn": "33",
    "note": "36",
}
_NARROWEST = 20


@attrs.frozen
class Span:
    """A piece of a line. `whole` keeps it on one line, with its spaces, even where it is too long for it."""

    text: str
    style: Style = "plain"
    whole: bool = False


@attrs.frozen
class Terminal:
    """How lines are to look.

    Attributes:
        width: In columns; 0 never wraps or cuts, as is best for a pipe or a file.
    """

    color: bool
    width: int

    def paragraph(self, *spans: Span, indent: int = 0, hang: int = 0) -> list[str]:
        """Return the spans, with a space between each two, as lines; all but the first are indented by `hang`."""
        lines: list[list[Span]] = [[]]
        used, start = indent, indent
        for word in self._words(spans, hang):
            gap = 1 if used > start else 0
            if gap and self.width and used + gap + cells(word.text) > self._limit(start):
                lines.append([])
                used = start = hang
                gap = 0
            lines[-1].append(word)
            used += gap + cells(word.text)
        margins = [indent] + [hang] * (len(lines) - 1)
        return [" " * margin + self._painted(line) for margin, line in zip(margins, lines, strict=True)]

    def whole_line(self, *spans: Span, indent: int = 0) -> str:
        """Return the spans on one line, however long."""
        return " " * indent + " ".join(self.paint(span.text, span.style) for span in spans)

    def line(self, span: Span, *, indent: int = 0) -> str:
        """Return one line, cut with an ellipsis where it is too long."""
        room = self._limit(indent) - indent
        text = (cut_cells(span.text, room) if self.width else span.text).rstrip()
        return " " * indent + self.paint(text, span.style)

    def paint(self, text: str, style: Style) -> str:
        """Return `text` with the codes of `style` around it, where colours are wanted."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.color and _CODES[style] and text else text

    def _limit(self, start: int) -> int:
        return max(self.width, start + _NARROWEST)

    def _words(self, spans: Iterable[Span], hang: int) -> Iterator[Span]:
        room = self._limit(hang) - hang
        for span in spans:
            for word in [span.text] if span.whole else span.text.split():
                pieces = [word] if span.whole or not self.width else broken(word, room)
                yield from (attrs.evolve(span, text=piece) for piece in pieces if piece)

    def _painted(self, words: list[Span]) -> str:
        """Neighbours of one style are painted together, so that a colour is switched on once."""
        parts: list[Span] = []
        for word in words:
            if parts and parts[-1].style == word.style:
                parts[-1] = Span(f"{parts[-1].text} {word.text}", word.style)
            else:
                parts.append(word)
        return " ".join(self.paint(part.text, part.style) for part in parts)


def cells(text: str) -> int:
    """Return how many columns `text` takes up: wide characters two, combining ones none."""
    return len(text) if text.isascii() else sum(_cells(character) for character in text)


def cut_cells(text: str, width: int) -> str:
    """Return the beginning of `text` that fits `width` columns with its ellipsis."""
    if cells(text) <= width:
        return text
    beginning = broken(text, width - 1)[0]
    return (beginning.rstrip() if cells(beginning) < width else "") + "…"


def broken(word: str, width: int) -> list[str]:
    """Return `word` in pieces that fit `width` columns each."""
    pieces = [""]
    used = 0
    for character in word:
        needed = _cells(character)
        if used + needed > width and pieces[-1]:
            pieces.append("")
            used = 0
        pieces[-1] += character
        used += needed
    return pieces


def _cells(character: str) -> int:
    if character < "\u0300":
        return 1
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
