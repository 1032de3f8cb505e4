"""Verifies JSON, one value a file or one a line."""

import re
from collections.abc import Iterator

from verify_lsp.model.finding import Problem
from verify_lsp.verifiers.base import Subject, Verdict
from verify_lsp.verifiers.data.json_text import complaints
from verify_lsp.verifiers.data.json_text.accept import is_right
from verify_lsp.verifiers.data.json_text.dialect import STRICT, Dialect
from verify_lsp.verifiers.data.json_text.reader import DEPTH_LIMIT, PROBLEM_LIMIT, Reading, read
from verify_lsp.verifiers.data.places import Span, problem_at
from verify_lsp.verifiers.data.templates import TEMPLATE

_LINE = re.compile(r"[^\n]+")
_TOO_DEEP = f"too deep: brackets stand within more than {DEPTH_LIMIT:,} others"


def verify_json(subject: Subject, dialect: Dialect) -> Verdict:
    """Verify a file that is one value."""
    text = subject.text
    start = 1 if text.startswith("\ufeff") else 0
    # The programs that read comments read this mark too.
    mark = _byte_order_mark(text) if start and not dialect.comments else ()
    if is_right(text[start:] if start else text, dialect):
        return Verdict(mark)
    return _verdict(read(text, dialect, start), mark)


def verify_json_lines(subject: Subject) -> Verdict:
    """Verify a file that is one value a line; empty lines, and an empty file, say nothing."""
    text = subject.text
    mark = _byte_order_mark(text) if text.startswith("\ufeff") else ()
    problems = [*mark]
    for start, end in _lines(text, len(mark)):
        if is_right(text[start:end], STRICT):
            continue
        reading = read(text, STRICT, start, end)
        if reading.too_deep or reading.template:
            return _verdict(reading, tuple(problems))
        problems += reading.problems
        if len(problems) >= PROBLEM_LIMIT:
            break
    return Verdict(tuple(problems))


def _verdict(reading: Reading, before: tuple[Problem, ...]) -> Verdict:
    if reading.template:
        return Verdict(skipped=TEMPLATE)
    return Verdict((*before, *reading.problems), skipped=_TOO_DEEP if reading.too_deep else None)


def _byte_order_mark(text: str) -> tuple[Problem, ...]:
    return (problem_at(text, Span(0, 1), complaints.BYTE_ORDER_MARK),)


def _lines(text: str, offset: int) -> Iterator[tuple[int, int]]:
    """Yield the lines that hold anything, without what ends them."""
    for found in _LINE.finditer(text, offset):
        if found[0].strip(" \t\r"):
            yield found.start(), found.end()
