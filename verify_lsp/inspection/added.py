"""Which lines of a text are not in the text before it, and what became of the others."""

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import takewhile

_EXACT = 1_000
"""Up to this many lines on a side are matched in order; a longer stretch by what its lines say alone."""


def added_lines(before: str | None, after: str) -> frozenset[int] | None:
    """Return the 1-based numbers of the lines that `after` adds; None, which means all, when there was no text before."""
    if before is None:
        return None
    old, new = before.split("\n"), after.split("\n")
    first = _alike(old, new)
    rest = min(len(old), len(new)) - first
    last = min(_alike(old[::-1], new[::-1]), rest)
    old, new = old[first : len(old) - last], new[first : len(new) - last]
    return frozenset(first + 1 + index for index in _added(old, new))


def stretch_now(before: str, after: str, line: int) -> range:
    """Return the 1-based lines of `after` that a line of `before` has become.

    That is one line where it was kept; where it was edited, the lines that stand in place of the edited stretch it is in.
    """
    old, new = before.split("\n"), after.split("\n")
    index = line - 1
    for tag, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if start <= index < end:
            kept = new_start + index - start
            return range(kept + 1, kept + 2) if tag == "equal" else range(new_start + 1, new_end + 1)
    return range(0)


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _added(old: Sequence[str], new: Sequence[str]) -> list[int]:
    if not old:
        return list(range(len(new)))
    if max(len(old), len(new)) > _EXACT:
        return _unknown(old, new)
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [index for tag, _, _, start, end in blocks if tag != "equal" for index in range(start, end)]


def _unknown(old: Sequence[str], new: Sequence[str]) -> list[int]:
    left = Counter(old)
    added = []
    for index, line in enumerate(new):
        if left[line] > 0:
            left[line] -= 1
        else:
            added.append(index)
    return added
