"""What a run of a test command of the user's own says of a mutant."""

import pytest

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.testrun import TestCase, TestRun
from verify_lsp.toolchains.base import BuiltIn, TestStep
from verify_lsp.toolchains.own_command import tried_by

PLAIN = TestRun("failed")
NAMED = TestRun("failed", failed=1, cases=(TestCase("t", "failed"),))
UNBUILT = TestRun("failed", failed=1, cases=(TestCase("m [build failed]", "failed"),), unbuilt=("m",))
NONE = TestRun("none-ran", reason="no tests")


def step(run, **settings):
    line = TestStep("testCommand", Command(("make test",), shell=True, **settings), lambda _result: run)
    texts = BuiltIn(lambda texts: {}, (), lambda _: (), line.command, lambda _: {}, lambda *_: (), line.parse)
    return tried_by(line, texts, {"A": "b"}, lambda _result: frozenset({3, 1}))


@pytest.mark.parametrize(
    ("run", "code", "verdict", "names"),
    [
        (TestRun("passed"), 0, "passed", []),
        (PLAIN, 2, "failed", ["the test command (exit 2)"]),
        (TestRun("failed", failed=0, contradiction="no failure"), 1, "failed", ["the test command (exit 1)"]),
        (NAMED, 1, "failed", ["t"]),
        (NAMED, 0, "failed", ["t"]),
        (UNBUILT, 1, "unusable", []),
        (NONE, 1, "none-ran", []),
        (TestRun("unusable", reason="no program"), 127, "unusable", []),
    ],
)
def test_the_exit_code_is_the_verdict_and_a_named_test_is_said(run, code, verdict, names):
    read = step(run).parse(CommandResult(code))

    assert read.verdict == verdict
    assert [case.id for case in read.failures()] == names


@pytest.mark.parametrize("result", [CommandResult(None, timed_out=True), CommandResult(None, missing=True)])
def test_what_did_not_end_or_start_says_nothing(result):
    assert step(TestRun("passed")).parse(result).verdict == "unusable"


def test_a_failure_with_a_mutant_in_the_text_counts_where_a_test_is_named():
    tried = step(PLAIN)

    assert tried.written(tried.parse(CommandResult(1))).verdict == "unusable"
    assert tried.written(NAMED).verdict == "failed"
    assert not tried.tells(TestRun("passed"))
    assert tried.tells(TestRun("passed", failed=0))


def test_the_line_runs_as_it_is_written_and_its_processes_know_the_mutant():
    tried = step(TestRun("passed"), env={"C": "d"})
    (trial,) = tried.trial(7, ())

    assert trial.argv == tried.survey.argv == ("make test",)
    assert trial.shell
    assert {"A": "b", "C": "d", "VERIFY_LSP_MUTANT": "7"}.items() <= trial.env.items()
    assert tried.survey.env["VERIFY_LSP_MUTANT"] == ""
    assert tried.reached(CommandResult(0)) == {1: (), 3: ()}
    assert tried.asked(CommandResult(0, files={"asked": "x"}))
    assert not tried.asked(CommandResult(0))
