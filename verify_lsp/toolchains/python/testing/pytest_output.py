"""A pytest run that left no report: the printed summary, else the exit code alone."""

import re

from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import TestRun
from verify_lsp.toolchains.output import head, plain
from verify_lsp.toolchains.python.testing import pytest_text
from verify_lsp.toolchains.python.testing.verdicts import exit_words, judged, named

_NOTE = "pytest left no report and no summary; its exit code speaks alone"
_NO_RUN = re.compile(
    r"^(?:Traceback |ImportError\b|\S*python\S*: (?:No module named |can't open )|Fatal Python )", re.MULTILINE
)
_HELP = re.compile(r"usage: |pytest \d")
_FAILED, _NONE_COLLECTED = 1, 5


def run_by_output(result: CommandResult) -> TestRun:
    """Return what the last summary line says; the exit code speaks where nothing can be read."""
    text = printed(result)
    found = pytest_text.summaries(text)
    error = pytest_text.startup_error(text)
    if error is not None and not (found and found[-1].total):
        return TestRun("unusable", reason=head(error))
    cases = pytest_text.cases(text)
    if (cause := pytest_text.interruption(text)) is not None:
        return TestRun("unusable", cases=cases, reason=head(f"{cause} ({named(cases)})" if cases else cause))
    if found:
        return judged(found[-1], result.exit_code, tool="pytest", cases=cases)
    return _by_exit_code(result.exit_code, text)


def _by_exit_code(code: int | None, text: str) -> TestRun:
    if code == _NONE_COLLECTED:
        return TestRun("none-ran", reason="no tests were collected")
    if code == 0 and not _HELP.match(text):
        return TestRun("passed", notes=(_NOTE,))
    if code == _FAILED and not _NO_RUN.search(text):
        return TestRun("failed", notes=(_NOTE,))
    last = next((line.strip() for line in reversed(text.split("\n")) if line.strip()), "")
    return TestRun("unusable", reason=head(f"pytest did not run ({exit_words(code)}): {last}"))


def printed(result: CommandResult) -> str:
    """Return both streams as a terminal would leave them."""
    return plain(result.stdout) + "\n" + plain(result.stderr)
