import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.node_projects import counts
from verify_lsp.model.command import CommandResult
from verify_lsp.toolchains.node.testing.summaries import read_summaries


def read(text, exit_code=0):
    found = read_summaries(CommandResult(exit_code, stdout=text))
    assert found is not None
    return found


VITEST_COLOURED = (
    "\x1b[2m Test Files \x1b[22m \x1b[1m\x1b[32m40 passed\x1b[39m\x1b[22m\x1b[90m (40)\x1b[39m\n"
    "\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[32m461 passed\x1b[39m\x1b[22m\x1b[2m | \x1b[22m\x1b[33m3 skipped\x1b[39m"
    "\x1b[90m (464)\x1b[39m\n"
    "\x1b[2m   Start at \x1b[22m 15:02:58\n"
)


def test_colours_stand_between_the_word_and_the_number():
    assert counts(read(VITEST_COLOURED)) == (461, 0, 3)


def test_hyperlinks_and_redrawn_lines_hide_nothing():
    link = "\x1b]8;;file:///a.test.ts\x1b\\a.test.ts\x1b]8;;\x1b\\"
    text = f"running 1 of 40\rrunning 40 of 40\r {link}\n" + VITEST_COLOURED.replace("\n", "\r\n")
    assert counts(read(text)) == (461, 0, 3)


TEXTS = {
    "vitest": (" Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 5 passed | 1 todo (7)\n", 1, (5, 1, 1)),
    "vitest, a file does not load": (" Test Files  1 failed (1)\n      Tests  no tests\n", 1, (0, 1, 0)),
    "vitest, expected failures": (
        " Test Files  1 passed (1)\n      Tests  2 passed | 1 expected fail (3)\n",
        0,
        (3, 0, 0),
    ),
    "vitest in turbo": (
        (
            "web:test:  Test Files  1 passed (1)\nweb:test:       Tests  3 passed (3)\n"
            "api:test:  Test Files  1 passed (1)\napi:test:       Tests  4 passed (4)\n"
        ),
        0,
        (7, 0, 0),
    ),
    "vitest in pnpm -r": (
        "packages/a test:  Test Files  1 passed (1)\npackages/a test:       Tests  3 passed (3)\n",
        0,
        (3, 0, 0),
    ),
    "jest": (
        "Test Suites: 2 failed, 2 total\nTests:       2 failed, 1 skipped, 1 todo, 1 passed, 5 total\nTime: 1 s\n",
        1,
        (1, 2, 2),
    ),
    "jest, a file does not load": (
        "Test Suites: 1 failed, 1 passed, 2 total\nTests:       4 passed, 4 total\n",
        1,
        (4, 1, 0),
    ),
    "mocha": ("\n  12 passing (34ms)\n  1 pending\n  2 failing\n\n  1) suite\n", 2, (12, 2, 1)),
    "mocha, all passes": ("\n  12 passing (2s)\n", 0, (12, 0, 0)),
    "node spec, cancelled": (
        "ℹ tests 3\nℹ suites 1\nℹ pass 1\nℹ fail 1\nℹ cancelled 1\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 12.3\n",
        1,
        (1, 2, 0),
    ),
    "node spec on one line": (
        "ℹ tests 3 ℹ suites 1 ℹ pass 1 ℹ fail 1 ℹ cancelled 1 ℹ skipped 0 ℹ todo 0\n",
        1,
        (1, 2, 0),
    ),
    "node TAP": (
        "1..3\n# tests 3\n# suites 0\n# pass 3\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n",
        0,
        (3, 0, 0),
    ),
    "several runs": ("# tests 3\n# pass 3\n# fail 0\nthen\n# tests 2\n# pass 1\n# fail 1\n", 1, (4, 1, 0)),
    "tape": ("1..3\n# tests 3\n# pass  2\n# fail  1\n\n", 1, (2, 1, 0)),
    "bun": (" 5 pass\n 1 fail\nRan 6 tests across 2 files. [12.00ms]\n", 1, (5, 1, 0)),
    "bun, all of it": (
        " 5 pass\n 1 skip\n 2 todo\n 1 fail\n 12 expect() calls\nRan 9 tests across 2 files. [12.00ms]\n",
        1,
        (5, 1, 3),
    ),
    "ava": ("  ─\n\n  1 test failed\n  5 tests passed\n  1 test skipped\n  1 uncaught exception\n", 1, (5, 2, 1)),
    "ava, one test": ("  1 test passed\n", 0, (1, 0, 0)),
    "tap 18": ("# { total: 6, pass: 4, fail: 1, skip: 1 }\n# time=100ms\n", 1, (4, 1, 1)),
    "tap 16": ("Suites:   1 passed, 1 of 1 completed\nAsserts:  1 failed, 3 passed, of 4\n", 1, (3, 1, 0)),
    "deno": ("FAILED | 1 passed (2 steps) | 1 failed | 1 ignored (5ms)\n", 1, (1, 1, 1)),
    "karma": (
        (
            "Chrome 120.0 (Linux): Executed 1 of 3 SUCCESS (0 secs / 0 secs)\n"
            "Chrome 120.0 (Linux): Executed 3 of 3 (1 FAILED) (0.1 secs / 0.05 secs)\n"
        ),
        1,
        (2, 1, 0),
    ),
    "uvu": ("  Total:     5\n  Passed:    3\n  Skipped:   1\n  Duration:  1ms\n", 1, (3, 1, 1)),
    "two runners": (
        "  3 passing (4ms)\n\nTest Suites: 1 passed, 1 total\nTests:       2 passed, 2 total\n",
        0,
        (5, 0, 0),
    ),
}


@pytest.mark.parametrize(("text", "exit_code", "expected"), TEXTS.values(), ids=TEXTS)
def test_the_summary_is_read(text, exit_code, expected):
    found = read(text, exit_code)
    assert counts(found) == expected
    assert found.verdict == ("failed" if expected[1] else "passed")
    assert found.contradiction is None


@pytest.mark.parametrize(
    "text",
    [
        "server at 127.0.0.1, port 5555 failed: refused\n",
        "it says: 12 passing (34ms) tests\n",
        "expected 'Tests: 3 passed, 3 total'\n",
        "Tests:       3 passed, 3 total\n",  # jest prints its suites on the line above.
        "Ran 6 tests in 0.01s\n\nOK\n",
        "=========== 5 passed in 0.12s ===========\n",
        "test result: ok. 3 passed; 0 failed; 0 ignored\n",
        "# tests\n# pass\n",
        "I ran 3 tests passed\n",
        "",
    ],
)
def test_what_only_looks_like_a_summary_is_none(text):
    assert read_summaries(CommandResult(0, stdout=text)) is None


@given(st.text(alphabet=st.sampled_from("0123456789 passing()ms\n\t ℹ#tests|,TestFilefailedRun:[]"), max_size=400))
def test_no_text_breaks_the_reader(text):
    read_summaries(CommandResult(0, stdout=text))


@given(st.integers(0, 9999), st.integers(0, 9999), st.integers(0, 9999))
def test_any_numbers_of_mocha_are_read(passed, failed, pending):
    text = f"  {passed} passing (1m)\n" + (f"  {pending} pending\n" if pending else "")
    text += f"  {failed} failing\n" if failed else ""
    assert counts(read(text, 1 if failed else 0)) == (passed, failed, pending)


def test_a_masked_exit_code_is_a_contradiction_and_fails():
    found = read("  5 passing (1ms)\n  2 failing\n", exit_code=0)
    assert found.verdict == "failed"
    assert found.contradiction == "the output says 2 failed, the exit code is 0"


def test_a_failing_exit_code_after_a_green_summary_fails():
    found = read("  5 passing (1ms)\n", exit_code=1)
    assert found.verdict == "failed"
    assert found.contradiction == "the output says that no test failed, the exit code is 1"


def test_a_run_of_skipped_tests_alone_is_no_pass():
    found = read(" Test Files  1 skipped (1)\n      Tests  3 skipped (3)\n")
    assert (found.verdict, found.reason) == ("none-ran", "all 3 tests were skipped")


def test_no_test_at_all_is_no_pass():
    assert read("  0 passing (1ms)\n").verdict == "none-ran"
    assert read("ℹ tests 0\nℹ suites 0\nℹ pass 0\nℹ fail 0\nℹ cancelled 0\n").verdict == "none-ran"


@pytest.mark.parametrize(
    ("text", "exit_code"),
    [
        ("No test files found, exiting with code 0\n", 0),
        ("No test files found, exiting with code 1\n", 1),
        ("No tests found, exiting with code 1\nRun with `--passWithNoTests` to exit with code 0\n", 1),
        ('Error: No test files found: "nosuch"\n', 1),
    ],
)
def test_no_test_files_is_no_pass(text, exit_code):
    assert read(text, exit_code).verdict == "none-ran"


def test_failed_tests_are_named():
    vitest = (
        " FAIL  src/a.test.ts:5:3 > suite > fails\nAssertionError: x\n\n"
        " Test Files  1 failed (1)\n      Tests  1 failed (1)\n"
    )
    (case,) = read(vitest, 1).failures()
    assert (case.id, case.path, case.line) == ("src/a.test.ts > suite > fails", "src/a.test.ts", 5)
    jest = "  ● suite › inner › fails\n\n    expect\n\n  ● Console\n\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 1 total\n"
    assert [case.id for case in read(jest, 1).failures()] == ["suite > inner > fails"]
    tap = "not ok 2 - adds\nnot ok 3 - later # TODO\n# tests 3\n# pass 1\n# fail 1\n# todo 1\n"
    assert [case.id for case in read(tap, 1).failures()] == ["adds"]
    mocha = "  1 passing (5ms)\n  1 failing\n\n  1) suite\n       inner\n         fails:\n\n      AssertionError\n"
    assert [case.id for case in read(mocha, 1).failures()] == ["suite > inner > fails"]


def test_failed_tests_of_other_runtimes_are_named():
    bun = "(pass) a [0.06ms]\n(fail) s > fails [0.39ms]\n\n 1 pass\n 1 fail\nRan 2 tests across 1 file. [20.00ms]\n"
    assert [case.id for case in read(bun, 1).failures()] == ["s > fails"]
    deno = " FAILURES \n\nb ... s => ./a_test.ts:2:39\n\nFAILED | 1 passed | 1 failed (1 step) | 1 ignored (61ms)\n"
    (case,) = read(deno, 1).failures()
    assert (case.id, case.path, case.line) == ("a_test.ts > b > s", "a_test.ts", 2)


def test_a_passing_run_names_no_failed_test():
    assert read("not ok 1 - from a nested tool\n  5 passing (1ms)\n").cases == ()
