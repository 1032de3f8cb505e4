import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import TestCase, TestRun
from verify_lsp.toolchains.go.tools import TOOLS


def parsed(stdout: str, exit_code: int | None = 0, stderr: str = "") -> TestRun | None:
    return TOOLS.parse_tests(CommandResult(exit_code, stdout, stderr))


def told(stdout: str, exit_code: int | None = 0, stderr: str = "") -> TestRun:
    run = parsed(stdout, exit_code, stderr)
    assert run is not None
    return run


MIXED = """\
ok  \tm/cached\t(cached)
--- FAIL: TestA (0.00s)
    a_test.go:4: bad
panic: in a goroutine

goroutine 23 [running]:
FAIL\tm\t0.02s
# m/x
x/x.go:1:1: undefined: y
FAIL\tm/x [build failed]
FAIL\tm/y [setup failed]
?   \tm/z\t[no test files]
ok  \tm/w\t0.011s [no tests to run]
FAIL
"""


def test_failures_of_all_kinds_are_named() -> None:
    run = told(MIXED, 1)
    assert run.verdict == "failed"
    assert [case.id for case in run.failures()] == ["m.TestA", "m/x [build failed]", "m/y [build failed]"]
    assert run.unbuilt == ("m/x", "m/y")
    assert run.notes == ("results of 1 package came from Go's cache",)


def test_without_names_of_passing_tests_their_number_is_unknown() -> None:
    run = told("ok  \tm\t0.011s\nok  \tm/a\t0.011s\tcoverage: 80.0% of statements\n")
    assert (run.verdict, run.passed, run.failed, run.skipped, run.total) == ("passed", None, 0, None, None)


def test_a_panic_that_names_no_test_fails_its_package() -> None:
    run = told("panic: in a goroutine\n\ngoroutine 23 [running]:\nFAIL\tm\t0.02s\nFAIL\n", 1)
    assert run.failures() == (TestCase("m", "failed"),)


VERBOSE = """\
=== RUN   TestParent
=== RUN   TestParent/one
=== RUN   TestParent/two
--- FAIL: TestParent (0.00s)
    --- PASS: TestParent/one (0.00s)
    --- FAIL: TestParent/two (0.00s)
=== RUN   TestSkips
--- SKIP: TestSkips (0.00s)
FAIL
FAIL\tm\t0.005s
=== RUN   TestOther
--- PASS: TestOther (0.00s)
PASS
ok  \tm/other\t0.005s
FAIL
"""


def test_a_verbose_run_is_counted() -> None:
    run = told(VERBOSE, 1)
    assert (run.verdict, run.passed, run.failed, run.skipped, run.total) == ("failed", 2, 1, 1, 4)
    assert [case.id for case in run.cases] == [
        "m.TestParent/one",
        "m.TestParent/two",
        "m.TestSkips",
        "m/other.TestOther",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("?   \tm\t[no test files]\n", "no package has tests to run"),
        ("ok  \tm\t0.1s [no tests to run]\n", "no package has tests to run"),
        ("=== RUN   TestS\n--- SKIP: TestS (0.00s)\nPASS\nok  \tm\t0.1s\n", "all tests were skipped (1)"),
    ],
)
def test_nothing_that_ran_is_not_a_pass(text: str, reason: str) -> None:
    run = told(text)
    assert (run.verdict, run.reason) == ("none-ran", reason)


def test_a_masked_exit_code_is_a_contradiction() -> None:
    assert told(MIXED, 0).contradiction == "the output says 3 failed, the exit code is 0"
    assert told(MIXED, 0).verdict == "failed"
    passing = told("ok  \tm\t0.011s\n", 1)
    assert (passing.verdict, passing.contradiction) == ("failed", "the output names no failure, the exit code is 1")


def test_colours_are_no_part_of_the_output() -> None:
    assert told("\x1b[32mok  \tm\t0.011s\x1b[0m\r\n").verdict == "passed"


def test_events_are_read_where_the_command_prints_them() -> None:
    events = [
        {"Action": "pass", "Package": "m", "Test": "TestA"},
        {"Action": "skip", "Package": "m", "Test": "TestB"},
        {"Action": "pass", "Package": "m"},
    ]
    run = told("".join(json.dumps(event) + "\n" for event in events))
    assert (run.verdict, run.passed, run.failed, run.skipped, run.total) == ("passed", 1, 0, 1, 2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
        "FAIL src/a.test.ts\n",
        "  ok  \tindented\t0.1s\n",
        "the words ok  \tm\t0.1s within a line\n",
        "PASS\n",
        "5 passed in 0.1s\n",
    ],
)
def test_the_output_of_other_tools_is_left_to_them(text: str) -> None:
    assert parsed(text) is None


GOTESTSUM = """\
=== Failed
=== FAIL: x  (0.00s)
FAIL\tm/x [build failed]

=== FAIL: a TestParent/deep (0.00s)
    a_test.go:4: bad
DONE 99 tests in 0.001s of fake output

=== Errors
x/x.go:3:28: undefined: y

DONE 15 tests, 3 skipped, 2 failures, 1 error in 0.020s
"""


def test_gotestsums_closing_line_counts() -> None:
    run = told(GOTESTSUM, 1)
    assert (run.verdict, run.passed, run.failed, run.skipped, run.total) == ("failed", None, 2, 3, 15)
    assert [case.id for case in run.cases] == ["x", "a.TestParent/deep"]
    assert told("DONE 1 tests in 0.004s\n").passed == 1
    assert told("DONE 2 runs, 12 tests, 2 skipped in 0.004s\n").passed == 10
    assert told("DONE 0 tests, 1 error in 0.1s\n", 1).failed == 1


def test_gotestsum_without_tests_is_not_a_pass() -> None:
    assert told("∅  notests\n\nDONE 0 tests in 0.000s\n").verdict == "none-ran"
    assert told("DONE 1 tests, 1 skipped in 0.010s\n").verdict == "none-ran"


@given(
    st.lists(st.sampled_from([*MIXED.split("\n"), *VERBOSE.split("\n"), *GOTESTSUM.split("\n")])),
    st.sampled_from([0, 1, None]),
)
def test_no_order_of_lines_makes_a_failing_command_pass(lines: list[str], exit_code: int | None) -> None:
    run = parsed("\n".join(lines), exit_code)
    assert run is None or exit_code != 1 or run.verdict == "failed"


def test_a_package_that_passes_may_provoke_failures_but_not_swallow_them() -> None:
    within = "=== RUN   TestInner\n--- FAIL: TestInner (0.00s)\n--- PASS: TestOuter (0.00s)\n{}\nok  \tm\t0.1s\n"
    assert (told(within.format("PASS")).verdict, told(within.format("PASS")).total) == ("passed", 1)
    assert told(within.format("FAIL")).verdict == "failed"
    assert told(within.format("FAIL")).contradiction == "the output says 1 failed, the exit code is 0"
