import pytest

from verify_lsp.model.command import CommandResult
from verify_lsp.toolchains.python.testing.output import parse_tests

RULE, LINE = "=" * 70, "-" * 70


def read(text: str, exit_code: int = 0):
    run = parse_tests(CommandResult(exit_code=exit_code, stderr=text))
    assert run is not None
    return run


def test_failures_errors_and_skips_are_taken_from_the_number_that_ran():
    run = read("Ran 5 tests in 0.01s\n\nFAILED (failures=1, errors=1, skipped=1)\n", 1)
    assert (run.verdict, run.passed, run.failed, run.skipped, run.total) == ("failed", 2, 2, 1, 5)


def test_skips_beside_passes_are_a_pass():
    run = read("Ran 5 tests in 0.01s\n\nOK (skipped=2)\n")
    assert (run.verdict, run.passed, run.failed, run.skipped) == ("passed", 3, 0, 2)


@pytest.mark.parametrize(
    ("text", "exit_code"), [("Ran 0 tests in 0.000s\n\nNO TESTS RAN\n", 5), ("Ran 0 tests in 0.000s\n\nOK\n", 0)]
)
def test_no_tests_are_no_pass(text, exit_code):
    assert read(text, exit_code).verdict == "none-ran"


def test_expected_failures_and_unexpected_successes_are_neither_passed_nor_skipped():
    run = read("Ran 6 tests in 0.01s\n\nFAILED (skipped=1, expected failures=2, unexpected successes=1)\n", 1)
    assert (run.passed, run.failed, run.skipped, run.total) == (2, 1, 1, 6)


def test_failing_subtests_are_one_failed_test():
    block = f"{RULE}\nFAIL: test_a (t.T.test_a) (i={{}})\n{LINE}\nTraceback (most recent call last):\n  x\nAssertionError: {{}}\n\n"
    run = read(block.format(1, 1) + block.format(2, 2) + f"{LINE}\nRan 4 tests in 0.01s\n\nFAILED (failures=2)\n", 1)
    assert (run.passed, run.failed) == (3, 1)
    assert [(case.id, case.message) for case in run.failures()] == [("t.T.test_a", "AssertionError: 1")]


def test_a_class_that_could_not_be_set_up_takes_nothing_from_the_tests_that_ran():
    block = f"{RULE}\nERROR: setUpClass (t.T)\n{LINE}\nTraceback (most recent call last):\n  x\nOSError: no\n\n"
    run = read(block + f"{LINE}\nRan 3 tests in 0.01s\n\nFAILED (errors=1)\n", 1)
    assert (run.passed, run.failed) == (3, 1)


def test_the_class_alone_is_named_by_older_versions():
    block = f"{RULE}\nFAIL: test_a (pkg.t.T)\n{LINE}\nTraceback (most recent call last):\n  x\nAssertionError: 1\n\n"
    run = read(block + f"{LINE}\nRan 1 test in 0.01s\n\nFAILED (failures=1)\n", 1)
    assert run.failures()[0].id == "pkg.t.T.test_a"


def test_django_says_more_after_its_summary():
    run = read("Found 2 test(s).\n..\nRan 2 tests in 0.05s\n\nOK\nDestroying test database for alias 'default'...\n")
    assert (run.verdict, run.passed) == ("passed", 2)


def test_nose2_sums_up_as_unittest_does():
    run = read(f"F.s\n{LINE}\nRan 3 tests in 0.001s\n\nFAILED (failures=1, skipped=1)\n", 1)
    assert (run.passed, run.failed, run.skipped) == (1, 1, 1)


def test_two_runs_are_added_up():
    run = read("Ran 2 tests in 0.1s\n\nOK\nRan 3 tests in 0.1s\n\nFAILED (failures=1)\n", 0)
    assert (run.verdict, run.passed, run.failed) == ("failed", 4, 1)
    assert run.contradiction is not None


@pytest.mark.parametrize(
    "text", ["Ran 6 tests across 2 files. [10ms]\n", "Ran 5 tests in 0.01s\n", "OK (skipped=2)\n", "OK\n"]
)
def test_half_a_summary_counts_nothing(text):
    assert parse_tests(CommandResult(exit_code=0, stderr=text)) is None
