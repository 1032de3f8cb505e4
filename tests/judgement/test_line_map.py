import difflib

from hypothesis import given
from hypothesis import strategies as st

from tests.harness.changed_files import changed_file
from verify_lsp.judgement.line_map import LineMap
from verify_lsp.model.change import FileChange

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d", ""]), max_size=14)


def text_of(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


@given(TEXTS, TEXTS)
def test_kept_lines_are_found_where_difflib_puts_them(old, new):
    lines = LineMap.of(changed_file("a.txt", text_of(old), text_of(new)))
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            for before, after in zip(range(i1, i2), range(j1, j2), strict=True):
                assert lines.to_new(before + 1) == after + 1
                assert lines.to_old(after + 1) == before + 1
        else:
            assert [lines.to_new(number + 1) for number in range(i1, i2)] == [None] * (i2 - i1)
            assert [lines.to_old(number + 1) for number in range(j1, j2)] == [None] * (j2 - j1)


@given(TEXTS, TEXTS)
def test_a_kept_line_keeps_its_text(old, new):
    lines = LineMap.of(changed_file("a.txt", text_of(old), text_of(new)))
    for number, text in enumerate(old, start=1):
        moved = lines.to_new(number)
        if moved is not None:
            assert new[moved - 1] == text
            assert lines.to_old(moved) == number


@given(TEXTS, TEXTS)
def test_lines_of_one_replacement_share_a_gap_and_others_do_not(old, new):
    lines = LineMap.of(changed_file("a.txt", text_of(old), text_of(new)))
    gaps = set()
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            assert all(lines.gap_of_removed(number + 1) is None for number in range(i1, i2))
            assert all(lines.gap_of_added(number + 1) is None for number in range(j1, j2))
            continue
        here = {lines.gap_of_removed(number + 1) for number in range(i1, i2)}
        here |= {lines.gap_of_added(number + 1) for number in range(j1, j2)}
        assert len(here) == 1
        assert not here & gaps
        gaps |= here


def test_a_file_without_changed_lines_keeps_every_number():
    lines = LineMap.of(FileChange("b.py", "renamed", old_path="a.py"))
    assert [lines.to_new(number) for number in (0, 1, 7, 900)] == [0, 1, 7, 900]


def test_lines_below_an_insertion_move_by_its_length():
    lines = LineMap.of(changed_file("a.py", "1\n2\n3\n", "1\nx\ny\n2\n3\n"))
    assert [lines.to_new(number) for number in (1, 2, 3)] == [1, 4, 5]


def test_a_line_beyond_the_known_text_moves_with_the_end():
    lines = LineMap.of(changed_file("a.py", "1\n2\n", "0\n1\n2\n"))
    assert lines.to_new(3) == 4
