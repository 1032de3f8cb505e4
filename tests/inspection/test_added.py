from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.inspection.added import added_lines, stretch_now

LINES = st.lists(st.sampled_from(["", "a", "b", "c", "d\r"]), max_size=30).map("\n".join)


def test_a_text_without_one_before_it_is_new_as_a_whole():
    assert added_lines(None, "a\nb") is None


def test_a_text_that_stayed_has_no_new_line():
    assert added_lines("a\nb\n", "a\nb\n") == frozenset()


def test_lines_in_between_are_counted_from_the_top():
    assert added_lines("a\nb\nc\n", "a\nx\nb\ny\nc\n") == {2, 4}


def test_a_changed_line_end_makes_a_line_new():
    assert added_lines("a\nb\n", "a\r\nb\n") == {1}


@given(LINES, LINES)
def test_without_its_new_lines_a_text_is_a_part_of_the_one_before(before, after):
    added = added_lines(before, after)
    assert added is not None
    kept = [line for number, line in enumerate(after.split("\n"), start=1) if number not in added]
    rest = iter(before.split("\n"))
    assert all(line in rest for line in kept)


@given(LINES, LINES)
def test_no_more_lines_are_new_than_a_plain_comparison_says(before, after):
    old, new = before.split("\n"), after.split("\n")
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    first = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    added = added_lines(before, after)
    assert added is not None
    assert all(number > first for number in added)
    assert len(new) - len(added) >= first
    assert (added == frozenset()) == (sum(block.size for block in blocks) == len(new))


def test_a_very_long_rewrite_is_told_by_its_lines_alone():
    before = "\n".join(f"old {number}" for number in range(5_000))
    after = "\n".join([f"new {number}" for number in range(4_000)] + ["old 7"])
    assert added_lines("x\n" + before + "\ny", "x\n" + after + "\ny") == set(range(2, 4_002))


def test_a_kept_line_has_become_one_line_and_an_edited_one_its_stretch():
    before, after = "a\nb\nc\nd\n", "new\na\nB1\nB2\nc\nd\n"
    assert stretch_now(before, after, 1) == range(2, 3)
    assert stretch_now(before, after, 2) == range(3, 5)
    assert stretch_now(before, after, 4) == range(6, 7)


def test_a_removed_line_has_become_nothing():
    assert list(stretch_now("a\nb\nc\n", "a\nc\n", 2)) == []
    assert list(stretch_now("a\n", "a\n", 99)) == []
