"""Where a finding stands in a text, and where it stands after an edit."""

import re

import attrs

from verify_lsp.model.finding import Finding
from verify_lsp.model.mutant import TriedMutant
from verify_lsp.server.positions import content
from verify_lsp.server.texts.document import LineEdit

_LINE_END = re.compile(r"\r\n|\r|\n")


@attrs.frozen
class Span:
    """A range of a text: 0-based lines, 0-based columns in code points, end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@attrs.frozen
class Placed:
    """A finding at its place in the present text.

    Attributes:
        report_id: The report that it stands in; empty for what no run has found yet.
        mutant: What it is about, for a finding of the check `mutation`; its place is that of the verified text.
    """

    finding: Finding
    span: Span
    report_id: str = ""
    mutant: TriedMutant | None = None


def span_of(finding: Finding, lines: list[str]) -> Span:
    """Return the place of `finding` in the text it was found in, moved into the text where it lies outside.

    Without a column the line's own text is meant; without an end, the rest of the line.
    """
    line = min(max(finding.line - 1, 0), len(lines) - 1)
    text = content(lines[line])
    indent = len(text) - len(text.lstrip())
    column = indent if finding.column is None else min(max(finding.column - 1, 0), len(text))
    if finding.end_column is None:
        return Span(line, column, line, max(column, len(text.rstrip())))
    end_line = min(max((finding.end_line or finding.line) - 1, line), len(lines) - 1)
    end_column = min(max(finding.end_column - 1, 0), len(content(lines[end_line])))
    if end_line == line:
        end_column = max(end_column, column)
    return Span(line, column, end_line, end_column)


def moved(span: Span, edit: LineEdit) -> Span | None:
    """Return where `span` is after `edit`; None when one of its own lines was edited."""
    touched = range(max(span.line, edit.first), min(span.end_line, edit.last) + 1)
    first, last = edit.moved(span.line), edit.moved(span.end_line)
    if first is None or last is None or last - first != span.end_line - span.line:
        return None
    if any(edit.moved(line) is None for line in touched):
        return None
    return attrs.evolve(span, line=first, end_line=last)


def same_text(one: str, other: str) -> bool:
    """Return whether two texts differ in nothing but line ends and a byte order mark.

    Editors give a file with mixed line ends one kind of them, and keep the mark to themselves.
    """
    return one == other or (_unified_length(one) == _unified_length(other) and unified(one) == unified(other))


def unified(text: str) -> str:
    """Return `text` with every line end as a line feed, and without a byte order mark."""
    return _LINE_END.sub("\n", text.removeprefix("\ufeff"))


def _unified_length(text: str) -> int:
    return len(text) - text.count("\r\n") - text.startswith("\ufeff")


def carried_over(placed: tuple[Placed, ...], verified: str, present: str) -> tuple[Placed, ...]:
    """Return the findings of the text `verified` at their places in `present`, which is `same_text` as that.

    The two count lines differently where one of them has a carriage return that ends no line.
    """
    if verified == present:
        return placed
    lines = verified.split("\n")
    starts = [0, *(end.end() for end in _LINE_END.finditer(present))]
    mark = len(present) - len(present.removeprefix("\ufeff"))

    def carried(line: int, column: int) -> tuple[int, int]:
        before = unified("\n".join([*lines[:line], lines[line][:column]]))
        start = starts[before.count("\n")]
        offset = start + len(before) - (before.rfind("\n") + 1) + (mark if start == 0 else 0)
        return present.count("\n", 0, offset), offset - (present.rfind("\n", 0, offset) + 1)

    def placed_anew(one: Placed) -> Placed:
        span = one.span
        present_span = Span(*carried(span.line, span.column), *carried(span.end_line, span.end_column))
        return attrs.evolve(one, span=present_span)

    return tuple(placed_anew(one) for one in placed)
