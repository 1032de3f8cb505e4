"""From offsets in a text to problems with lines and columns."""

import attrs

from verify_lsp.model.finding import Problem, Severity
from verify_lsp.model.rewrite import Rewrite, TextEdit

_MARK = "\ufeff"


@attrs.frozen
class Span:
    """A part of a text: 0-based code points, the end exclusive."""

    start: int
    end: int


@attrs.frozen
class Complaint:
    """What is wrong at some place, and what to do about it."""

    rule: str
    message: str
    suggestion: str | None = None
    rewrite: Rewrite | None = None
    severity: Severity = "high"


def problem_at(text: str, span: Span, complaint: Complaint) -> Problem:
    """Return `complaint` as a problem of `text`. Lines end at a line feed; a byte order mark takes no column."""
    line, column = line_and_column(text, span.start)
    end_line, end_column = line_and_column(text, max(span.start, min(span.end, len(text))))
    return Problem(
        path="",
        line=line,
        severity=complaint.severity,
        rule=complaint.rule,
        message=complaint.message,
        column=column,
        end_line=end_line,
        end_column=end_column,
        suggestion=complaint.suggestion,
        rewrite=complaint.rewrite,
    )


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return the 1-based line and column of `offset`."""
    start = text.rfind("\n", 0, offset) + 1
    column = offset - start + 1
    if start == 0 and offset > 0 and text.startswith(_MARK):
        column -= 1
    return text.count("\n", 0, offset) + 1, column


def line_of(text: str, offset: int) -> int:
    """Return the 1-based line of `offset`."""
    return text.count("\n", 0, offset) + 1


def offset_of(text: str, line: int, column: int) -> int:
    """Return the offset of a 1-based line and column, at most the end of that line.

    The opposite of `line_and_column`.
    """
    start = 0
    for _ in range(line - 1):
        end = text.find("\n", start)
        if end < 0:
            return len(text)
        start = end + 1
    if line == 1 and text.startswith(_MARK):
        start = 1
    end = text.find("\n", start)
    return min(start + max(column, 1) - 1, len(text) if end < 0 else end)


def replacing(title: str, span: Span, new_text: str) -> Rewrite:
    """Return the rewrite that puts `new_text` where `span` is."""
    return Rewrite(title, (TextEdit(span.start, span.end, new_text),))
