import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.model.command import CommandResult
from verify_lsp.toolchains.python.testing import pytest_text
from verify_lsp.toolchains.python.testing.output import parse_tests
from verify_lsp.toolchains.python.testing.verdicts import Counts

CATEGORIES = {
    "failed": "failed",
    "passed": "passed",
    "skipped": "skipped",
    "xfailed": "expected",
    "xpassed": "unexpected",
}


def result(stdout: str, exit_code: int = 0, stderr: str = "") -> CommandResult:
    return CommandResult(exit_code=exit_code, stdout=stdout, stderr=stderr)


def test_only_the_last_whole_summary_line_counts():
    run = parse_tests(
        result(
            "SKIPPED [1] t.py:12: server at 127.0.0.1, port 5555 failed: refused\n"
            "E   17 failed, 3 passed in the log\n"
            "197 passed, 4 skipped in 31.2s\n"
        )
    )
    assert run is not None
    assert (run.verdict, run.passed, run.failed, run.skipped, run.total) == ("passed", 197, 0, 4, 201)


def test_a_summary_in_colour_counts():
    text = "\x1b[32m========= \x1b[32m\x1b[1m3 passed\x1b[0m, \x1b[33m1 warning\x1b[0m\x1b[32m in 0.12s\x1b[0m\x1b[32m =========\x1b[0m\n"
    run = parse_tests(result(text))
    assert run is not None
    assert (run.verdict, run.passed, run.failed) == ("passed", 3, 0)


def test_failures_behind_an_exit_code_of_zero_are_a_contradiction():
    run = parse_tests(result("...FF..   [100%]\n2 failed, 5 passed in 0.31s\n", exit_code=0))
    assert run is not None
    assert run.verdict == "failed"
    assert run.failed == 2
    assert run.contradiction is not None


def test_a_pass_behind_a_failing_exit_code_is_a_contradiction():
    run = parse_tests(result("5 passed in 0.31s\n", exit_code=1))
    assert run is not None
    assert run.verdict == "failed"
    assert run.contradiction is not None


def test_errors_count_as_failures():
    run = parse_tests(result("=== 1 passed, 2 errors in 0.31s ===\n", exit_code=1))
    assert run is not None
    assert (run.passed, run.failed, run.total) == (1, 2, 3)


def test_no_tests_ran_is_neither_passed_nor_failed():
    run = parse_tests(result("\n============ no tests ran in 0.01s ============\n", exit_code=5))
    assert run is not None
    assert run.verdict == "none-ran"


def test_a_wrong_path_is_named_although_no_tests_ran():
    run = parse_tests(result("=== no tests ran in 0.01s ===\n", 4, "ERROR: file or directory not found: MISSING\n"))
    assert run is not None
    assert run.verdict == "unusable"
    assert run.reason == "file or directory not found: MISSING"


def test_skipped_tests_alone_prove_nothing():
    run = parse_tests(result("3 skipped in 0.01s\n"))
    assert run is not None
    assert (run.verdict, run.skipped) == ("none-ran", 3)


def test_two_sessions_one_after_another_are_added_up():
    text = (
        "=== test session starts ===\n=== 1 failed, 2 passed in 0.1s ===\n"
        "=== test session starts ===\n=== 4 passed in 0.1s ===\n"
    )
    run = parse_tests(result(text, exit_code=0))
    assert run is not None
    assert (run.verdict, run.passed, run.failed) == ("failed", 6, 1)


def test_two_quiet_sessions_one_after_another_are_added_up():
    run = parse_tests(result("F..  [100%]\n1 failed, 2 passed in 0.1s\n....  [100%]\n4 passed in 0.1s\n"))
    assert run is not None
    assert (run.verdict, run.passed, run.failed) == ("failed", 6, 1)


def test_a_session_printed_by_a_test_does_not_count():
    text = (
        "=== test session starts ===\ntests/test_plugin.py F\n=== FAILURES ===\n--- Captured stdout call ---\n"
        "=== test session starts ===\n=== 9 passed in 0.1s ===\n=== 1 failed in 2.1s ===\n"
    )
    run = parse_tests(result(text, exit_code=1))
    assert run is not None
    assert (run.passed, run.failed, run.contradiction) == (0, 1, None)


def test_a_summary_printed_by_a_quiet_test_does_not_count():
    text = "F   [100%]\n=== FAILURES ===\n--- Captured stdout call ---\n9 passed in 0.1s\n1 failed in 2.1s\n"
    run = parse_tests(result(text, exit_code=1))
    assert run is not None
    assert (run.passed, run.failed) == (0, 1)


def test_an_error_while_collecting_is_no_failed_test():
    text = (
        "=== test session starts ===\n=== ERRORS ===\n=== short test summary info ===\n"
        "ERROR tests/test_a.py - ModuleNotFoundError: No module named 'nowhere'\n"
        "!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!\n=== 1 error in 0.10s ===\n"
    )
    run = parse_tests(result(text, exit_code=2))
    assert run is not None
    assert run.verdict == "unusable"
    assert run.reason is not None
    assert "tests/test_a.py: ModuleNotFoundError" in run.reason


def test_output_with_a_gap_gives_a_verdict_without_counts():
    run = parse_tests(CommandResult(exit_code=0, stdout="3 passed in 0.1s\n", truncated=True))
    assert run is not None
    assert (run.verdict, run.passed, run.failed) == ("passed", None, None)


def test_failed_tests_are_named():
    text = (
        "F [100%]\n=== short test summary info ===\nFAILED tests/test_a.py::test_b[x y] - assert 1 == 2\n"
        "1 failed in 0.10s\n"
    )
    run = parse_tests(result(text, exit_code=1))
    assert run is not None
    assert [(case.id, case.path, case.message) for case in run.failures()] == [
        ("tests/test_a.py::test_b[x y]", "tests/test_a.py", "assert 1 == 2")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "42 passed\n",
        "Tests: 461 passed\n",
        "test result: ok. 42 passed; 0 failed; 0 ignored; finished in 0.01s\n",
        "  12 passing (34ms)\n",
        " 5 pass\n 1 fail\nRan 6 tests across 2 files. [10ms]\n",
        "5 passed (3.2s)\n",
        "we saw 5 passed in 0.1s\n",
        "5 passed in 0.1s, they say\n",
        "5 tests collected in 0.01s\n",
    ],
)
def test_what_is_not_of_pythons_tools_is_left_to_others(text):
    assert parse_tests(result(text)) is None


@given(
    st.dictionaries(st.sampled_from(sorted(CATEGORIES)), st.integers(1, 10_000), min_size=1),
    st.floats(0, 9999).map(lambda seconds: f"{seconds:.2f}"),
    st.booleans(),
)
def test_every_summary_line_is_read_back(counts, seconds, framed):
    line = ", ".join(f"{number} {name}" for name, number in counts.items()) + f" in {seconds}s"
    expected = Counts(**{CATEGORIES[name]: number for name, number in counts.items()})
    assert pytest_text.summary_line(f"==== {line} ====" if framed else line) == expected


@given(st.text(alphabet=st.characters(exclude_characters="\n"), min_size=1).filter(str.strip))
def test_a_summary_with_text_around_it_is_none(text):
    line = "3 passed in 0.1s"
    assert pytest_text.summary_line(f"{line} {text.strip()} x") is None
    assert pytest_text.summary_line(f"x {text.strip()} {line}") is None
