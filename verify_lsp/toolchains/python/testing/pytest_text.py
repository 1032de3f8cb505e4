"""Reading what pytest prints, where there is no report: whole, anchored lines only.

A number in any other line, whatever stands around it, never counts.
"""

import itertools
import re
from collections.abc import Iterator

from verify_lsp.model.testrun import TestCase
from verify_lsp.toolchains.output import head
from verify_lsp.toolchains.python.testing.verdicts import Counts

_PART = r"(?:\d+ [a-z][a-z ]*|no tests ran)"
_SUMMARY = re.compile(
    rf"(?:=+ )?(?P<parts>{_PART}(?:, {_PART})*) in \d+(?:\.\d+)?(?:s| seconds)(?: \(\d+:\d\d:\d\d\))?(?: =+)?"
)
_START = re.compile(r"=+ test session starts(?: \(.*\))? =+")
_PROGRESS_END = re.compile(r"[.FEsxXuyRr,-]+ +\[100%\]")
_NONE_RAN = re.compile(r"\bno tests ran\b")
_CASE = re.compile(r"(?P<kind>FAILED|ERROR) (?P<id>\S.*?)(?: - (?P<message>.*))?")
_INTERRUPTED = re.compile(r"!+ (?P<cause>Interrupted: .*|KeyboardInterrupt|(?:_pytest\.outcomes\.)?Exit: .*) !+")

_USAGE_ERROR = re.compile(r"ERROR: (?!usage: )(\S.*)|(?:python -m pytest|\S+): error: (\S.*)")

_MEANING = {
    "passed": "passed",
    "failed": "failed",
    "error": "failed",
    "errors": "failed",
    "skipped": "skipped",
    "xfailed": "expected",
    "xpassed": "unexpected",
}
_KNOWN = frozenset(_MEANING) | {"no tests ran", "deselected", "warning", "warnings", "rerun", "reruns"}


def summaries(text: str) -> tuple[Counts, ...]:
    """Return the counts of each pytest session in `text` (without escapes), one after another.

    A session that a test ran, and printed, is not counted: of a session's summaries the last is its own.
    """
    segments = _segments(text.split("\n"))
    return tuple(own[-1] for own in segments if own)


def interruption(text: str) -> str | None:
    """Return what the session says it was interrupted by, or None."""
    found = [match["cause"] for line in text.split("\n") if (match := _INTERRUPTED.fullmatch(line.rstrip()))]
    causes = [cause for cause in found if not cause.startswith("Interrupted: stopping after")]
    return causes[-1].removeprefix("Interrupted: ").removeprefix("_pytest.outcomes.") if causes else None


def startup_error(text: str) -> str | None:
    """Return why pytest did not get to run tests: wrong arguments, a broken conftest file, its own crash."""
    lines = [line.rstrip() for line in text.split("\n")]
    crash = [line.removeprefix("INTERNALERROR> ") for line in lines if line.startswith("INTERNALERROR> ")]
    if crash:
        return f"pytest crashed: {crash[-1]}"
    for index, line in enumerate(lines):
        if line.startswith("ImportError while loading conftest"):
            errors = [later[1:].strip() for later in lines[index:] if later.startswith("E   ")]
            return f"{line.rstrip('.')}: {' '.join(errors)[:300]}"
        if match := _USAGE_ERROR.fullmatch(line):
            return match[1] or match[2]
    return None


def cases(text: str) -> tuple[TestCase, ...]:
    """Return the failed tests that the short summaries list."""
    found: dict[str, TestCase] = {}
    listing = False
    for line in text.split("\n"):
        if re.fullmatch(r"=+ short test summary info =+", line):
            listing = True
        elif line.startswith("==="):
            listing = False
        elif listing and (match := _CASE.fullmatch(line.rstrip())):
            path = match["id"].partition("::")[0]
            found[match["id"]] = TestCase(match["id"], "failed", path, message=head(match["message"] or ""))
    return tuple(found.values())


def summary_line(line: str) -> Counts | None:
    """Return what a summary line counts; None for any other line."""
    match = _SUMMARY.fullmatch(line.rstrip())
    if match is None:
        return None
    numbers = dict.fromkeys(("passed", "failed", "skipped", "expected", "unexpected"), 0)
    known = False
    for part in match["parts"].split(", "):
        number, _, word = ("0", "", part) if part == "no tests ran" else part.partition(" ")
        known = known or word in _KNOWN
        if word in _MEANING:
            numbers[_MEANING[word]] += int(number)
    return Counts(**numbers) if known else None


def _segments(lines: list[str]) -> list[list[Counts]]:
    """Group the summaries by session."""
    starts = [index for index, line in enumerate(lines) if _START.fullmatch(line.rstrip())]
    if not starts:
        return list(_bare_segments(lines))
    bounds = [*starts, len(lines)]
    parts = [lines[begin:end] for begin, end in itertools.pairwise(bounds)]
    segments = [[counts for line in part if (counts := summary_line(line)) is not None] for part in parts]
    before = list(_bare_segments(lines[: starts[0]]))
    if all(segments):
        return before + segments
    # A session inside another: the outer one began first and sums up last.
    return [*before, [counts for segment in segments for counts in segment]]


def _bare_segments(lines: list[str]) -> Iterator[list[Counts]]:
    """Quiet sessions have no headline; each fills its progress up to 100 %. Without that, one session is assumed."""
    segments: list[list[Counts]] = [[]]
    for line in lines:
        counts = summary_line(line)
        if _PROGRESS_END.fullmatch(line.rstrip()) or (counts is not None and _NONE_RAN.search(line)):
            segments.append([])
        if counts is not None:
            segments[-1].append(counts)
    marked = [segment for segment in segments[1:] if segment]
    yield from marked or filter(None, segments[:1])
