"""The board: for each file the findings that hold for its present text. What is not sure to hold is not on it."""

from collections.abc import Iterable, Mapping

import attrs

from verify_lsp.server.board.spans import Placed, carried_over, moved, same_text
from verify_lsp.server.texts.disk import OnDisk, Stamp
from verify_lsp.server.texts.document import LineEdit


@attrs.frozen
class Verified:
    """The findings of one file together with the text they were found in.

    Attributes:
        key: The file, by `texts.uris.key_of`.
        path: Absolute path in the workspace's own spelling.
        on_disk: The file as it was when the run ended.
    """

    key: str
    path: str
    text: str
    placed: tuple[Placed, ...]
    on_disk: OnDisk = OnDisk()


@attrs.define
class Sheet:
    """What the board holds of one file: as it was verified, and what of it still stands.

    Attributes:
        source: Who put it up; the same source replaces all its sheets at once.
        settled: The text that was last looked at as a whole; None when the file is not there, and
            then nothing is shown of it.
        stamp: The state of the file on disk that was last looked at.
    """

    source: str
    verified: Verified
    standing: tuple[Placed, ...] = ()
    settled: str | None = None
    stamp: Stamp | None = None

    def settle(self, present: str | None) -> None:
        """Show what was verified when `present` is that very text, and nothing otherwise."""
        self.settled = present
        if present is not None and same_text(self.verified.text, present):
            self.standing = carried_over(self.verified.placed, self.verified.text, present)
        else:
            self.standing = ()

    def edit(self, edits: Iterable[LineEdit], present: str | None) -> None:
        """Follow the edits of an open document; a text that is back at what was verified shows all again."""
        if self.settled is None:
            return
        if present is None or same_text(self.verified.text, present):
            self.settle(present)
            return
        for edit in edits:
            self.standing = tuple(
                attrs.evolve(one, span=span) for one in self.standing if (span := moved(one.span, edit)) is not None
            )


class Board:
    """All sheets, by file. Methods answer which files may look different now."""

    def __init__(self) -> None:
        self.sheets: dict[str, Sheet] = {}

    def put_up(self, source: str, files: Iterable[Verified], present: Mapping[str, str | None]) -> set[str]:
        """Replace all that `source` had put up by `files`.

        Args:
            source: A workspace folder, as its findings come and go together.
            files: What was found, file by file; files without findings need not be named.
            present: The present text of open documents, by file; other files are as they are on disk.
        """
        changed = {key for key, sheet in self.sheets.items() if sheet.source == source}
        for key in changed:
            del self.sheets[key]
        for file in files:
            sheet = Sheet(source, file, stamp=file.on_disk.stamp)
            sheet.settle(present.get(file.key, file.on_disk.text))
            self.sheets[file.key] = sheet
            changed.add(file.key)
        return changed

    def replace(self, file: Verified, present: str | None) -> set[str]:
        """Put up what was found in one file in place of what was there, whoever had put it up."""
        before = self.sheets.pop(file.key, None)
        if file.placed:
            self.sheets[file.key] = sheet = Sheet(file.key, file, stamp=file.on_disk.stamp)
            sheet.settle(present)
        return {file.key} if before is not None or file.placed else set()

    def take_down(self, key: str) -> set[str]:
        """Forget what was found in one file."""
        return set() if self.sheets.pop(key, None) is None else {key}

    def settle(self, key: str, present: str | None) -> set[str]:
        """Look at a file anew; `present` is its text now, None when it is gone or unknown."""
        if (sheet := self.sheets.get(key)) is None:
            return set()
        sheet.settle(present)
        return {key}

    def edit(self, key: str, edits: Iterable[LineEdit], present: str | None) -> set[str]:
        """Follow the edits of an open document."""
        if (sheet := self.sheets.get(key)) is None:
            return set()
        sheet.edit(edits, present)
        return {key}

    def rename(self, old: str, new: str, new_path: str) -> set[str]:
        """Let the findings of a file go with it to its new name."""
        if (sheet := self.sheets.pop(old, None)) is None:
            return set()
        sheet.verified = attrs.evolve(sheet.verified, key=new, path=new_path)
        self.sheets[new] = sheet
        return {old, new}

    def standing(self, key: str) -> tuple[Placed, ...]:
        """Return what is to be shown of a file."""
        sheet = self.sheets.get(key)
        return () if sheet is None else sheet.standing
