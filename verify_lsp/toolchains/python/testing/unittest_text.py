"""Reading what unittest prints, and with it nose2 and Django's test command: whole, anchored lines only."""

import re
from collections.abc import Iterator

import attrs

from verify_lsp.model.testrun import TestCase
from verify_lsp.toolchains.output import head
from verify_lsp.toolchains.python.testing.verdicts import Counts

_RAN = re.compile(r"Ran (\d+) tests? in \d+(?:\.\d+)?s")
_ENDED = re.compile(r"(OK|FAILED|NO TESTS RAN)(?: \(((?:[a-z ]+=\d+)(?:, [a-z ]+=\d+)*)\))?")
_PROBLEM = re.compile(r"(FAIL|ERROR|UNEXPECTED SUCCESS): (.+)")
_TEST = re.compile(r"(?P<method>\S+) \((?P<place>[^()\s]+)\)")
# unittest prints nothing in between, but a test's own late output may come there.
_NEAR = 5


@attrs.frozen
class Summary:
    """One run of unittest: its counts, and the failed tests it named."""

    counts: Counts
    cases: tuple[TestCase, ...]


def summaries(text: str) -> tuple[Summary, ...]:
    """Return each unittest run in `text` (without escapes), one after another."""
    lines = [line.rstrip() for line in text.split("\n")]
    found = []
    begin = 0
    for index, line in enumerate(lines):
        ran = _RAN.fullmatch(line)
        if ran is None:
            continue
        ended = next((match for later in lines[index + 1 : index + _NEAR] if (match := _ENDED.fullmatch(later))), None)
        if ended is not None:
            cases = _cases(lines[begin:index])
            found.append(Summary(_counts(int(ran[1]), ended[2] or "", cases), cases))
            begin = index
    return tuple(found)


def _counts(ran: int, details: str, cases: tuple[TestCase, ...]) -> Counts:
    """Tests are counted, not subtests: the named cases tell how many tests the failures belong to."""
    said = {name: int(number) for name, number in re.findall(r"([a-z ]+)=(\d+)", details.replace(", ", ","))}
    unexpected = said.get("unexpected successes", 0)
    problems = said.get("failures", 0) + said.get("errors", 0)
    failed = len(cases) if cases else problems
    # A class or module that could not be set up is no test that ran.
    failed_tests = sum(1 for case in cases if _is_test(case)) if cases else problems
    skipped, expected = said.get("skipped", 0), said.get("expected failures", 0)
    passed = max(0, ran - failed_tests - skipped - expected - unexpected)
    return Counts(passed, failed + unexpected, skipped, expected)


def _is_test(case: TestCase) -> bool:
    return not case.id.startswith(("setUpClass", "tearDownClass", "setUpModule", "tearDownModule"))


def _cases(lines: list[str]) -> tuple[TestCase, ...]:
    found: dict[str, TestCase] = {}
    for index, kind, name in _problems(lines):
        if kind != "UNEXPECTED SUCCESS":
            test_id = _test_id(name)
            found.setdefault(test_id, TestCase(test_id, "failed", message=head(_last_line(lines, index))))
    return tuple(found.values())


def _problems(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    for index, line in enumerate(lines[:-1]):
        if line == "=" * 70 and (match := _PROBLEM.fullmatch(lines[index + 1])):
            yield index + 2, match[1], match[2]


def _test_id(name: str) -> str:
    """Return the dotted name that runs the test again; older versions of Python print the class alone."""
    match = _TEST.match(name)
    if match is None or match["method"] in {"setUpClass", "tearDownClass", "setUpModule", "tearDownModule"}:
        return name
    place = match["place"]
    return place if place.endswith("." + match["method"]) else f"{place}.{match['method']}"


def _last_line(lines: list[str], begin: int) -> str:
    """The exception stands at the end of the traceback, at the margin."""
    body = []
    for line in lines[begin:]:
        if line == "=" * 70:
            break
        body.append(line)
    rule = next((index for index, line in enumerate(body) if line == "-" * 70), 0)
    message = ""
    for line in body[rule + 1 :]:
        if line == "-" * 70:
            break
        if line and not line.startswith((" ", "Traceback ")):
            message = message or line
    return message
