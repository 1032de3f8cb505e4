"""Verifies the INI files of Python's tools, by the reader that they share."""

import configparser
import re

from verify_lsp.model.finding import Problem
from verify_lsp.model.rewrite import Rewrite
from verify_lsp.verifiers.base import Subject, Verdict
from verify_lsp.verifiers.data.places import Complaint, Span, line_of, offset_of, problem_at, replacing
from verify_lsp.verifiers.data.templates import TEMPLATE, is_construct_before

_SECTION = re.compile(r"^\[(?P<name>[^\]\n]+)\]", re.MULTILINE)
_OPTION = re.compile(r"^(?P<name>[^\s#;\[=:][^=:\n]*?)[ \t]*[=:]", re.MULTILINE)
_CONFLICT_MARKER = re.compile(r"^(?:<{7}|={7}|>{7})(?= |\r?$)", re.MULTILINE)


def verify_ini(subject: Subject) -> Verdict:
    """Verify an INI file."""
    start = 1 if subject.text.startswith("\ufeff") else 0
    text = subject.text[start:]
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(text)
    except configparser.Error as error:
        problem = _problem(text, error)
    else:
        return Verdict()
    if is_construct_before(text, offset_of(text, problem.line, 1)):
        return Verdict(skipped=TEMPLATE)
    return Verdict((problem if start == 0 else _without_rewrite(problem),))


def _problem(text: str, error: configparser.Error) -> Problem:
    marker = _CONFLICT_MARKER.search(text)
    if marker is not None:
        message = "A merge conflict was left here."
        complaint = Complaint("ini.conflict", message, "Keep one side and remove the markers.")
        return problem_at(text, Span(*marker.span()), complaint)
    match error:
        case configparser.DuplicateSectionError():
            return _at(text, error.lineno or 1, _repeated(text, _SECTION, f"[{error.section}]", error.lineno or 1))
        case configparser.DuplicateOptionError():
            return _at(text, error.lineno or 1, _repeated(text, _OPTION, error.option, error.lineno or 1))
        case configparser.MissingSectionHeaderError():
            message = "This stands before the first section."
            return _at(text, error.lineno, Complaint("ini.section", message, "Begin with a section: `[name]`."))
        case configparser.ParsingError():
            line = error.errors[0][0] if error.errors else 1
            message = "This is no `name = value`, no section and no comment."
            return _at(text, line, Complaint("ini.line", message, "Indent a line that goes on the value above it."))
        case _:
            return _at(text, 1, Complaint("ini.line", "The file cannot be read.", None))


def _repeated(text: str, kind: re.Pattern[str], name: str, line: int) -> Complaint:
    second = offset_of(text, line, 1)
    section = _section_start(text, second)
    rule = "ini.duplicate-section" if kind is _SECTION else "ini.duplicate-option"
    for found in kind.finditer(text, 0 if kind is _SECTION else section, second):
        if (f"[{found['name']}]" if kind is _SECTION else found["name"].lower()) == name:
            message = f"`{name[:60]}` stands here already, on line {line_of(text, found.start())}."
            rewrite = _without_second(text, found.start(), second) if kind is _OPTION else None
            return Complaint(rule, message, "Remove one of the two, or put them together.", rewrite)
    return Complaint(rule, f"`{name[:60]}` stands here already.", "Remove one of the two, or put them together.")


def _section_start(text: str, offset: int) -> int:
    starts = [found.start() for found in _SECTION.finditer(text, 0, offset)]
    return starts[-1] if starts else 0


def _without_second(text: str, first: int, second: int) -> Rewrite | None:
    """Take the second line away where both are one line each, and the same."""
    lines = []
    for start in (first, second):
        end = text.find("\n", start)
        if end < 0 or text[end + 1 : end + 2] in {" ", "\t"}:
            return None
        lines.append(text[start : end + 1])
    if lines[0] != lines[1]:
        return None
    return replacing("Remove the repeated line", Span(second, second + len(lines[1])), "")


def _at(text: str, line: int, complaint: Complaint) -> Problem:
    start = offset_of(text, line, 1)
    end = text.find("\n", start)
    return problem_at(text, Span(start, len(text) if end < 0 else end), complaint)


def _without_rewrite(problem: Problem) -> Problem:
    """Offsets are of the text without its byte order mark."""
    import attrs

    return attrs.evolve(problem, rewrite=None)
