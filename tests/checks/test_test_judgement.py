import pytest

from verify_lsp.checks.test_failures import Failures
from verify_lsp.checks.test_judgement import judge
from verify_lsp.checks.test_run import Suite
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.outcome import Broke, Ran, Skipped, ToolInfo
from verify_lsp.model.testrun import TestCase, TestRun
from verify_lsp.toolchains.base import TestStep

SUITE = Suite(None, TestStep("pytest", Command(("pytest",)), lambda _: TestRun("none-ran")))
CASE = TestCase("t.py::test_a", "failed", "t.py", 3, "boom")
OTHER = TestCase("t.py::test_b", "failed", "t.py", 9, "bang")


def judged(run, failures=None, code=1):
    return judge(SUITE, run, failures or Failures(), CommandResult(code, stdout="out"), ToolInfo("pytest", "9.2"))


def test_a_pass_says_how_many_ran_by_what():
    outcome = judged(TestRun("passed", 12, 0, 0, 12), code=0)

    assert isinstance(outcome, Ran)
    assert (outcome.verdict, outcome.summary) == ("pass", "12 tests pass (pytest: pytest, exit 0)")
    assert outcome.proofs[0].holds


def test_a_pass_without_counts_claims_none():
    outcome = judged(TestRun("passed"), code=0)

    assert isinstance(outcome, Ran)
    assert outcome.summary == "the test command succeeds (pytest: pytest, exit 0); its output names no counts"
    assert [outcome.metrics[name] for name in ("passed", "failed", "skipped", "total")] == [None] * 4


def test_a_new_failure_fails_even_beside_old_ones():
    outcome = judged(TestRun("failed", 1, 2, 0, 3, (CASE, OTHER)), Failures(new=(CASE,), old=(OTHER,)))

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "fail"
    assert [(finding.severity, finding.preexisting) for finding in outcome.findings] == [("high", False), ("low", True)]
    assert outcome.metrics["failed_new"] == 1


def test_old_failures_alone_warn():
    outcome = judged(TestRun("failed", 1, 1, 0, 2, (CASE,)), Failures(old=(CASE,)))

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "warn"
    assert not outcome.proofs[0].holds


def test_a_contradiction_fails_whatever_else_is_told():
    run = TestRun("failed", 5, 2, 0, 7, (CASE,), contradiction="the output says 2 failed, the exit code is 0")
    outcome = judged(run, Failures(old=(CASE,)), code=0)

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "fail"
    assert "contradict" in outcome.summary


def test_a_failure_without_failed_tests_says_what_failed_it():
    outcome = judged(TestRun("failed", 5, 0, 0, 5, reason="no test failed, but coverage is below 90 %"))

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "fail"
    assert outcome.summary == "no test failed, but coverage is below 90 % (pytest: pytest, exit 1)"


def test_as_many_unnamed_failures_as_before_warn_and_say_what_is_open():
    outcome = judged(TestRun("failed", 5, 2, 0, 7), Failures(same_count_before=True))

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "warn"
    assert outcome.unverified == ("whether the same tests failed before: the output names none",)


@pytest.mark.parametrize(
    ("run", "kind"), [(TestRun("none-ran"), Skipped), (TestRun("unusable", reason="collection failed"), Broke)]
)
def test_no_tests_is_skipped_and_an_unusable_run_is_an_error(run, kind):
    outcome = judged(run, code=5)

    assert isinstance(outcome, kind)
    assert outcome.command == "pytest"


def test_what_does_not_build_is_not_called_a_test():
    unbuilt = TestCase("example.com/shop [build failed]", "failed")
    run = TestRun("failed", 1, 2, 0, 3, (CASE, unbuilt), unbuilt=("example.com/shop",))

    outcome = judged(run, Failures(new=(CASE, unbuilt)))

    assert isinstance(outcome, Ran)
    assert outcome.summary == (
        "1 test fails (pytest: pytest, exit 1): t.py::test_a; "
        "1 part does not build (pytest: pytest, exit 1): example.com/shop [build failed]"
    )
