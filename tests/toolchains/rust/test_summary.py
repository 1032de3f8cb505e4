import pytest

from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import TestRun
from verify_lsp.toolchains.rust.tools import TOOLS


def told(stdout: str, exit_code: int | None = 0, stderr: str = "") -> TestRun:
    run = TOOLS.parse_tests(CommandResult(exit_code, stdout, stderr))
    assert run is not None
    return run


def counts(run: TestRun) -> tuple[int | None, int | None, int | None, int | None]:
    return run.passed, run.failed, run.skipped, run.total


def block(passed: int, failed: int = 0, ignored: int = 0, listed: str = "") -> str:
    total = passed + failed + ignored
    word = "FAILED" if failed else "ok"
    result = (
        f"{word}. {passed} passed; {failed} failed; {ignored} ignored; 0 measured; 0 filtered out; finished in 0.00s"
    )
    return f"\nrunning {total} test{'s' * (total != 1)}\n{listed}\ntest result: {result}\n\n"


def test_all_programs_are_summed_and_the_last_line_does_not_win() -> None:
    text = block(42) + block(3, 1, listed="test it::breaks ... FAILED\n") + "   Doc-tests m\n" + block(0)
    run = told(text, 101)
    assert (run.verdict, counts(run)) == ("failed", (45, 1, 0, 46))
    assert [case.id for case in run.failures()] == ["it::breaks"]


def test_zero_failed_is_no_failure() -> None:
    text = "".join(block(number, listed="test preserves_failed_lines ... ok\n") for number in range(1, 18))
    run = told(text)
    assert (run.verdict, counts(run)) == ("passed", (153, 0, 0, 153))


def test_nothing_that_ran_is_not_a_pass() -> None:
    assert (told(block(0) + block(0)).verdict, told(block(0)).reason) == ("none-ran", "there were no tests to run")
    assert (told(block(0, 0, 2)).verdict, told(block(0, 0, 2)).reason) == ("none-ran", "all tests are ignored (2)")


def test_a_program_that_died_is_a_failure() -> None:
    run = told("running 2 tests\ntest a ... ok\n" + block(1), 101)
    assert (run.verdict, counts(run)) == ("failed", (None, 1, None, None))
    assert [case.id for case in run.failures()] == ["a test program [did not end]"]


def test_tests_that_do_not_compile_are_named() -> None:
    stderr = 'error[E0308]: mismatched types\n\nerror: could not compile `demo` (test "ty") due to 1 previous error\n'
    stderr += "warning: build failed, waiting for other jobs to finish...\nerror: could not compile `demo` (lib test) due to 3 previous errors; 1 warning emitted\n"
    run = told("", 101, stderr)
    assert (run.verdict, run.unbuilt) == ("failed", ('demo (test "ty")', "demo (lib test)"))
    assert counts(run) == (None, 2, None, None)


def test_a_masked_exit_code_is_a_contradiction() -> None:
    assert (
        told(block(1, 1, listed="test a ... FAILED\n"), 0).contradiction
        == "the output says 1 failed, the exit code is 0"
    )
    assert told(block(1), 101).contradiction == "the output names no failure, the exit code is 101"
    assert told(block(1), 101).verdict == "failed"


NEXTEST = """\
    Starting 9 tests across 2 binaries (2 tests skipped)
        PASS [   0.004s] (1/9) demo tests::a
  TRY 1 FAIL [   0.005s] (2/9) demo tests::flaky
  TRY 2 PASS [   0.005s] (2/9) demo tests::flaky
        FAIL [   0.005s] (3/9) demo::it breaks
────────────
     Summary [   0.012s] 9 tests run: 6 passed (1 slow, 1 flaky), 1 failed, 1 exec failed, 1 timed out, 2 skipped
   FLAKY 2/2 [   0.005s] (2/9) demo tests::flaky
        FAIL [   0.005s] (3/9) demo::it breaks
     SIGABRT [   0.005s] ( 4/9) demo::it dies
     TIMEOUT [  60.000s] demo::it hangs
error: test run failed
"""


def test_nextest_is_summed_by_its_summary() -> None:
    run = told("", 100, NEXTEST)
    assert (run.verdict, counts(run)) == ("failed", (6, 3, 2, 11))
    assert [case.id for case in run.cases] == ["demo::it breaks", "demo::it dies", "demo::it hangs"]


@pytest.mark.parametrize(
    ("line", "exit_code", "verdict"),
    [
        ("     Summary [   2.000s] 5 tests run: 5 passed, 0 skipped", 0, "passed"),
        ("     Summary [   2.000s] 1 test run: 1 passed (1 leaky), 3 skipped", 0, "passed"),
        ("     Summary [   2.000s] 8/10 tests run: 8 passed, 0 skipped", 100, "failed"),
        ("     Summary [   0.000s] 0 tests run: 0 passed, 2 skipped", 4, "none-ran"),
    ],
)
def test_nextest_runs_of_all_kinds(line: str, exit_code: int, verdict: str) -> None:
    assert told(line + "\n", exit_code).verdict == verdict


def test_nextest_and_examples_in_comments_are_added_up() -> None:
    run = told(block(2, 0, 1), 0, "     Summary [   2.000s] 5 tests run: 5 passed, 0 skipped\n")
    assert (run.verdict, counts(run)) == ("passed", (7, 0, 1, 8))
    failing = told(block(2), 100, NEXTEST)
    assert (failing.verdict, counts(failing), failing.contradiction) == ("failed", (8, 3, 2, 13), None)


@pytest.mark.parametrize(
    "text", ["", "ok  \tm\t0.1s\n", "5 passed in 0.1s\n", "test result: ok. 1 passed\n", "now running 3 tests\n"]
)
def test_the_output_of_other_tools_is_left_to_them(text: str) -> None:
    assert TOOLS.parse_tests(CommandResult(0, text)) is None
