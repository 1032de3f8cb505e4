"""An expression ends where the language ends it, or the text is said not to tell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.security.expressions import expression_at


@pytest.mark.parametrize(
    ("text", "is_argument", "expected"),
    [
        (b"a;b", False, b"a"),
        (b"a\nb", False, b"a"),
        (b"a, b\nc", False, b"a, b"),
        (b"a, b)", True, b"a"),
        (b"a)", True, b"a"),
        (b"a(b, c), d)", True, b"a(b, c)"),
        (b"a(\n  b,\n)\nc", False, b"a(\n  b,\n)"),
        (b"a\n  .b()\nc", False, b"a\n  .b()"),
        (b"a +\n  b\nc", False, b"a +\n  b"),
        (b"await\n  b\nc", False, b"await\n  b"),
        (b"';' + b;", False, b"';' + b"),
        (b"'a\\'b', c)", True, b"'a\\'b'"),
    ],
)
def test_an_expression_ends_where_the_language_ends_it(text: bytes, is_argument: bool, expected: bytes) -> None:  # noqa: FBT001
    found = expression_at(text, 0, is_argument=is_argument)
    assert found is not None
    assert found.text == expected


@pytest.mark.parametrize(
    "text",
    [
        b"a # b\n",
        b"a / b;",
        b"'a\n",
        b'"""a""";',
        b"a \\\n + b\n",
        "é;".encode(),
        b"a(",
        b"",
        b";",
        b"(" * 20 + b")" * 20,
    ],
)
def test_what_the_text_does_not_tell_is_left_open(text: bytes) -> None:
    assert expression_at(text, 0) is None


def test_names_are_those_that_follow_no_dot_and_outer_ones_stand_alone() -> None:
    found = expression_at(b"f(a.b, c) + d + e[g] + h.i;", 0)
    assert found is not None
    assert found.names == {b"f", b"a", b"c", b"d", b"e", b"g", b"h"}
    assert found.outer == b"f + d + e + h.i"
    assert found.outer_names == {b"d"}


def test_the_parentheses_after_a_word_are_not_those_of_a_call() -> None:
    found = expression_at(b"await(a + b);", 0)
    assert found is not None
    assert found.outer == b"await(a + b)"


@pytest.mark.parametrize("text", [b"`a ${b} c`;", b'f"a {b} c";', b"rf'a {b!r:>3}';"])
def test_the_names_in_the_holes_of_a_text_are_among_them(text: bytes) -> None:
    found = expression_at(text, 0)
    assert found is not None
    assert found.has_holes
    assert b"b" in found.names


@given(st.binary(max_size=700), st.integers(0, 700))
def test_an_expression_is_part_of_the_text_at_its_offsets(data: bytes, start: int) -> None:
    found = expression_at(data, start)
    if found is not None:
        assert start <= found.start < found.end <= len(data)
        assert data[found.start : found.end] == found.text
        assert found.outer_names <= found.names
