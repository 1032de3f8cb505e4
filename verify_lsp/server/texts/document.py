"""An open document: its lines, and what each change did to them."""

from collections.abc import Iterator

import attrs

from verify_lsp.server.positions import Encoding, Place, clamped


@attrs.frozen
class Change:
    """A content change as the client sent it. Without a start it replaces the whole text."""

    text: str
    start: tuple[int, int] | None = None
    end: tuple[int, int] | None = None


@attrs.frozen
class LineEdit:
    """What a change did to the lines `first` to `last` of the old text; `last` below `first` means none.

    Attributes:
        delta: By how much later lines moved.
        first_stands: The old line `first` still stands, word for word, where it stood.
        last_stands: The old line `last` still stands, word for word, at its moved place.
    """

    first: int
    last: int
    delta: int
    first_stands: bool = False
    last_stands: bool = False

    def moved(self, line: int) -> int | None:
        """Return where the old line `line` is now; None when it was edited."""
        if line < self.first or (line == self.first and self.first_stands):
            return line
        if line > self.last or (line == self.last and self.last_stands):
            return line + self.delta
        return None


@attrs.define
class Document:
    """The text of an open document.

    Attributes:
        uri: As the client spells it.
        version: The client's number for this text; None when it gave none.
        lines: The text split at line feeds.
        language: What the client calls the language.
        synced: False after a change that could not be read: then we do not know the text.
        saved: True while the text is what stands on disk.
    """

    uri: str
    version: int | None
    lines: list[str]
    language: str = ""
    synced: bool = True
    saved: bool = False

    @classmethod
    def opened(cls, uri: str, version: int | None, text: str, language: str = "") -> "Document":
        """Return a document with this text."""
        return cls(uri, version, text.split("\n"), language)

    def text(self) -> str | None:
        """Return the whole text; None when it is not known."""
        return "\n".join(self.lines) if self.synced else None

    def apply(self, change: Change, encoding: Encoding) -> LineEdit:
        """Change the text, and tell what became of its lines."""
        self.saved = False
        if change.start is None or change.end is None:
            return self._replace_all(change.text)
        start = clamped(self.lines, *change.start, encoding)
        end = clamped(self.lines, *change.end, encoding)
        if (end.line, end.column) < (start.line, start.column):
            start, end = end, start
        return self._replace(start, end, change.text)

    def _replace(self, start: Place, end: Place, text: str) -> LineEdit:
        old_first, old_last = self.lines[start.line], self.lines[end.line]
        new = (old_first[: start.column] + text + old_last[end.column :]).split("\n")
        self.lines[start.line : end.line + 1] = new
        delta = len(new) - (end.line - start.line + 1)
        return LineEdit(start.line, end.line, delta, new[0] == old_first, new[-1] == old_last)

    def _replace_all(self, text: str) -> LineEdit:
        old, new = self.lines, text.split("\n")
        shorter = min(len(old), len(new))
        before = _same(zip(old, new, strict=False))
        after = min(_same(zip(reversed(old), reversed(new), strict=False)), shorter - before)
        self.lines = new
        self.synced = True
        return LineEdit(before, len(old) - 1 - after, len(new) - len(old))


def _same(pairs: Iterator[tuple[str, str]]) -> int:
    count = 0
    for one, other in pairs:
        if one != other:
            break
        count += 1
    return count
