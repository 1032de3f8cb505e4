"""Verifies TOML: 1.0, with a warning where 1.1 is needed."""

import re
import tomllib

from verify_lsp.model.finding import Problem
from verify_lsp.model.rewrite import Rewrite
from verify_lsp.verifiers.base import Subject, Verdict
from verify_lsp.verifiers.data.places import Complaint, Span, line_of, offset_of, problem_at, replacing
from verify_lsp.verifiers.data.templates import TEMPLATE, is_construct_before
from verify_lsp.verifiers.data.toml_text.newer import Newer, as_older
from verify_lsp.verifiers.data.toml_text.tokens import Statement, statements

_PLACE = re.compile(r"^(?P<said>.*?) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$", re.DOTALL)
_CONFLICT_MARKER = re.compile(r"^(?:<{7}|={7}|>{7})(?= |\r?$)", re.MULTILINE)
_TWICE = ("Cannot overwrite", "Cannot declare", "Cannot mutate", "Duplicate inline table key", "Cannot redefine")
_AS_SAID = {
    "Invalid value": (
        "toml.value",
        "No TOML value begins here.",
        "Text stands in double quotes; the bare words are `true` and `false`; there is no null.",
    ),
    "Expected '=' after a key": (
        "toml.equals",
        "A key must be followed by `=` and its value.",
        "Add them; a key with spaces or other special characters stands in quotes.",
    ),
    "Invalid statement": (
        "toml.statement",
        "This is no `key = value` and no `[table]`.",
        "A comment begins with `#`; a key with special characters stands in quotes.",
    ),
    "Expected newline or end of document": (
        "toml.line",
        "Something stands after the end of the value.",
        "Put it on a line of its own, or make it a comment with `#`.",
    ),
    "Unclosed array": ("toml.bracket", "A comma or the closing bracket of a list is missing here.", "Add it."),
    "Unclosed inline table": ("toml.bracket", "A comma or the closing brace of an inline table is missing.", "Add it."),
    "Unterminated string": ("toml.unclosed-string", "The string that ends here has no closing quote.", "Close it."),
    "Illegal character '\\n'": (
        "toml.unclosed-string",
        "The string on this line has no closing quote.",
        "Close it; three quotes on either side let a string go on over several lines.",
    ),
    "Illegal character": ("toml.character", "This character may not stand here.", "Write it as an escape, `\\u0000`."),
    "Unescaped '\\' in a string": (
        "toml.escape",
        "No such escape exists in a string in double quotes.",
        "A backslash itself is `\\\\`; or use single quotes, where it stands for itself.",
    ),
}


def verify_toml(subject: Subject) -> Verdict:
    """Verify a TOML file. A byte order mark before it is nothing wrong."""
    start = 1 if subject.text.startswith("\ufeff") else 0
    text = subject.text[start:]
    try:
        if (said := _complaint_of_reader(text)) is None:
            return Verdict()
        older = as_older(text)
        if older.newer is not None and _complaint_of_reader(older.text) is None:
            return Verdict((_needs_newer(text, older.newer),))
    except RecursionError:
        return Verdict(skipped="too deep: lists or tables stand within hundreds of others")
    offset = _offset(text, said)
    if is_construct_before(text, offset):
        return Verdict(skipped=TEMPLATE)
    problem = _problem(subject.text, start, said)
    return Verdict((problem,))


def _complaint_of_reader(text: str) -> str | None:
    """Return what the standard library's reader says; None where it reads the text."""
    try:
        # Digits without end are a number of TOML, but Python refuses to make one.
        tomllib.loads(text, parse_float=str)
    except tomllib.TOMLDecodeError as error:
        return str(error)
    except ValueError as error:
        return None if "digits" in str(error) else str(error)
    return None


def _offset(text: str, said: str) -> int:
    found = _PLACE.match(said)
    if found is None or found["line"] is None:
        return len(text)
    return offset_of(text, int(found["line"]), int(found["column"]))


def _problem(whole: str, start: int, said: str) -> Problem:
    text = whole[start:]
    offset = _offset(text, said)
    found = _PLACE.match(said)
    words = found["said"] if found is not None else said
    marker = _CONFLICT_MARKER.search(text, 0, offset + 7)
    if marker is not None:
        place = Span(start + marker.start(), start + marker.end())
        message = "A merge conflict was left here."
        complaint = Complaint("toml.conflict", message, "Keep one side and remove the markers.")
        return problem_at(whole, place, complaint)
    if words.startswith(_TWICE):
        place, complaint = _twice(text, offset, start)
        return problem_at(whole, Span(place.start + start, place.end + start), complaint)
    rule, message, suggestion = _said(words)
    if rule == "toml.escape" and text[max(offset - 2, 0) : offset - 1] == "\\":
        offset -= 2
    if "nclosed" in words or "nterminated" in words:
        message += _began(text, offset)
    return problem_at(whole, Span(offset + start, offset + start + 1), Complaint(rule, message, suggestion))


def _said(words: str) -> tuple[str, str, str | None]:
    for beginning, said in _AS_SAID.items():
        if words.startswith(beginning):
            return said
    return "toml.syntax", f"{words.rstrip('.')}.", None


def _began(text: str, offset: int) -> str:
    """Brackets and strings over many lines end far from where they begin."""
    statement = _statement_at(text, offset)
    if statement is None or line_of(text, statement.start) == line_of(text, offset):
        return ""
    return f" It belongs to `{_shown(statement.key)}` on line {line_of(text, statement.start)}."


def _twice(text: str, offset: int, start: int) -> tuple[Span, Complaint]:
    """Find the key that is declared twice: the reader names a place after its value, and not the first one."""
    second = _statement_at(text, offset)
    if second is None:
        return Span(offset, offset + 1), Complaint(
            "toml.duplicate-key", "This key, or a part of it, is declared twice."
        )
    first = next((each for each in statements(text) if _same(each, second)), None)
    place = Span(second.start, second.start + len(second.key))
    what = "table" if second.key.startswith("[") else "key"
    if first is None or first.start == second.start:
        message = f"The {what} `{_shown(second.key)}`, or a part of it, was declared before in another way."
        return place, Complaint("toml.duplicate-key", message, "Declare each table and key once.")
    message = f"The {what} `{_shown(second.key)}` was declared before, on line {line_of(text, first.start)}."
    rewrite = _without_second(text, first, second, start) if what == "key" else None
    return place, Complaint("toml.duplicate-key", message, "Remove one of the two.", rewrite)


def _same(one: Statement, other: Statement) -> bool:
    return (one.table, one.key) == (other.table, other.key) or (one.key == other.key and one.key.startswith("["))


def _without_second(text: str, first: Statement, second: Statement, start: int) -> Rewrite | None:
    """Take the second statement away where it says just what the first one says."""
    line_start = text.rfind("\n", 0, second.start) + 1
    if text[first.start : first.end] != text[second.start : second.end] or text[line_start : second.start].strip():
        return None
    line_end = text.find("\n", second.end)
    if line_end < 0:
        return None
    return replacing("Remove the repeated line", Span(line_start + start, line_end + 1 + start), "")


def _statement_at(text: str, offset: int) -> Statement | None:
    return next((each for each in statements(text) if each.start <= offset <= each.end), None)


def _needs_newer(text: str, newer: Newer) -> Problem:
    message = f"TOML 1.1 allows {newer.what}; programs that read TOML 1.0 refuse the file."
    complaint = Complaint("toml.version", message, "Write it the older way unless you know the reader.", None, "medium")
    return problem_at(text, newer.span, complaint)


def _shown(key: str) -> str:
    return key if len(key) <= 60 else key[:59] + "…"
