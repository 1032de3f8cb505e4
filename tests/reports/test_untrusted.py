import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.sample_reports import HOSTILE
from verify_lsp.reports.untrusted import cut, first_lines, last_lines, one_line, visible

ANY_TEXT = st.text(alphabet=st.characters(codec=None, categories=None), max_size=60)
NASTY = st.text(alphabet="\x1b[]0;8m\x07\x9b\x9c\x9d\\\r\n\t\u202e\u2066\u200d\ud800a數é", max_size=60)


@given(ANY_TEXT | NASTY)
def test_nothing_is_left_that_a_reader_cannot_see(text):
    shown = visible(text)
    hidden = [
        c for c in shown if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and c not in "\n\u200c\u200d"
    ]
    assert hidden == []
    shown.encode()


@given(ANY_TEXT | NASTY)
def test_cleaning_twice_is_cleaning_once(text):
    assert visible(visible(text)) == visible(text)


@given(ANY_TEXT | NASTY, st.integers(1, 40))
def test_one_line_is_one_line_within_its_limit(text, limit):
    line = one_line(text, limit)
    assert "\n" not in line
    assert len(line) <= limit


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x9b31mred", "red"),
        ("\x1b]8;;http://e.test\x07link\x1b]8;;\x1b\\", "link"),
        ("\x1b]0;title never ends", "0;title never ends"),
        ("bell\x07", "bell\\x07"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u200bb\u200db", "a\\u200bb\\u200db"),
        ("👩\u200d💻 नमस्\u200dते 数é", "👩\u200d💻 नमस्\u200dते 数é"),
        ("tag\U000e0041 vs\U000e0101", "tag\\U000e0041 vs\\U000e0101"),
        ("a\udc80", "a\\udc80"),
        ("a\ufffe\ufeff", "a\\ufffe\\ufeff"),
        ("a\r\nb\rc\u2028d\x0ce\x85f", "a\nb\nc\nd\ne\nf"),
        ("a\tb", "a    b"),
        ("a\xa0b", "a\xa0b"),
    ],
)
def test_what_hides_is_spelled_out(text, shown):
    assert visible(text) == shown


def test_every_character_that_python_calls_hidden_is_spelled_out():
    for point in range(0x110000):
        character = chr(point)
        no_character = point & 0xFFFE == 0xFFFE or 0xFDD0 <= point <= 0xFDEF
        hides = unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"} or no_character
        if hides and character not in "\n\r\t\v\f\x85\u2028\u2029":
            assert visible(character).startswith("\\"), hex(point)


@pytest.mark.parametrize("text", ["é", "数", "🚀", "e\u0301", "\ue000", "\u0378", "☕\ufe0f"])
def test_what_shows_is_left_alone(text):
    assert visible(text) == text


def test_a_cut_is_told():
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdefg", 6) == "abcde…"
    assert one_line("one\n  two\tthree", 100) == "one two three"


def test_first_lines_skip_blank_ones_and_say_how_many_more_there_are():
    assert first_lines("\na\n\nb\nc\n", 2, 80) == ["a", "b", "… 1 more line"]
    assert first_lines("a\nb\n", 2, 80) == ["a", "b"]
    assert first_lines("a\nb\nc\nd\n", 2, 80)[-1] == "… 2 more lines"


def test_last_lines_keep_the_end():
    assert last_lines("a\nb\nc\n", 2, 80) == ["… 1 more line above", "b", "c"]
    assert last_lines("a\nb\n", 2, 80) == ["a", "b"]
    assert last_lines("a" * 100, 2, 10) == ["a" * 9 + "…"]


@pytest.mark.parametrize("seed", ["\x1b]", "\x9d", "\x9b", "\x1b[0", "\u202e", HOSTILE])
def test_much_text_takes_little_time(seed):
    text = seed * (300_000 // len(seed))
    assert len(one_line(text, 100)) <= 100
    assert visible(text).isprintable() or seed is HOSTILE
