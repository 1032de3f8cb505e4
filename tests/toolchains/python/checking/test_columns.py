from hypothesis import assume, given
from hypothesis import strategies as st

from verify_lsp.toolchains.python.checking.columns import SourceLines, from_either, from_utf8, from_utf16

LINES = st.text(alphabet=st.sampled_from("ab =(\"'é日😀"), max_size=30)


@given(LINES, st.integers(0, 30))
def test_every_way_of_counting_comes_back_to_code_points(line, index):
    index = min(index, len(line))
    before = line[:index]
    assert from_utf8(line, len(before.encode())) == index + 1
    assert from_utf16(line, len(before.encode("utf-16-le")) // 2) == index + 1


@given(LINES, st.integers(0, 30))
def test_before_the_first_odd_character_all_ways_agree(line, index):
    assume(line[: index + 1].isascii())
    assert from_either(line, index, "") == index + 1


def test_a_quoted_name_settles_how_a_tool_counted():
    line = 's = "😀é"; t = undefined_b'
    column = line.index("undefined_b")
    as_bytes = len(line[:column].encode())
    twice = from_utf8(line, column) - 1
    for offset in (column, as_bytes, twice):
        assert from_either(line, offset, 'Name "undefined_b" is not defined') == column + 1


def test_what_cannot_be_settled_is_not_guessed():
    assert from_either("x = '日本', y, z, w", 14, "wrong") is None


def test_a_line_that_is_not_there_is_empty(tmp_path):
    (tmp_path / "a.py").write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    lines = SourceLines(tmp_path)
    assert [lines.line("a.py", number) for number in (0, 1, 2, 3)] == ["", "one", "two", ""]
    assert lines.line("missing.py", 1) == ""
