"""The reports that test runners write for programs: vitest and jest, mocha, and our own of node:test."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from verify_lsp.model.testrun import CaseOutcome, TestCase
from verify_lsp.toolchains.node.testing.tally import Tally
from verify_lsp.toolchains.output import head, plain, relative_path

SEPARATOR = " > "
"""Stands between file, suites and title in a test's id."""

_ID_LIMIT = 1000


def read_jest_report(text: str, folder: Path) -> Tally | None:
    """Read jest's `--json`, which vitest writes as well; None when it is no such report.

    A file that could not be loaded has no tests to fail, so it counts as one failure itself.
    """
    data = _json(text)
    if not isinstance(data, dict) or not isinstance(data.get("testResults"), list):
        return None
    cases = [case for file in _objects(data["testResults"]) for case in _jest_file(file, folder)]
    return _counted(cases)


def _jest_file(file: Mapping[str, Any], folder: Path) -> Iterator[TestCase]:
    name = str(file.get("name", ""))
    path = relative_path(name, folder)
    tests = _objects(file.get("assertionResults"))
    for test in tests:
        titles = [str(title) for title in test.get("ancestorTitles") or () if title]
        messages = test.get("failureMessages") or [""]
        location = test.get("location")
        yield TestCase(
            id=case_id(path or name, *titles, str(test.get("title", ""))),
            outcome=_JEST_OUTCOMES.get(str(test.get("status")), "failed"),
            path=path,
            line=_line(location.get("line") if isinstance(location, dict) else None),
            message=_without_stack(str(messages[0])),
        )
    if file.get("status") == "failed" and not any(test.get("status") == "failed" for test in tests):
        yield TestCase(case_id(path or name), "failed", path, message=head(str(file.get("message", ""))))


_JEST_OUTCOMES: Mapping[str, CaseOutcome] = {
    "passed": "passed",
    "failed": "failed",
    "pending": "skipped",
    "skipped": "skipped",
    "todo": "skipped",
    "disabled": "skipped",
    "focused": "passed",
}


def read_mocha_report(text: str, folder: Path) -> Tally | None:
    """Read mocha's `json` reporter; None when it is no such report. A failing hook counts as a failure."""
    data = _json(text)
    if not isinstance(data, dict) or not isinstance(data.get("failures"), list):
        return None
    outcomes: tuple[tuple[str, CaseOutcome], ...] = (
        ("passes", "passed"),
        ("failures", "failed"),
        ("pending", "skipped"),
    )
    cases = [_mocha_case(test, outcome, folder) for key, outcome in outcomes for test in _objects(data.get(key))]
    return _counted(cases)


def _mocha_case(test: Mapping[str, Any], outcome: CaseOutcome, folder: Path) -> TestCase:
    path = relative_path(str(test["file"]), folder) if test.get("file") else None
    error = test.get("err")
    message = (error.get("message") or error.get("stack") or "") if isinstance(error, dict) else ""
    titles = (path, str(test.get("fullTitle", ""))) if path else (str(test.get("fullTitle", "")),)
    return TestCase(case_id(*titles), outcome, path, message=_without_stack(str(message)))


def read_node_report(text: str, folder: Path) -> Tally | None:
    """Read the lines of our reporter for node:test; None when there are none or the run did not get to its end.

    Counted as node counts: suites are not tests, a parent test with a failing subtest fails too, a cancelled
    test is not ok, and a failing `todo` is still to do.
    """
    events = [event for event in map(_json, text.splitlines()) if isinstance(event, dict)]
    if not events or events[-1].get("end") is not True:
        return None
    return _counted([_node_case(event, folder) for event in events[:-1] if not event.get("suite")])


def _node_case(event: Mapping[str, Any], folder: Path) -> TestCase:
    path = relative_path(str(event["file"]), folder) if event.get("file") else None
    titles = [str(title) for title in event.get("titles") or ()]
    is_file = len(titles) == 1 and path is not None and relative_path(titles[0], folder) == path
    outcome: CaseOutcome = "passed" if event.get("ok") is True else "failed"
    if event.get("skipped"):
        outcome = "skipped"
    return TestCase(
        id=case_id(*([path] if path else []), *([] if is_file else titles)),
        outcome=outcome,
        path=path,
        line=None if is_file else _line(event.get("line")),
        message=head(str(event.get("message") or "")),
    )


def _without_stack(message: str) -> str:
    """Keep what a person wrote: the frames of a stack are mostly the runner's own."""
    return head(re.split(r"\n\s+at ", plain(message), maxsplit=1)[0])


def case_id(*parts: str) -> str:
    """Return the id of a test: its file, its suites and its title, without control characters."""
    return " ".join(plain(SEPARATOR.join(parts)).split("\n"))[:_ID_LIMIT]


def _counted(cases: list[TestCase]) -> Tally:
    """A failure that bears the name of its file is of the file itself, which did not load if it has no tests."""
    outcomes = [case.outcome for case in cases]
    with_tests = {case.path for case in cases if case.id != case.path}
    unbuilt = tuple(case.id for case in cases if case.outcome == "failed" and case.path == case.id)
    return Tally(
        outcomes.count("passed"),
        outcomes.count("failed"),
        outcomes.count("skipped"),
        tuple(cases),
        unbuilt=tuple(path for path in unbuilt if path not in with_tests),
    )


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _line(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
