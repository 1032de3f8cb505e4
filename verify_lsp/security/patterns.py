"""Patterns that take time in proportion to the text, whatever it holds. This file alone meets RE2."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import re2  # type: ignore[import-untyped]  # it has neither types nor stubs


@cache
def compiled(pattern: str) -> Any:
    """Return `pattern`, for texts."""
    return re2.compile(pattern, _options())


@cache
def compiled_bytes(pattern: str) -> Any:
    """Return `pattern`, for bytes that are taken as Latin-1."""
    return re2.compile(pattern.encode("ascii"), _options())


def found(pattern: str | None, text: str) -> bool:
    """Say whether `pattern` is found anywhere in `text`; no pattern is found everywhere."""
    return pattern is None or compiled(pattern).search(text) is not None


def found_bytes(pattern: str, data: bytes) -> bool:
    """Say whether `pattern`, of ASCII, is found anywhere in `data`."""
    return compiled_bytes(pattern).search(data) is not None


def matches_whole(pattern: str | None, text: str) -> bool:
    """Say whether `pattern` matches all of `text`; no pattern matches any."""
    return pattern is None or compiled(pattern).fullmatch(text) is not None


class Anchors:
    """Finds where one of many fixed texts stands, in one pass."""

    def __init__(self, words: Iterable[str]) -> None:
        by_length = sorted(set(words), key=lambda word: (-len(word), word))
        self._inner = {word: tuple(other for other in by_length if other in word) for word in by_length}
        either = b"|".join(re2.escape(word.encode()) for word in by_length)
        self._pattern = re2.compile(either, _options()) if by_length else None

    def hits(self, data: bytes, limit: int, start: int = 0, end: int | None = None) -> Iterator[tuple[str, int]]:
        """Yield words and the offsets where they begin, at most `limit` places; words may lie inside of others."""
        end = len(data) if end is None else end
        if self._pattern is None:
            return
        search = self._pattern.search
        match = search(data, start, end)
        while match is not None and limit > 0:
            limit -= 1
            at, word = match.start(), match.group().decode()
            for inner in self._inner[word]:
                yield inner, at + len(word[: word.index(inner)].encode())
            match = search(data, at + 1, end)


def _options() -> Any:
    options = re2.Options()
    options.max_mem = 16 << 20
    options.log_errors = False
    return options
