"""Reading the report that our plugin left beside a pytest run; the printed summary only where there is none."""

import functools
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import CaseOutcome, TestCase, TestRun
from verify_lsp.toolchains.output import head, plain, relative_path
from verify_lsp.toolchains.python.testing import pytest_text
from verify_lsp.toolchains.python.testing.foreign import foreign_run
from verify_lsp.toolchains.python.testing.pytest_output import printed, run_by_output
from verify_lsp.toolchains.python.testing.verdicts import Counts, counted, exit_words, judged, named, running_test

SUMMARY = "pytest-summary.json"
TESTS = "pytest-tests.jsonl"
RUNNING = "pytest-running.txt"

_INTERRUPTED, _INTERNAL_ERROR, _USAGE_ERROR, _NONE_COLLECTED, _TOO_MANY_WARNINGS = 2, 3, 4, 5, 6
_KILLED = frozenset({-9, -15, 137, 143})


def read_pytest_run(result: CommandResult, folder: Path, shown: str) -> TestRun:
    """Return what a pytest run showed.

    Args:
        folder: The project's absolute folder, to which paths are made relative.
        shown: How reports name the interpreter.
    """
    if result.missing:
        return TestRun("unusable", reason=f"{shown} could not be started")
    if result.timed_out:
        running = head(running_test(result.files.get(RUNNING, "")), 200)
        return TestRun("unusable", reason="the time limit passed" + (f" while {running} ran" if running else ""))
    summary = _summary(result.files.get(SUMMARY, ""))
    if summary is not None:
        return _from_summary(summary, result, folder, shown)
    if TESTS in result.files:
        return _from_remains(result, folder)
    return run_by_output(result)


def _summary(text: str) -> Mapping[str, Any] | None:
    try:
        data = json.loads(text)
    except ValueError:
        return None
    return data if isinstance(data, dict) and isinstance(data.get("counts"), dict) else None


def _from_summary(summary: Mapping[str, Any], result: CommandResult, folder: Path, shown: str) -> TestRun:
    categories = summary["counts"]
    counts = Counts(
        passed=categories.get("passed", 0),
        failed=categories.get("failed", 0) + categories.get("error", 0),
        skipped=categories.get("skipped", 0),
        expected=categories.get("xfailed", 0),
        unexpected=categories.get("xpassed", 0),
    )
    errors = tuple(_collect_case(error, folder) for error in summary["collect_errors"])
    cases = errors + _cases(result, summary, folder)
    run = _judged(counts, summary, result, cases, errors)
    unbuilt = tuple(case.id for case in errors)
    notes = (f"run by Python {summary['python']} ({shown})", *run.notes, *_notes(summary, run))
    return foreign_run(
        attrs.evolve(run, notes=notes, unbuilt=unbuilt, version=head(str(summary["pytest"]), 40)),
        _foreign(summary, result),
        folder,
    )


def _judged(
    counts: Counts,
    summary: Mapping[str, Any],
    result: CommandResult,
    cases: tuple[TestCase, ...],
    errors: tuple[TestCase, ...],
) -> TestRun:
    code = result.exit_code
    run = judged(counts, code, tool="pytest", cases=cases)
    broken = None if counts.failed > len(errors) else _broken(summary, result, errors)
    if broken is not None:
        return TestRun("unusable", cases=errors, reason=head(broken))
    if summary["collect_only"]:
        return TestRun("none-ran", reason="pytest only collected the tests (--collect-only)")
    if not counts.failed and code:
        return _failed_without_failure(run, summary, code)
    missing = (summary.get("collected") or 0) - summary["finished"]
    if run.verdict == "passed" and missing > 0:
        text = f"pytest ended with exit code 0, but {counted(missing, 'collected test')} did not run"
        return attrs.evolve(run, verdict="failed", contradiction=text)
    return run


def _broken(summary: Mapping[str, Any], result: CommandResult, errors: tuple[TestCase, ...]) -> str | None:
    """Say why a session in which no test failed was none at all, or return None when it was one."""
    code = result.exit_code
    if code == _INTERRUPTED:
        told = f"tests could not be collected: {named(errors)}" if errors else summary.get("interrupted")
        return told or "pytest was interrupted"
    if code in {_INTERNAL_ERROR, _USAGE_ERROR}:
        cause = _last_line(summary.get("internal_error")) or pytest_text.startup_error(printed(result))
        return cause or f"pytest ended with {exit_words(code)}"
    if code == _NONE_COLLECTED and summary["missing"]:
        return f"file or directory not found: {', '.join(summary['missing'])}"
    return None


def _failed_without_failure(run: TestRun, summary: Mapping[str, Any], code: int) -> TestRun:
    """A gate that is no test: told apart from failed tests."""
    if summary.get("coverage") and code == 1:
        reached, required = summary["coverage"]
        text = f"total coverage is {reached:.2f} %, less than the required {required:g} %"
        if summary["selecting"]:
            return attrs.evolve(run, verdict="passed", contradiction=None, notes=(*run.notes, text))
        return attrs.evolve(run, reason=f"no test failed, but {text}", contradiction=None)
    if code == _TOO_MANY_WARNINGS:
        return attrs.evolve(run, reason="no test failed, but there were too many warnings", contradiction=None)
    if run.verdict == "none-ran" and summary["counts"].get("deselected"):
        number = summary["counts"]["deselected"]
        return attrs.evolve(run, reason=f"no tests were left to run: {counted(number, 'test')} deselected")
    return run


def _notes(summary: Mapping[str, Any], run: TestRun) -> Iterator[str]:
    counts = summary["counts"]
    if counts.get("deselected") and not summary["selecting"] and run.verdict != "none-ran":
        yield f"{counted(counts['deselected'], 'test')} deselected by the project's options"
    if summary.get("maxfail"):
        text = f"pytest stops after {counted(summary['maxfail'], 'failure')} (the project's options)"
        left = (summary.get("collected") or 0) - summary["finished"]
        yield text + (f": {counted(left, 'test')} did not run" if left > 0 and run.failed else "")
    if counts.get("rerun"):
        yield f"{counted(counts['rerun'], 'failure')} passed over by a rerun plugin"
    if counts.get("subtests passed"):
        yield f"{counted(counts['subtests passed'], 'subtest')} passed beside the tests"
    if summary.get("trouble"):
        yield f"the report may be incomplete: {head(summary['trouble'], 200)}"


def _foreign(summary: Mapping[str, Any], result: CommandResult) -> list[list[str]]:
    found = list(summary.get("foreign") or [])
    for name, text in result.files.items():
        if name.startswith("pytest-worker-"):
            try:
                found += json.loads(text)["foreign"]
            except (ValueError, KeyError, TypeError):
                continue
    return found


def _cases(result: CommandResult, summary: Mapping[str, Any], folder: Path) -> tuple[TestCase, ...]:
    """All tests where they fit, else the failures that the summary repeats."""
    entries = list(_entries(result))
    listed = entries if len(entries) >= summary["finished"] else summary["failures"]
    rootdir = Path(summary["rootdir"])

    @functools.cache
    def inside(path: str) -> str | None:
        below = relative_path(path, rootdir)
        return None if below is None else relative_path(str(rootdir / below), folder)

    return tuple(_case(entry, inside, Path(summary["invocation_dir"]), folder) for entry in listed)


def _entries(result: CommandResult) -> Iterator[Mapping[str, Any]]:
    for line in result.files.get(TESTS, "").split("\n"):
        try:
            entry = json.loads(line) if line else None
        except ValueError:
            continue
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            yield entry


_OUTCOMES: Mapping[str, CaseOutcome] = {
    "passed": "passed",
    "xpassed": "passed",
    "failed": "failed",
    "skipped": "skipped",
    "xfailed": "skipped",
}


def _case(entry: Mapping[str, Any], inside: Callable[[str], str | None], invocation: Path, folder: Path) -> TestCase:
    path = inside(str(entry["path"])) if entry.get("path") else None
    return TestCase(
        id=entry["id"],
        outcome=_OUTCOMES.get(entry["outcome"], "skipped"),
        path=path,
        line=_line(entry, path, invocation, folder) if path is not None else None,
        message=head(_message(entry)),
    )


def _message(entry: Mapping[str, Any]) -> str:
    """Where the report names no exception, the lines that pytest marks with an E say what is wrong."""
    text = str(entry.get("message", ""))
    marked = [line[1:].strip() for line in text.split("\n") if line.startswith("E  ")]
    return "\n".join(marked) if marked and not entry.get("crash") else text


def _line(entry: Mapping[str, Any], path: str, invocation: Path, folder: Path) -> int | None:
    """The line of the test's own file that failed, else where the test begins."""
    places = [*(entry.get("trace") or []), *([entry["crash"]] if entry.get("crash") else [])]
    for file, line in reversed(places):
        if relative_path(str(invocation / file), folder) == path:
            return int(line)
    line = entry.get("line")
    return int(line) if line else None


_TRACE_LINE = re.compile(
    r"(?P<file>\S.*?):(?P<line>\d+): (?:in |[A-Z]\w+).*|E +File \"(?P<efile>.+)\", line (?P<eline>\d+)"
)


def _collect_case(error: Mapping[str, Any], folder: Path) -> TestCase:
    """A file that could not be collected: the exception, and the last line of the project on the way to it."""
    lines = plain(str(error["text"])).split("\n")
    causes = [line[1:].strip() for line in lines if line.startswith("E   ")]
    message = next(
        (line for line in reversed(causes) if re.match(r"\w[\w.]*(?:Error|Exception|Exit)\b|\w+: ", line)), None
    )
    path, place = None, None
    for line in lines:
        if match := _TRACE_LINE.match(line):
            file = relative_path(match["file"] or match["efile"], folder)
            if file is not None and "site-packages" not in file:
                path, place = file, int(match["line"] or match["eline"])
    fallback = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return TestCase(str(error["id"]), "failed", path, place, head(message or " ".join(causes) or fallback))


def _from_remains(result: CommandResult, folder: Path) -> TestRun:
    """The session began, but its process did not live to sum it up."""
    running = running_test(result.files.get(RUNNING, ""))
    ended = f"pytest's process ended with {exit_words(result.exit_code)} before its session was over"
    if result.exit_code is None or result.exit_code in _KILLED:
        return TestRun("unusable", reason=f"{ended}: it was killed" + (f" while {running} ran" if running else ""))
    if (error := pytest_text.startup_error(printed(result))) is not None:
        return TestRun("unusable", reason=head(error))
    inside = functools.partial(relative_path, folder=folder)
    failures = [_case(entry, inside, folder, folder) for entry in _entries(result) if entry.get("outcome") == "failed"]
    if running:
        path = relative_path(running.partition("::")[0], folder)
        failures.append(TestCase(running, "failed", path, message="the process ended while this test ran"))
    contradiction = ended if result.exit_code == 0 else None
    return TestRun("failed", cases=tuple(failures), reason=ended, contradiction=contradiction)


def _last_line(text: object) -> str | None:
    lines = [line.strip() for line in str(text or "").split("\n") if line.strip()]
    return f"pytest crashed: {lines[-1]}" if lines else None
