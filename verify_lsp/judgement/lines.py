"""Which problems were there before a change: this decides who is blamed for them."""

import difflib
import re
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

import attrs

from verify_lsp.judgement.line_map import LineMap
from verify_lsp.model.change import Change, FileChange
from verify_lsp.model.finding import Problem

_NEAR = (1, -1, 2, -2, 3, -3)
_SPAN_LIMIT = 200
_SIMILAR = 0.6
_COMPARED_CHARACTERS = 300
_COMPARED_CANDIDATES = 30
_TELLING_TEXT = re.compile(r"\w.*\w.*\w.*\w")

_LINE_NUMBER = re.compile(
    r"\b(?:lines?|ln|columns?|cols?|char(?:acter)?|offset)\.?\s*\d+(?:\s*(?:-|\u2013|to|and|:|,)\s*\d+)?"
    r"|(?<=[\w)\]'\"]):\d+(?::\d+)?(?!\w)"  # a.py:12:5
    r"|[(\[]\d+\s*[,:]\s*\d+[)\]]"  # a.ts(12,5)
    r"|\bL\d+(?:-L?\d+)?\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def match_preexisting(now: Sequence[Problem], before: Sequence[Problem], change: Change) -> tuple[bool, ...]:
    """Tell for each problem of `now` whether it was among those of `before`.

    Paths are workspace-relative; `before` uses the names of the base, renames are followed. A problem of `before`
    answers for one problem of `now` at most: of two where one was, one is new. What is surest is matched first:
    the same line, the same text on another line, and only then what merely stands where the other stood.

    Returns:
        One flag for each problem of `now`, in its order.
    """
    sides = _Sides.of(change)
    left_now = {index: sides.place_now(problem) for index, problem in enumerate(now)}
    left_before = {index: sides.place_before(problem) for index, problem in enumerate(before)}
    for tier in _TIERS:
        _match(tier, left_now, left_before)
    return tuple(index not in left_now for index in range(len(now)))


def without_line_numbers(message: str) -> str:
    """Return `message` with the numbers of lines and columns taken out, as they move with every edit."""
    return _LINE_NUMBER.sub("#", message)


@attrs.frozen
class _Placed:
    """A problem of either side, in the names and line numbers of the text after.

    Attributes:
        line: None when the line was removed.
        changed: True when the line was added or removed.
        text: The line without the space around it; empty where it is not known.
        gap: For a changed line, which gap between kept lines it stands in.
        end: "first" or "last" when the problem stands on the file's first or last line.
    """

    problem: Problem
    path: str
    message: str
    line: int | None
    changed: bool = False
    text: str = ""
    gap: int | None = None
    end: str | None = None

    @property
    def same(self) -> tuple[str, str, str]:
        return (self.path, self.problem.rule, self.message)


@attrs.frozen
class _Text:
    """One side of a file: its lines where they are known."""

    file: FileChange
    lines: LineMap
    text: tuple[str, ...]
    changed: dict[int, str]

    @classmethod
    def of(cls, file: FileChange, lines: LineMap, *, after: bool) -> "_Text":
        whole = file.after if after else file.before
        changed = {line.line: line.text for line in (file.added_lines if after else file.removed_lines)}
        return cls(file, lines, tuple(whole.split("\n")) if whole is not None else (), changed)

    def at(self, line: int) -> str:
        known = self.text[line - 1] if 0 < line <= len(self.text) else self.changed.get(line, "")
        return known.strip()

    def end(self, line: int) -> str | None:
        if line <= 1:
            return "first"
        last = len(self.text) - (1 if self.text and not self.text[-1] else 0)
        return "last" if last and line >= last else None


@attrs.frozen
class _Sides:
    """The changed files by the name a problem of each side knows them by."""

    after: dict[str, _Text]
    before: dict[str, _Text]

    @classmethod
    def of(cls, change: Change) -> "_Sides":
        after, before = {}, {}
        for file in change.files:
            lines = LineMap.of(file)
            after[file.path] = _Text.of(file, lines, after=True)
            # What a copy was made of is still there and answers for itself.
            name = file.old_path if file.change == "renamed" and file.old_path else file.path
            before[name] = _Text.of(file, lines, after=False)
        return cls(after, before)

    def place_now(self, problem: Problem) -> _Placed:
        message = without_line_numbers(problem.message)
        side = self.after.get(problem.path)
        if side is None:
            return _Placed(problem, problem.path, message, problem.line)
        gap = side.lines.gap_of_added(problem.line)
        text, end = side.at(problem.line), side.end(problem.line)
        return _Placed(problem, problem.path, message, problem.line, gap is not None, text, gap, end)

    def place_before(self, problem: Problem) -> _Placed:
        message = without_line_numbers(problem.message)
        side = self.before.get(problem.path)
        if side is None:
            return _Placed(problem, problem.path, message, problem.line)
        line, gap = side.lines.to_new(problem.line), side.lines.gap_of_removed(problem.line)
        text, end = side.at(problem.line), side.end(problem.line)
        return _Placed(problem, side.file.path, message, line, gap is not None, text, gap, end)


@attrs.frozen
class _Tier:
    """One way for two problems to be the same: they share a key, and `accepts` agrees.

    A problem of `now` may try several keys, the likeliest first.
    """

    keys_now: Callable[[_Placed], Iterable[Hashable]]
    key_before: Callable[[_Placed], Hashable | None]
    accepts: Callable[[_Placed, _Placed], bool] = lambda _now, _before: True


def _match(tier: _Tier, left_now: dict[int, _Placed], left_before: dict[int, _Placed]) -> None:
    """Take the pairs that `tier` sees out of both sides."""
    waiting: dict[Hashable, deque[int]] = defaultdict(deque)
    for index, placed in left_before.items():
        key = tier.key_before(placed)
        if key is not None:
            waiting[key].append(index)
    for index, placed in tuple(left_now.items()):
        for key in tier.keys_now(placed):
            partner = _partner(tier, placed, waiting.get(key), left_before)
            if partner is not None:
                del left_now[index], left_before[partner]
                break


def _partner(
    tier: _Tier, placed: _Placed, candidates: deque[int] | None, left_before: dict[int, _Placed]
) -> int | None:
    for position, index in enumerate(candidates or ()):
        if position == _COMPARED_CANDIDATES:
            break
        if tier.accepts(placed, left_before[index]):
            del candidates[position]  # type: ignore[union-attr]  # there are candidates, or there is no loop
            return index
    return None


def _on_line(placed: _Placed) -> Hashable | None:
    return None if placed.line is None else (*placed.same, placed.line)


def _at_line(placed: _Placed) -> Iterator[Hashable]:
    yield (*placed.same, placed.line)


def _with_text(placed: _Placed) -> Hashable | None:
    return (*placed.same, placed.text) if placed.text else None


def _around(placed: _Placed) -> Iterator[Hashable]:
    """A kept line's problem may be told a line or two off; an added line's problem is of that line."""
    if placed.line is not None and placed.line > 0 and not placed.changed:
        yield from ((*placed.same, placed.line + step) for step in _NEAR)


def _within(placed: _Placed) -> Iterator[Hashable]:
    """A problem of a whole block, such as its imports' order, is told at whatever line now comes first."""
    first, last = placed.problem.line, placed.problem.end_line or 0
    yield from ((*placed.same, line) for line in range(first, min(last, first + _SPAN_LIMIT) + 1))


def _at_end(placed: _Placed) -> Hashable | None:
    return (*placed.same, placed.end) if placed.end else None


def _in_gap(placed: _Placed) -> Hashable | None:
    return None if placed.gap is None else (*placed.same, placed.gap)


def _similar(now: _Placed, before: _Placed) -> bool:
    one, other = now.text[:_COMPARED_CHARACTERS], before.text[:_COMPARED_CHARACTERS]
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    return matcher.real_quick_ratio() >= _SIMILAR and matcher.ratio() >= _SIMILAR


def _but_for_numbers(placed: _Placed) -> Hashable | None:
    """On a kept line, "too complex (12)" and "too complex (13)" are one problem."""
    if placed.line is None or placed.changed:
        return None
    return (placed.path, placed.problem.rule, _NUMBER.sub("#", placed.message), placed.line)


def _moved_text(placed: _Placed) -> Hashable | None:
    """A line cut here and pasted there takes its problem along, even to another file."""
    if not placed.changed or not _TELLING_TEXT.search(placed.text):
        return None
    return (placed.problem.rule, placed.message, placed.text)


def _only(key: Callable[[_Placed], Hashable | None]) -> Callable[[_Placed], Iterator[Hashable]]:
    def keys(placed: _Placed) -> Iterator[Hashable]:
        found = key(placed)
        if found is not None:
            yield found

    return keys


_TIERS = (
    _Tier(_at_line, _on_line),
    _Tier(_only(_with_text), _with_text),
    _Tier(_around, _on_line),
    _Tier(_within, _on_line),
    _Tier(_only(_at_end), _at_end),
    _Tier(_only(_in_gap), _in_gap, _similar),
    _Tier(_only(_but_for_numbers), _but_for_numbers),
    _Tier(_only(_moved_text), _moved_text),
)
