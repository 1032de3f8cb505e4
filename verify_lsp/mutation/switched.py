"""Texts with mutants in them: one put in the place of the original, or many beside it, each behind a switch."""

from collections.abc import Callable, Iterable, Mapping

import attrs

from verify_lsp.model.mutant import Mutant


@attrs.frozen
class Choice:
    """A piece of a text that can stand in two forms.

    Attributes:
        number: Of the mutant, from 1.
        start: Offset in bytes of the piece; `end` is exclusive. Pieces may lie within each other, not across.
        write: From the mutant's form of the piece and the original's to the text that chooses between them.
    """

    number: int
    start: int
    end: int
    write: Callable[[bytes, bytes], bytes]


@attrs.frozen
class Switched:
    """A text with mutants built in, all off.

    Attributes:
        rows: By number, the first and last line (1-based) that the choice takes in `text`.
        left: Numbers of mutants that a program of this language cannot choose where they stand.
    """

    text: str
    rows: Mapping[int, tuple[int, int]]
    left: frozenset[int] = frozenset()


def with_mutant(text: str, mutant: Mutant) -> str:
    """Return the text with the mutant's piece replaced; line ends stay what they are."""
    plain = text.replace("\r\n", "\n")
    start, end = span_of(plain, mutant)
    data = plain.encode()
    changed = (data[:start] + mutant.replacement.encode() + data[end:]).decode()
    return changed.replace("\n", "\r\n") if plain != text else changed


def span_of(text: str, mutant: Mutant) -> tuple[int, int]:
    """Return the offsets in bytes of the mutant's piece in a text whose lines end at line feeds."""
    rows = text.split("\n")
    ahead = 1 if text.startswith("\ufeff") else 0
    return (
        _offset(rows, mutant.line, mutant.column, ahead),
        _offset(rows, mutant.end_line, mutant.end_column, ahead),
    )


def compose(
    text: str, choices: Iterable[Choice], mutants: Mapping[int, Mutant]
) -> tuple[str, dict[int, tuple[int, int]]]:
    """Return the text with all choices written, and by number the lines (first, last) that each takes in it.

    Args:
        text: Its lines end at line feeds.
        choices: What they write holds the original's form as it was given.
        mutants: By number; only one is ever on, so that a mutant's form holds no other choice.
    """
    writer = _Writer(text.encode(), {number: span_of(text, mutant) for number, mutant in mutants.items()}, mutants)
    ordered = sorted(choices, key=lambda choice: (choice.start, -choice.end))
    written, places = writer.write(0, len(writer.data), ordered)
    rows = {
        number: (written.count(b"\n", 0, start) + 1, written.count(b"\n", 0, end) + 1) for number, start, end in places
    }
    return written.decode(), rows


_Places = list[tuple[int, int, int]]
"""Number, start and end of what was written for a choice."""


@attrs.frozen
class _Writer:
    data: bytes
    spans: Mapping[int, tuple[int, int]]
    mutants: Mapping[int, Mutant]

    def write(self, start: int, end: int, choices: list[Choice]) -> tuple[bytes, _Places]:
        """Write a part of the text with the choices that lie in it, places relative to the part."""
        out, places, at = bytearray(), list[tuple[int, int, int]](), start
        while choices:
            outer, *rest = choices
            choices = [choice for choice in rest if choice.start >= outer.end]
            out += self.data[at : outer.start]
            below = [choice for choice in rest if choice.start < outer.end]
            original, inner = self.write(outer.start, outer.end, below)
            piece = outer.write(self._mutated(outer), original)
            shift = len(out) + piece.rindex(original)
            places += [(number, left + shift, right + shift) for number, left, right in inner]
            places.append((outer.number, len(out), len(out) + len(piece)))
            out += piece
            at = outer.end
        return bytes(out + self.data[at:end]), places

    def _mutated(self, choice: Choice) -> bytes:
        first, last = self.spans[choice.number]
        replacement = self.mutants[choice.number].replacement.encode()
        return self.data[choice.start : first] + replacement + self.data[last : choice.end]


def _offset(rows: list[str], line: int, column: int, ahead: int) -> int:
    before = sum(len(row.encode()) + 1 for row in rows[: line - 1])
    return before + len(rows[line - 1][: column - 1 + (ahead if line == 1 else 0)].encode())
