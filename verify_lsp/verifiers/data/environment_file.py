"""Verifies `.env` files. Their readers differ, so that only what none of them would read is an error."""

import re

from verify_lsp.model.finding import Problem
from verify_lsp.model.rewrite import Rewrite
from verify_lsp.verifiers.base import Subject, Verdict
from verify_lsp.verifiers.data.places import Complaint, Span, problem_at, replacing
from verify_lsp.verifiers.data.templates import TEMPLATE, is_construct_before

_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
_NAME = re.compile(r"[\w.-]++")
_ASSIGNMENT = re.compile(r"[ \t]*(?P<export>export[ \t]+)?(?P<name>[^=#:\n]*?)[ \t]*(?P<sign>=|:(?=[ \t]))[ \t]*")
_BEGINS_ANOTHER = re.compile(r"^[ \t]*(?:export[ \t]+)?[A-Za-z_][\w.-]*=", re.MULTILINE)
_CLOSING = {
    '"': re.compile(r'(?:[^"\\]|\\.)*"', re.DOTALL),
    "'": re.compile(r"[^']*'"),
    "`": re.compile(r"[^`]*`"),
}
_PROBLEM_LIMIT = 50


def verify_environment_file(subject: Subject) -> Verdict:
    """Verify a `.env` file."""
    text = subject.text
    offset = 1 if text.startswith("\ufeff") else 0
    problems: list[Problem] = []
    names: dict[str, Span] = {}
    while offset < len(text) and len(problems) < _PROBLEM_LIMIT:
        line = _LINE.match(text, offset)
        assert line is not None  # noqa: S101  # the pattern matches anything
        end = line.end()
        if line[0].strip() and not line[0].lstrip().startswith("#"):
            end = max(end, _entry(text, Span(offset, end), names, problems))
        offset = end
    if any(problem.severity == "high" for problem in problems) and is_construct_before(text, len(text)):
        return Verdict(skipped=TEMPLATE)
    return Verdict(tuple(problems))


def _entry(text: str, line: Span, names: dict[str, Span], problems: list[Problem]) -> int:
    """Judge one entry; return where the next line begins, which is further on for a value of several lines."""
    found = _ASSIGNMENT.match(text, line.start, line.end)
    if found is None:
        words = text[line.start : line.end].strip().removeprefix("export ").strip().partition(" #")[0]
        if not _NAME.fullmatch(words) and not text[line.start : line.end].strip().startswith("export "):
            problems.append(problem_at(text, _trimmed(text, line), _NO_ASSIGNMENT))
        return line.end
    name = found["name"]
    if not _NAME.fullmatch(name.strip("'\"")):
        problems.append(problem_at(text, Span(*found.span("name")), _bad_name(name)))
    entry = Span(line.start, line.end)
    if found.end() < line.end and (quote := text[found.end()]) in _CLOSING:
        closed = _end_of_value(text, Span(found.end(), line.end), quote)
        if closed is None:
            problems.append(problem_at(text, Span(found.end(), found.end() + 1), _UNCLOSED))
        else:
            entry = Span(line.start, closed)
    first = names.setdefault(name, entry)
    if first != entry:
        problems.append(problem_at(text, Span(*found.span("name")), _repeated(text, name, first, entry)))
    return entry.end


def _end_of_value(text: str, value: Span, quote: str) -> int | None:
    """Return the end of the line that the closing quote stands on; None where there is none."""
    found = _CLOSING[quote].match(text, value.start + 1)
    if found is None:
        return None
    if found.end() <= value.end:
        return value.end
    line_end = text.find("\n", found.end())
    line_end = len(text) if line_end < 0 else line_end + 1
    rest = text[found.end() : line_end].strip()
    # A quote that closes on a later line, after another entry has begun, opened there and did not close here.
    if (rest and not rest.startswith("#")) or _BEGINS_ANOTHER.search(text, value.end, found.end()):
        return None
    return line_end


def _repeated(text: str, name: str, first: Span, second: Span) -> Complaint:
    line = text.count("\n", 0, first.start) + 1
    message = f"{name} is set already, on line {line}; which of the two counts depends on the reader."
    return Complaint(
        "env.duplicate-key", message, "Remove one of the two.", _without_second(text, first, second), "medium"
    )


def _without_second(text: str, first: Span, second: Span) -> Rewrite | None:
    same = text[first.start : first.end].rstrip("\r\n") == text[second.start : second.end].rstrip("\r\n")
    if not same or not text[second.start : second.end].endswith("\n"):
        return None
    return replacing("Remove the repeated line", second, "")


def _trimmed(text: str, line: Span) -> Span:
    raw = text[line.start : line.end]
    return Span(line.start + len(raw) - len(raw.lstrip()), line.start + len(raw.rstrip()))


def _bad_name(name: str) -> Complaint:
    shown = name if len(name) <= 40 else name[:39] + "…"
    what = f"`{shown}` is no name of a variable" if name else "The name is missing"
    return Complaint("env.name", f"{what}.", "Use letters, digits and `_`, and no spaces or quotes.")


_NO_ASSIGNMENT = Complaint("env.line", "This is no `NAME=value` and no comment.", "Add `=`, or begin it with `#`.")
_UNCLOSED = Complaint(
    "env.unclosed-quote",
    "The quote that opens here is never closed: readers take the lines below for part of the value.",
    "Close it.",
)
