"""What is known of each file, from four sides: runs, tools that read the saved file, rules, and the text itself."""

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from verify_lsp.server.board.board import Board
from verify_lsp.server.board.spans import Placed
from verify_lsp.server.texts.document import LineEdit


class Layers:
    """One board for each side, so that each replaces only what it had found itself.

    Attributes:
        runs: What the last run of a folder found.
        tools: What tools said of a saved file.
        rules: What rules say of a text's new lines.
        texts: What is wrong with the present text itself, as soon as it was looked at.
    """

    def __init__(self) -> None:
        self.runs, self.tools, self.rules, self.texts = Board(), Board(), Board(), Board()

    @property
    def all(self) -> tuple[Board, ...]:
        """The boards, the one with the latest word first."""
        return self.texts, self.tools, self.rules, self.runs

    def files(self) -> set[str]:
        """Return all files that something is known of."""
        return set().union(*(board.sheets for board in self.all))

    def knows(self, key: str) -> bool:
        """Return whether something is known of a file."""
        return any(key in board.sheets for board in self.all)

    def settle(self, key: str, present: str | None) -> set[str]:
        """Look at a file anew; `present` is its text now, None when it is gone or unknown."""
        return set().union(*(board.settle(key, present) for board in self.all))

    def edit(self, key: str, edits: Iterable[LineEdit], present: str | None) -> set[str]:
        """Follow the edits of an open document."""
        edits = list(edits)
        return set().union(*(board.edit(key, edits, present) for board in self.all))

    def take_down(self, key: str) -> set[str]:
        """Forget what was found in one file, but for what a run found."""
        return self.texts.take_down(key) | self.rules.take_down(key) | self.tools.take_down(key)

    def rename(self, old: str, new: str, new_path: str) -> set[str]:
        """Let the findings of a file go with it to its new name."""
        return set().union(*(board.rename(old, new, new_path) for board in self.all))

    def standing(self, key: str) -> tuple[Placed, ...]:
        """Return what is to be shown of a file, each finding once, however many sides know it."""
        found = [board.standing(key) for board in self.all]
        if sum(map(bool, found)) <= 1:
            return next(filter(None, found), ())
        return tuple(_once(one for placed in found for one in placed))

    def shown(self) -> Iterator[tuple[str, tuple[Placed, ...]]]:
        """Yield every file that something is to be shown of."""
        for key in self.files():
            if placed := self.standing(key):
                yield key, placed

    def settled(self, key: str) -> str:
        """Return the text of a file that is not open, as it was last looked at."""
        texts = (sheet.settled for board in self.all if (sheet := board.sheets.get(key)) is not None)
        return next((text for text in texts if text is not None), "")

    def path_of(self, key: str) -> str | None:
        """Return the absolute path of a file, in the workspace's own spelling."""
        return next((sheet.verified.path for board in self.all if (sheet := board.sheets.get(key)) is not None), None)


def _once(placed: Iterable[Placed]) -> Iterator[Placed]:
    """Of those that say the same of the same place, the first, with what the others know beside it."""
    kept: dict[tuple[Any, ...], Placed] = {}
    for one in placed:
        finding = one.finding
        same = (finding.check, finding.rule, one.span.line, one.span.column, finding.message)
        if (first := kept.setdefault(same, one)) is not one:
            kept[same] = attrs.evolve(
                first,
                report_id=first.report_id or one.report_id,
                finding=attrs.evolve(first.finding, preexisting=first.finding.preexisting or finding.preexisting),
            )
    yield from kept.values()
