"""Patterns that take time in proportion to the text, whatever it holds. This file alone meets RE2."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any

import attrs
import re2  # type: ignore[import-untyped]  # it has neither types nor stubs

_LOOK_AHEAD = 512
_Ask = Callable[[bytes, int, int], Sequence[tuple[int, int]]]
"""Asks RE2 for the span of a match between two offsets of some bytes, which is -1, -1 where there is none."""


@cache
def compiled(pattern: str) -> Any:
    """Return `pattern`, for texts."""
    return re2.compile(pattern, _options())


@cache
def compiled_bytes(pattern: str) -> Any:
    """Return `pattern`, for bytes that are taken as Latin-1."""
    return re2.compile(pattern.encode("ascii"), _options())


def either(patterns: Iterable[str]) -> str:
    """Return a pattern that is found wherever one of some is, in any line of a text."""
    return "|".join(f"(?m:{pattern})" for pattern in patterns)


def found(pattern: str | None, text: str) -> bool:
    """Say whether `pattern` is found anywhere in `text`; no pattern is found everywhere."""
    # As bytes: RE2 would count characters otherwise, which nobody asks for here.
    if pattern is None:
        return True
    data = text.encode()
    return _search(pattern)(data, 0, len(data))[0][0] >= 0


def found_bytes(pattern: str, data: bytes) -> bool:
    """Say whether `pattern`, of ASCII, is found anywhere in `data`."""
    return _search_bytes(pattern)(data, 0, len(data))[0][0] >= 0


def first_place(pattern: str, data: bytes) -> int:
    """Return the offset at which `pattern`, of ASCII, is first found in `data`; -1 where it is not."""
    return _search_bytes(pattern)(data, 0, len(data))[0][0]


@lru_cache(maxsize=4_096)
def names_match(pattern: str, name: str) -> bool:
    """As `matches_whole`, for names: the same few are asked about again and again."""
    return matches_whole(pattern, name)


def matches_whole(pattern: str | None, text: str) -> bool:
    """Say whether `pattern` matches all of `text`; no pattern matches any."""
    if pattern is None:
        return True
    data = text.encode()
    return _whole(pattern)(data, 0, len(data))[0][0] >= 0


# The package's own `search` makes a generator and an object for each answer, which takes twice as long as RE2 does for
# a line: those who only want to know whether and where ask RE2 itself.
_WHERE = re2._re2.RE2.Anchor  # noqa: SLF001  # the package has no other name for it


@cache
def _search(pattern: str) -> _Ask:
    return partial(_asked(compiled(pattern)), _WHERE.UNANCHORED)


@cache
def _search_bytes(pattern: str) -> _Ask:
    return partial(_asked(compiled_bytes(pattern)), _WHERE.UNANCHORED)


@cache
def _begin_bytes(pattern: str) -> _Ask:
    return partial(_asked(compiled_bytes(pattern)), _WHERE.ANCHOR_START)


@cache
def _whole(pattern: str) -> _Ask:
    return partial(_asked(compiled(pattern)), _WHERE.ANCHOR_BOTH)


def _asked(pattern: Any) -> Any:
    return pattern._regexp.Match  # noqa: SLF001  # as above


@attrs.frozen(cache_hash=True)
class Anchor:
    """A fixed text, and what has to match right after it; None where anything may follow."""

    word: str
    after: str | None = None


class Anchors:
    """Finds where one of many anchors stands, in one pass."""

    def __init__(self, anchors: Iterable[Anchor]) -> None:
        by_word: dict[str, list[Anchor]] = {}
        for anchor in sorted(set(anchors), key=lambda anchor: (-len(anchor.word), anchor.word, anchor.after or "")):
            by_word.setdefault(anchor.word, []).append(anchor)
        # The first bytes, as many as each word has, tell most words apart.
        self._stem = min((len(word.encode()) for word in by_word), default=0)
        self._by_stem: dict[bytes, list[tuple[bytes, list[Anchor]]]] = {}
        for word, told in by_word.items():
            self._by_stem.setdefault(word.encode()[: self._stem], []).append((word.encode(), told))
        # What the search has found at a stem that a single anchor has, is this one, with all that has to follow it.
        self._sole = {
            stem: told[0][1][0] for stem, told in self._by_stem.items() if len(told) == 1 and len(told[0][1]) == 1
        }
        pattern = re2.compile(_any_of(by_word), _options()) if by_word else None
        self._search: _Ask | None = None if pattern is None else partial(_asked(pattern), _WHERE.UNANCHORED)

    def hits(self, data: bytes, limit: int, start: int = 0, end: int | None = None) -> Iterator[tuple[Anchor, int]]:
        """Yield anchors and the offsets where they begin, in this order, at most `limit` places; they may overlap.

        They begin from `start` on and before `end`; what follows them may stand beyond it.
        """
        search, stem, sole = self._search, self._stem, self._sole
        end = len(data) if end is None else end
        if search is None:
            return
        farthest = min(end + _LOOK_AHEAD, len(data))
        at = search(data, start, farthest)[0][0]
        while limit > 0 and 0 <= at < end:
            limit -= 1
            only = sole.get(data[at : at + stem])
            if only is not None:
                yield only, at
            else:
                yield from self._standing(data, at)
            at = search(data, at + 1, farthest)[0][0]

    def has_any(self, data: bytes) -> bool:
        """Say whether any anchor stands in a text."""
        return self._search is not None and self._search(data, 0, len(data))[0][0] >= 0

    def _standing(self, data: bytes, at: int) -> Iterator[tuple[Anchor, int]]:
        """Yield those of several anchors with one stem that stand at a place where the search has found some."""
        known = self._by_stem[data[at : at + self._stem]]
        standing = [(each, len(word)) for word, anchors in known if data.startswith(word, at) for each in anchors]
        for each, length in standing:
            if (
                len(standing) == 1
                or each.after is None
                or _begin_bytes(each.after)(data, at + length, len(data))[0][0] >= 0
            ):
                yield each, at


def _any_of(by_word: Mapping[str, Sequence[Anchor]]) -> bytes:
    """Return one pattern that matches where any of the anchors begins; words with the same demands stand together."""
    by_after: dict[tuple[str, ...], list[str]] = {}
    for word, anchors in by_word.items():
        afters = {anchor.after for anchor in anchors}
        demands = () if None in afters else tuple(sorted(after for after in afters if after is not None))
        by_after.setdefault(demands, []).append(word)
    return b"|".join(
        b"(?:"
        + b"|".join(re2.escape(word.encode()) for word in sorted(words))
        + b")"
        # One match a place is enough: what exactly it is, the words and demands say afterwards.
        + (b"(?:" + "|".join(f"(?:{demand})" for demand in demands).encode("ascii") + b")" if demands else b"")
        for demands, words in sorted(by_after.items())
    )


def _options() -> Any:
    options = re2.Options()
    options.max_mem = 16 << 20
    options.log_errors = False
    return options
