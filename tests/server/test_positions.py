from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.server.positions import Place, clamped, column_at, encoding_named, units_before

_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
ENCODINGS = st.sampled_from(sorted(_CODECS))
LINES = st.text(st.sampled_from("ab é\u0301ÿ漢😀🚀\t\x0c\u2028\r"), max_size=30)


@given(LINES, ENCODINGS, st.data())
def test_units_before_a_column_are_the_units_of_the_text_before_it(line, encoding, data):
    column = data.draw(st.integers(0, len(line)))
    codec, width = _CODECS[encoding]
    assert units_before(line, column, encoding) == len(line[:column].encode(codec)) // width


@given(LINES, ENCODINGS, st.data())
def test_a_column_comes_back_from_its_units(line, encoding, data):
    column = data.draw(st.integers(0, len(line)))
    assert column_at(line, units_before(line, column, encoding), encoding) == column


@given(LINES, ENCODINGS, st.integers(0, 200))
def test_units_inside_a_character_mean_that_character(line, encoding, units):
    column = column_at(line, units, encoding)
    assert units_before(line, column, encoding) <= units
    assert column == len(line) or units < units_before(line, column + 1, encoding)


def test_the_emoji_line_of_the_field_counts_as_each_encoding_does():
    line = 'x = "😀😀"; password = "correct-horse-9917"'
    column = line.index("password")
    assert column == 10
    assert [units_before(line, column, encoding) for encoding in ("utf-32", "utf-16", "utf-8")] == [10, 12, 16]


def test_a_column_past_the_end_counts_the_whole_line():
    assert units_before("ab", 99, "utf-16") == 2


def test_a_lone_surrogate_is_counted_and_not_choked_on():
    assert [units_before("\ud800x", 2, encoding) for encoding in ("utf-8", "utf-16", "utf-32")] == [4, 2, 2]


def test_what_was_not_negotiated_is_utf_16():
    assert [encoding_named(name) for name in (None, "utf-7", "utf-8", "utf-32")] == [
        "utf-16",
        "utf-16",
        "utf-8",
        "utf-32",
    ]


def test_a_place_outside_the_text_is_moved_into_it():
    lines = ["ab\r", "cdé"]
    assert clamped(lines, 0, 99, "utf-16") == Place(0, 2)
    assert clamped(lines, 1, 99, "utf-16") == Place(1, 3)
    assert clamped(lines, 7, 0, "utf-16") == Place(1, 3)
    assert clamped(lines, -1, -5, "utf-16") == Place(0, 0)
