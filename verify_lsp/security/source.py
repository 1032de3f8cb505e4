"""A text as the rules see it: bytes, lines, and a syntax tree once somebody asks for it."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import accumulate, repeat
from typing import TYPE_CHECKING

from verify_lsp.judgement.files.file_kinds import is_test
from verify_lsp.security.expressions import Expression
from verify_lsp.security.imports import names_of
from verify_lsp.security.kinds import kinds_of
from verify_lsp.syntax.languages import Language

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

PARSED_BYTES = 2_000_000
"""A longer text is held against the rules for texts alone."""
PARSED_LINE_BYTES = 20_000
"""A text with a longer line was written by a program; its tree would say little and cost much."""

_STEP = 16_384


class Source:
    """One text under one name. Offsets count bytes of UTF-8; lines are 1-based and end at line feeds alone."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.data = text.encode("utf-8", "surrogatepass")
        self.is_ascii = len(self.data) == len(text)
        self.kinds = kinds_of(path, text)
        """What kinds of text this is."""
        self.language = _language_among(self.kinds)
        """The grammar that reads it."""
        self.bound_places: dict[tuple[str, int], list[int]] = {}
        """Where names seem to be bound, by name and stretch of text: kept for `code.bindings`."""
        self.bound_texts: dict[tuple[str, int], tuple[Expression, ...] | None] = {}
        """What they seem to be bound to there, None where that is not clear: kept for `code.bindings`."""
        self.added_names: frozenset[bytes] | None = None
        """The names that are added to, once somebody asked: kept for `code.bindings`."""
        self.told: dict[tuple[str, bytes, frozenset[int]], bool] = {}
        """What expressions may hold, by question, text and stretches: kept for `code.reach`."""
        self.first_source: int | None = None
        """Where something first comes from a request, once somebody asked: kept for `code.reach`."""
        self.has_route: bool | None = None
        """Whether functions seem to answer requests, once somebody asked: kept for `code.routes`."""

    @cached_property
    def is_test(self) -> bool:
        """Whether it belongs to the tests."""
        return is_test(self.path)

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line begins."""
        lengths = map(len, self.data.split(b"\n")[:-1])
        # Without a line of Python for each line of the text: its length and its end.
        return [0, *accumulate(map(int.__add__, lengths, repeat(1)))]

    @cached_property
    def line_count(self) -> int:
        """How many lines there are, the last of which may be empty."""
        return self.data.count(b"\n") + 1

    def spans_of(self, ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yield where ranges of lines (first, last; in order, apart from each other) begin and end.

        It costs next to nothing beside `starts`, which knows all lines.
        """
        line, at = 1, 0
        for first, last in ranges:
            start = self._after_lines(at, first - line)
            line, at = last + 1, self._after_lines(start, last + 1 - first)
            yield start, at

    def _after_lines(self, offset: int, count: int) -> int:
        """Return the offset after so many further lines, or the text's end."""
        while count > 0 and offset < len(self.data):
            ends = self.data.count(b"\n", offset, offset + _STEP)
            if ends < count:
                count, offset = count - ends, offset + _STEP
                continue
            part = self.data[offset : offset + _STEP]
            return offset + len(part) - len(part.split(b"\n", count)[count])
        return min(offset, len(self.data))

    def line_of(self, offset: int) -> int:
        """Return the line that holds an offset."""
        return bisect_right(self.starts, offset)

    def line_span(self, line: int) -> tuple[int, int]:
        """Return where a line begins and ends, without its line end."""
        start = self.starts[line - 1]
        end = self.starts[line] - 1 if line < len(self.starts) else len(self.data)
        return start, end - 1 if end > start and self.data[end - 1 : end] == b"\r" else end

    def slice(self, start: int, end: int) -> str:
        """Return the text from one offset to another."""
        return self.data[start:end].decode("utf-8", "replace")

    def line_text(self, line: int) -> str:
        """Return a line without its end."""
        return self.slice(*self.line_span(line))

    def column(self, offset: int) -> int:
        """Return the 1-based column of an offset, in code points."""
        start = self.starts[self.line_of(offset) - 1]
        return (offset - start if self.is_ascii else len(self.slice(start, offset))) + 1

    def code_points(self, offset: int) -> int:
        """Return how many code points of the text come before an offset."""
        return offset if self.is_ascii else len(self.data[:offset].decode("utf-8", "surrogatepass"))

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The full names of what is imported."""
        return names_of(self.language, self.text) if self.language else {}

    @property
    def unparsed(self) -> str | None:
        """Why there is no tree although there is a grammar; None where there is one."""
        if self.language is None or len(self.data) <= PARSED_LINE_BYTES:
            return None
        if len(self.data) > PARSED_BYTES:
            return f"longer than {PARSED_BYTES // 1_000_000} MB"
        return "has lines that only a program writes" if self._has_long_line() else None

    def _has_long_line(self) -> bool:
        """Whether a line is longer than one may be, told from one line end in as many bytes as a line may have."""
        at = 0
        while len(self.data) - at > PARSED_LINE_BYTES:
            last = self.data.rfind(b"\n", at, at + PARSED_LINE_BYTES + 1)
            if last < 0:
                return True
            at = last + 1
        return False

    @cached_property
    def tree(self) -> "Tree | None":
        """The syntax tree; None where nothing reads this kind of text, or it is too large to be worth it."""
        if self.language is None or self.unparsed is not None:
            return None
        from verify_lsp.syntax.trees import parse

        return parse(self.language, self.data)

    @property
    def root(self) -> "Node | None":
        """The root of the tree."""
        return None if self.tree is None else self.tree.root_node

    def parses_after(self, edits: Sequence[tuple[int, int, bytes]]) -> bool:
        """Say whether the text parses without an error after edits: start, end, new bytes; in order, without overlaps."""
        if self.tree is None or self.language is None:
            return False
        from verify_lsp.syntax.trees import parse

        tree, data = self.tree.copy(), self.data
        for start, end, new in reversed(edits):
            data = data[:start] + new + data[end:]
            rows, _, last = new.rpartition(b"\n")
            at = self._point(start)
            ends = (at[0] + rows.count(b"\n") + 1, len(last)) if b"\n" in new else (at[0], at[1] + len(new))
            tree.edit(start, end, start + len(new), at, self._point(end), ends)
        return not parse(self.language, data, tree).root_node.has_error

    def _point(self, offset: int) -> tuple[int, int]:
        line = self.line_of(offset)
        return line - 1, offset - self.starts[line - 1]


@cache
def _language_among(kinds: frozenset[str]) -> Language | None:
    if "tsx" in kinds:
        return "tsx"
    known: tuple[Language, ...] = ("python", "javascript", "typescript", "go", "rust", "shell")
    return next((name for name in known if name in kinds), None)
