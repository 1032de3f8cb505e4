"""What a test program of Go prints when it is run by itself."""

import re

from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import TestCase, TestRun
from verify_lsp.toolchains.output import head

HEADLINE = "verify-lsp runs the tests of "
"""Stands before the package's import path on the first line of what is read here."""

_ENDED = re.compile(r"^\s*\x16?\s*--- (?P<end>PASS|FAIL|SKIP): (?P<name>\S+)", re.MULTILINE)
_RUNS = re.compile(r"^\x16?=== (?:RUN|CONT|NAME)\s+(?P<name>\S+)", re.MULTILINE)


def is_trial(result: CommandResult) -> bool:
    """Say whether this is the output of one test program, and not that of `go test`."""
    return result.stdout.startswith(HEADLINE)


def read_trial(result: CommandResult) -> TestRun:
    """Return how a test program ended, and the first test that failed in it."""
    if result.timed_out:
        return TestRun("unusable", reason="the tests did not end in time")
    if result.missing or result.exit_code is None:
        return TestRun("unusable", reason="the tests could not be started")
    if result.exit_code == 0:
        if "testing: warning: no tests to run" in result.stderr + result.stdout:
            return TestRun("none-ran", reason="no test ran")
        return TestRun("passed")
    package = result.stdout.partition("\n")[0].removeprefix(HEADLINE)
    name = _failed(result.stdout)
    case = TestCase(f"{package}.{name}" if name else package, "failed", message=head(result.stderr, 200))
    return TestRun("failed", failed=1, cases=(case,))


def _failed(text: str) -> str:
    """Return the innermost test that failed first; where the program broke off, the one that ran last."""
    failed = [found["name"] for found in _ENDED.finditer(text) if found["end"] == "FAIL"]
    for name in failed:
        if not any(other.startswith(name + "/") for other in failed):
            return name
    ended = {found["name"] for found in _ENDED.finditer(text)}
    running = [found["name"] for found in _RUNS.finditer(text) if found["name"] not in ended]
    return running[-1] if running else ""
