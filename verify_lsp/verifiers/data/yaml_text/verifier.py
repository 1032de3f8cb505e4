"""Verifies YAML: one document or several, whatever their tags."""

import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

import attrs

from verify_lsp.model.finding import Problem
from verify_lsp.model.rewrite import Rewrite, TextEdit
from verify_lsp.verifiers.base import Subject, Verdict
from verify_lsp.verifiers.data.places import Complaint, Span, line_of, problem_at, replacing
from verify_lsp.verifiers.data.templates import TEMPLATE, is_construct_before
from verify_lsp.verifiers.data.yaml_text import complaints, strictness
from verify_lsp.verifiers.data.yaml_text.events import Events, Repeated, read_events
from verify_lsp.verifiers.data.yaml_text.rendered import is_ansible, is_chart_template
from verify_lsp.verifiers.data.yaml_text.tabs import without_tabs

_DISALLOWED = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PROBLEM_LIMIT = 50
_TOO_DEEP = "too deep: the parser reads no more than 1,000 levels"


def verify_yaml(subject: Subject) -> Verdict:
    """Verify a YAML file. One that is rendered before it is YAML is skipped."""
    if is_chart_template(subject.path, subject.text):
        return Verdict(skipped=TEMPLATE)
    start = 1 if subject.text.startswith("\ufeff") else 0
    text = subject.text[start:]
    if (bad := _DISALLOWED.search(text)) is not None:
        return Verdict((problem_at(text, Span(*bad.span()), complaints.disallowed(bad[0])),))
    verdict = _judged(subject, text, read_events(text))
    return _after_mark(verdict) if start else verdict


def _judged(subject: Subject, text: str, events: Events) -> Verdict:
    if events.too_deep:
        return Verdict(skipped=_TOO_DEEP)
    place = events.fault.offset if events.fault is not None else events.nested_key
    if place is not None and is_construct_before(text, place, events.literal):
        if not is_ansible(subject.path, text):
            return Verdict(skipped=TEMPLATE)
        if (unquoted := _unquoted(text, place)) is not None:
            return Verdict((unquoted,))
    problems = list(islice(chain(_repeated(text, events.repeated), _undefined(text, events)), _PROBLEM_LIMIT))
    if (other := _against_standard(text, events)) is not None:
        problems.append(other)
    return Verdict(tuple(sorted(problems, key=lambda problem: (problem.line, problem.column or 0))))


def _unquoted(text: str, place: int) -> Problem | None:
    """The placeholder that stands bare on the line of `place`, or the one before."""
    line_end = text.find("\n", place)
    start = text.rfind("{{", 0, len(text) if line_end < 0 else line_end)
    if start < 0 or line_of(text, start) < line_of(text, place) - 1:
        return None
    return problem_at(text, Span(start, start + 2), complaints.unquoted_placeholder())


def _against_standard(text: str, events: Events) -> Problem | None:
    """What the parser refuses, or only the standard; what the parser alone refuses is told and is no error."""
    if events.fault is None:
        found = strictness.forbidden(text, events)
        if found is None or is_construct_before(text, found[0].start, events.literal):
            return None
        return problem_at(text, *found)
    return (
        problem_at(text, *strictness.newer(events.fault.offset))
        if strictness.is_newer_yaml(text)
        else _fault(text, events)
    )


def _fault(text: str, events: Events) -> Problem:
    assert events.fault is not None  # noqa: S101  # asked for by the caller
    span, complaint = complaints.of_fault(text, events.fault)
    if complaint.rule == "yaml.tab":
        complaint = attrs.evolve(complaint, rewrite=without_tabs(text))
    return problem_at(text, span, complaint)


def _repeated(text: str, repeated: tuple[Repeated, ...]) -> Iterator[Problem]:
    for each in repeated:
        message, suggestion = complaints.repeated(each.name, line_of(text, each.first.start))
        complaint = Complaint("yaml.duplicate-key", message, suggestion, _without_second(text, each), severity="medium")
        yield problem_at(text, Span(each.second.start, each.second.start + len(each.name)), complaint)


def _without_second(text: str, repeated: Repeated) -> Rewrite | None:
    """Take the second line away where it says just what the first one says."""
    if not repeated.plain:
        return None
    first, second = (_from_key(text, span) for span in (repeated.first, repeated.second))
    start = text.rfind("\n", 0, repeated.second.start) + 1
    end = text.find("\n", repeated.second.end)
    if first != second or text[start : repeated.second.start].strip(" ") or end < 0:
        return None
    return replacing("Remove the repeated line", Span(start, end + 1), "")


def _from_key(text: str, span: Span) -> str:
    end = text.find("\n", span.start)
    return text[span.start : len(text) if end < 0 else end].rstrip("\r")


def _undefined(text: str, events: Events) -> Iterator[Problem]:
    return (problem_at(text, span, complaints.undefined(name)) for name, span in events.undefined)


def _after_mark(verdict: Verdict) -> Verdict:
    """A byte order mark is one character of the text that the parser was not shown."""

    def moved(rewrite: Rewrite | None) -> Rewrite | None:
        if rewrite is None:
            return None
        edits = tuple(TextEdit(edit.start + 1, edit.end + 1, edit.new_text) for edit in rewrite.edits)
        return Rewrite(rewrite.title, edits)

    problems: tuple[Any, ...] = tuple(
        attrs.evolve(problem, rewrite=moved(problem.rewrite)) for problem in verdict.problems
    )
    return attrs.evolve(verdict, problems=problems)
