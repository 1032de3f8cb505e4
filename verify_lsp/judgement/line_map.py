"""Which line is which, before and after a change."""

from bisect import bisect_left
from collections.abc import Sequence

import attrs

from verify_lsp.model.change import FileChange


@attrs.frozen
class LineMap:
    """Where the lines that a change kept stand, before and after it.

    Attributes:
        added: The numbers of added lines, as in the text after; sorted.
        removed: The numbers of removed lines, as in the text before; sorted.
    """

    added: tuple[int, ...]
    removed: tuple[int, ...]
    _kept_above_added: tuple[int, ...]
    _kept_above_removed: tuple[int, ...]

    @classmethod
    def of(cls, file: FileChange) -> "LineMap":
        """Return the map of one changed file."""
        added = tuple(sorted({line.line for line in file.added_lines}))
        removed = tuple(sorted({line.line for line in file.removed_lines}))
        return cls(added, removed, _kept_above(added), _kept_above(removed))

    def to_new(self, line: int) -> int | None:
        """Return where a line of the text before stands after; None when it was removed."""
        return _moved(line, self.removed, self._kept_above_added)

    def to_old(self, line: int) -> int | None:
        """Return where a line of the text after stood before; None when it was added."""
        return _moved(line, self.added, self._kept_above_removed)

    def gap_of_added(self, line: int) -> int | None:
        """Return which gap between kept lines an added line stands in; None when it was not added."""
        return _gap(line, self.added, self._kept_above_added)

    def gap_of_removed(self, line: int) -> int | None:
        """Return which gap between kept lines a removed line stood in; None when it was not removed."""
        return _gap(line, self.removed, self._kept_above_removed)


def _kept_above(numbers: Sequence[int]) -> tuple[int, ...]:
    return tuple(number - 1 - position for position, number in enumerate(numbers))


def _moved(line: int, gone: Sequence[int], kept_above_come: Sequence[int]) -> int | None:
    if line < 1:
        return line
    position = bisect_left(gone, line)
    if position < len(gone) and gone[position] == line:
        return None
    kept = line - position
    return kept + bisect_left(kept_above_come, kept)


def _gap(line: int, numbers: Sequence[int], kept_above: Sequence[int]) -> int | None:
    position = bisect_left(numbers, line)
    return kept_above[position] if position < len(numbers) and numbers[position] == line else None
