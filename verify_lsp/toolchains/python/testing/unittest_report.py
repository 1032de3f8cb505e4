"""Reading the report that our runner left beside a unittest run; the printed summary only where there is none."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import CaseOutcome, TestCase, TestRun
from verify_lsp.toolchains.output import head, relative_path
from verify_lsp.toolchains.python.testing import unittest_text
from verify_lsp.toolchains.python.testing.foreign import foreign_run
from verify_lsp.toolchains.python.testing.pytest_output import printed
from verify_lsp.toolchains.python.testing.verdicts import Counts, exit_words, judged, running_test

SUMMARY = "unittest-summary.json"
RUNNING = "unittest-running.txt"

_KILLED = frozenset({-9, -15, 137, 143})
_OUTCOMES: Mapping[str, CaseOutcome] = {"passed": "passed", "failed": "failed"}


def read_unittest_run(result: CommandResult, folder: Path, tool: str, shown: str) -> TestRun:
    """Return what a run showed; `folder` and `shown` as in `read_pytest_run`, `tool` as people call it."""
    if result.missing:
        return TestRun("unusable", reason=f"{shown} could not be started")
    running = head(running_test(result.files.get(RUNNING, "")), 200)
    if result.timed_out:
        return TestRun("unusable", reason="the time limit passed" + (f" while {running} ran" if running else ""))
    summary = _summary(result.files.get(SUMMARY, ""))
    if summary is not None and summary.get("ran") is not None:
        return _from_summary(summary, result, folder, tool, shown)
    if running and summary is None:
        return _from_remains(result, running, tool)
    return read_printed_run(result, tool)


def read_printed_run(result: CommandResult, tool: str) -> TestRun:
    """Return what the last printed summary says; without one the run is unusable, whatever its exit code."""
    text = printed(result)
    found = unittest_text.summaries(text)
    if found:
        return judged(found[-1].counts, result.exit_code, tool=tool, cases=found[-1].cases)
    ended = f"{tool} ended with {exit_words(result.exit_code)} and no summary"
    return TestRun("unusable", reason=head(f"{ended}: {_last_words(result)}"))


def _last_words(result: CommandResult) -> str:
    return next((line.strip() for line in reversed(printed(result).split("\n")) if line.strip()), "no output")


def _summary(text: str) -> Mapping[str, Any] | None:
    try:
        data = json.loads(text)
    except ValueError:
        return None
    return data if isinstance(data, dict) and isinstance(data.get("cases"), list) else None


def _from_summary(summary: Mapping[str, Any], result: CommandResult, folder: Path, tool: str, shown: str) -> TestRun:
    outcomes = [case["outcome"] for case in summary["cases"]]
    counts = Counts(
        passed=outcomes.count("passed"),
        failed=outcomes.count("failed"),
        skipped=outcomes.count("skipped"),
        expected=outcomes.count("expected failure"),
    )
    cases = tuple(_case(case, folder) for case in summary["cases"])
    run = judged(counts, result.exit_code, tool=tool, cases=cases)
    if run.verdict == "unusable":
        return TestRun("unusable", reason=head(f"{run.reason}: {_last_words(result)}"))
    notes = (f"run by Python {summary['python']} ({shown})", *run.notes, *_notes(summary, counts))
    return foreign_run(attrs.evolve(run, notes=notes), list(summary.get("foreign") or []), folder)


def _notes(summary: Mapping[str, Any], counts: Counts) -> Iterator[str]:
    for name, number in summary["counts"].items():
        yield f"{number} {name}"
    if summary.get("stopped") and counts.failed:
        yield "the run stopped at a failure; other tests did not run"
    if summary.get("trouble"):
        yield f"the report may be incomplete: {head(summary['trouble'], 200)}"


def _case(entry: Mapping[str, Any], folder: Path) -> TestCase:
    path = relative_path(entry["path"], folder) if entry.get("path") else None
    lines = [line for line in str(entry.get("message", "")).split("\n") if line.strip()]
    return TestCase(
        id=entry["id"],
        outcome=_OUTCOMES.get(entry["outcome"], "skipped"),
        path=path,
        line=entry.get("line") if path is not None else None,
        message=head("\n".join(lines)),
    )


def _from_remains(result: CommandResult, running: str, tool: str) -> TestRun:
    """The process did not live to sum up its tests."""
    ended = f"the process of {tool} ended with {exit_words(result.exit_code)} while {running} ran"
    if result.exit_code is None or result.exit_code in _KILLED:
        return TestRun("unusable", reason=f"{ended}: it was killed")
    case = TestCase(running, "failed", message="the process ended while this test ran")
    contradiction = ended if result.exit_code == 0 else None
    return TestRun("failed", cases=(case,), reason=ended, contradiction=contradiction)
