from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.toolchains.rust.libtest import doc_places, read_blocks

ONE = """\
running 2 tests
test tests::a ... ok
test tests::b - should panic ... FAILED

failures:

---- tests::b stdout ----

thread 'tests::b' (25041) panicked at src/lib.rs:16:18:
running 7 tests
test tests::ghost ... ok
failures:
    tests::ghost
test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
test result: FAILED. 0 passed; 9 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

failures:
    tests::b

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.21s
"""


def test_what_failing_tests_print_is_no_result() -> None:
    (block,) = read_blocks(ONE)
    assert block.result == (1, 1, 0, 0, 3)
    assert block.outcomes == {"tests::a": "passed", "tests::b": "failed"}
    said = block.said["tests::b"]
    assert said[1] == "thread 'tests::b' (25041) panicked at src/lib.rs:16:18:"
    assert said[-2].startswith("test result: FAILED. 0 passed; 9 failed")


def test_outcomes_carry_reasons_and_times() -> None:
    text = "running 4 tests\ntest a ... ignored, too slow\ntest b ... ok <0.012s>\ntest c has been running for over 60 seconds\ntest c ... ok\ntest src/lib.rs - f (line 5) - compile fail ... ok\n"
    (block,) = read_blocks(text)
    assert block.outcomes == {"a": "skipped", "b": "passed", "c": "passed", "src/lib.rs - f (line 5)": "passed"}
    assert block.is_doc()
    assert block.result is None
    assert block.failed


def test_a_program_that_dies_leaves_the_next_one_whole() -> None:
    text = "running 2 tests\ntest a ... ok\n\nrunning 1 test\ntest b ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n"
    first, second = read_blocks(text)
    assert (first.result, first.outcomes) == (None, {"a": "passed"})
    assert second.result == (1, 0, 0, 0, 0)


def test_examples_keep_their_names_when_lines_move() -> None:
    before = doc_places(
        ["src/lib.rs - add (line 5)", "src/lib.rs - add (line 12)", "src/lib.rs - (line 1)", "tests::a"]
    )
    after = doc_places(
        ["src/lib.rs - add (line 22)", "src/lib.rs - add (line 15)", "src/lib.rs - (line 11)", "tests::a"]
    )
    assert (
        sorted(before.values()) == sorted(after.values()) == ["src/lib.rs", "src/lib.rs - add", "src/lib.rs - add #2"]
    )
    assert before["src/lib.rs - add (line 12)"] == after["src/lib.rs - add (line 22)"] == "src/lib.rs - add #2"


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 3), st.integers(0, 3)), max_size=8))
def test_every_programs_numbers_are_read(programs: list[tuple[int, int, int]]) -> None:
    text = ""
    for passed, failed, ignored in programs:
        total = passed + failed + ignored
        word = "FAILED" if failed else "ok"
        text += f"\nrunning {total} test{'s' * (total != 1)}\n\n"
        text += f"test result: {word}. {passed} passed; {failed} failed; {ignored} ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n"
    assert [block.result[:3] for block in read_blocks(text) if block.result] == programs


@given(st.lists(st.sampled_from(ONE.split("\n"))))
def test_no_order_of_lines_breaks_the_reader(lines: list[str]) -> None:
    for block in read_blocks("\n".join(lines)):
        assert block.result is None or sum(block.result[:4]) == block.announced
