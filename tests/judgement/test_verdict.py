import itertools

import pytest

from tests.harness.changed_files import change_of, changed_file
from verify_lsp.judgement.verdict import needless_kinds, report_status, to_check
from verify_lsp.model.change import Change
from verify_lsp.model.finding import CHECK_KINDS, Finding
from verify_lsp.model.outcome import Broke, Ran, Skipped
from verify_lsp.model.report import Check

CHANGE = change_of(changed_file("a.py", "x\n", "y\n"))


def status(*pairs, change=CHANGE, needless=()):
    checks = [Check(kind, state, "said") for kind, state in pairs]
    return report_status(checks, change, needless=frozenset(needless))


def test_a_check_that_ran_has_the_verdict_it_gave():
    finding = Finding("1", "lint", "low", "a.py", 1, "R", "m")
    outcome = Ran("warn", "1 finding", (finding,), {"findings": 1}, command="ruff check", output="out")
    check = to_check("lint", outcome, 12)
    assert check == Check("lint", "warn", "1 finding", (finding,), 12, {"findings": 1}, "ruff check", "out", None)


def test_what_stays_unverified_makes_a_pass_a_warning_and_leaves_a_failure():
    gap = ("web: npm is not installed",)
    assert to_check("tests", Ran("pass", "ok", unverified=gap)).status == "warn"
    assert to_check("tests", Ran("fail", "bad", unverified=gap)).status == "fail"
    assert to_check("tests", Ran("pass", "ok", unverified=gap)).reason == "not verified: web: npm is not installed"


def test_what_there_was_nothing_to_look_at_in_is_said_and_costs_nothing():
    check = to_check("tests", Ran("pass", "12 tests pass", asides=("no tests in docs",)))
    assert (check.status, check.summary, check.reason) == ("pass", "12 tests pass (no tests in docs)", None)


def test_a_skipped_check_says_why():
    check = to_check("tests", Skipped("go is not installed", command="go test", metrics={"total": None}))
    assert (check.status, check.reason) == ("skipped", "go is not installed")
    assert check.summary == "not verified: go is not installed"
    assert check.metrics == {"total": None}


def test_a_check_with_nothing_to_look_at_does_not_call_itself_unverified():
    assert to_check("tests", Skipped("no such files", needless=True)).summary == "nothing to verify: no such files"


def test_a_broken_check_is_an_error():
    check = to_check("lint", Broke("eslint crashed", output="trace\x1b[31m"))
    assert (check.status, check.reason, check.output) == ("error", "eslint crashed", "trace")


@pytest.mark.parametrize("metrics", [{"total": 0}, {"passed": 0, "failed": 0}, {"passed": 0, "skipped": 4, "total": 4}])
def test_a_test_run_without_tests_is_no_pass(metrics):
    assert to_check("tests", Ran("pass", "ok", metrics=metrics)).status == "warn"


def test_unknown_counts_are_not_zero():
    assert to_check("tests", Ran("pass", "ok", metrics={"passed": None, "total": None})).status == "pass"


def test_output_is_bounded_from_its_end():
    check = to_check("tests", Ran("fail", "bad", output="x\n" * 50_000 + "the end"))
    assert len(check.output) <= 16_000
    assert check.output.endswith("the end")


def test_fail_before_error_before_warn_before_pass():
    order = ["fail", "error", "warn", "pass"]
    for one, other in itertools.combinations(order, 2):
        assert status(("tests", other), ("lint", one)) == one
        assert status(("tests", one), ("lint", other)) == one


def test_no_change_is_empty_whatever_ran():
    assert status(("tests", "fail"), change=Change(())) == "empty"


def test_a_run_in_which_everything_was_skipped_is_no_pass():
    # G9, T17: no test command, go missing, offline, time-out.
    every = [(kind, "skipped") for kind in CHECK_KINDS]
    assert status(*every) == "warn"
    assert status(*every, needless=CHECK_KINDS) == "warn"
    assert status() == "warn"


def test_one_check_that_ran_makes_a_pass_beside_skipped_ones():
    assert status(("project-check", "pass"), ("tests", "skipped"), ("lint", "skipped")) == "pass"


def test_reading_the_text_does_not_stand_in_for_tools_that_are_missing():
    # G9: go is not installed, so that nothing was compiled or run, yet the rules read the added lines.
    read = (("security", "pass"), ("integrity", "pass"))
    assert status(*read, ("project-check", "skipped"), ("tests", "skipped")) == "warn"


def test_a_clean_linter_does_not_stand_in_for_types_and_tests_that_timed_out():
    timed_out = (("diagnostics", "skipped"), ("project-check", "skipped"), ("tests", "skipped"))
    assert status(*timed_out, ("lint", "pass")) == "warn"
    assert status(("tests", "pass"), ("lint", "pass")) == "pass"


def test_reading_the_text_is_enough_where_there_is_nothing_to_run():
    assert status(("security", "pass"), ("tests", "skipped"), needless=["tests"]) == "pass"
    assert status(("security", "pass")) == "pass"


def test_a_run_under_way_is_running():
    assert status(("tests", "running"), ("lint", "fail")) == "running"


def test_only_skips_without_need_are_needless():
    outcomes = {"tests": Skipped("none", needless=True), "lint": Skipped("no ruff"), "security": Ran("pass", "ok")}
    assert needless_kinds(outcomes) == {"tests"}
