"""What a whole run of tests with one mutant on says of it."""

import pytest

from verify_lsp.model.command import CommandResult
from verify_lsp.model.mutant import Mutant
from verify_lsp.model.testrun import TestCase, TestRun
from verify_lsp.mutation.alone import fate_alone

MUTANT = Mutant("a.py", 1, 1, 1, 2, "boundary", "<", "<=")
FAILED = (TestCase("test_a.py::test_x", "failed"),)


@pytest.mark.parametrize(
    ("run", "code", "status"),
    [
        (TestRun("passed", passed=1), 0, "survived"),
        (TestRun("failed", failed=1, cases=FAILED), 1, "killed"),
        (TestRun("unusable", reason="tests could not be collected", cases=FAILED), 2, "killed"),
        (TestRun("unusable", reason="pytest did not run (exit code 127)"), 127, "error"),
        (TestRun("unusable", reason="pytest ended with exit code 4"), 4, "error"),
        (TestRun("none-ran", reason="no tests were collected"), 5, "error"),
        (TestRun("failed", reason="no test failed, but total coverage is low"), 1, "error"),
    ],
)
def test_only_a_test_that_fails_has_noticed_a_mutant(run, code, status):
    assert fate_alone(MUTANT, run, CommandResult(code)).status == status


def test_a_run_into_the_time_limit_is_no_kill():
    assert (
        fate_alone(MUTANT, TestRun("unusable", cases=FAILED), CommandResult(None, timed_out=True)).status == "timeout"
    )
