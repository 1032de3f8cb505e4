"""Patterns that take time in proportion to the text, whatever it holds. This file alone meets RE2."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import attrs
import re2  # type: ignore[import-untyped]  # it has neither types nor stubs

_LOOK_AHEAD = 512


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
    return pattern is None or compiled(pattern).search(text.encode()) is not None


def found_bytes(pattern: str, data: bytes) -> bool:
    """Say whether `pattern`, of ASCII, is found anywhere in `data`."""
    return compiled_bytes(pattern).search(data) is not None


@lru_cache(maxsize=4_096)
def names_match(pattern: str, name: str) -> bool:
    """As `matches_whole`, for names: the same few are asked about again and again."""
    return compiled(pattern).fullmatch(name.encode()) is not None


def matches_whole(pattern: str | None, text: str) -> bool:
    """Say whether `pattern` matches all of `text`; no pattern matches any."""
    return pattern is None or compiled(pattern).fullmatch(text.encode()) is not None


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
        self._pattern = re2.compile(_any_of(by_word), _options()) if by_word else None

    def hits(self, data: bytes, limit: int, start: int = 0, end: int | None = None) -> Iterator[tuple[Anchor, int]]:
        """Yield anchors and the offsets where they begin, in this order, at most `limit` places; they may overlap.

        They begin from `start` on and before `end`; what follows them may stand beyond it.
        """
        end = len(data) if end is None else end
        if self._pattern is None:
            return
        search, at = self._pattern.search, start - 1
        while limit > 0 and (match := search(data, at + 1, end + _LOOK_AHEAD)) is not None:
            limit -= 1
            at = match.start()
            if at >= end:
                return
            known = self._by_stem[data[at : at + self._stem]]
            standing = [(each, len(word)) for word, anchors in known if data.startswith(word, at) for each in anchors]
            for each, length in standing:
                # One alone is what the search has found, together with what has to follow it.
                if len(standing) == 1 or each.after is None or compiled_bytes(each.after).match(data, at + length):
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
