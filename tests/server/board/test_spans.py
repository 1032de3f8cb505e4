import attrs
from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.model.finding import Finding
from verify_lsp.server.board.spans import Placed, Span, carried_over, moved, same_text, span_of, unified
from verify_lsp.server.texts.document import Change, Document

FINDING = Finding(id="f", check="lint", severity="high", path="a.py", line=1, rule="r", message="m")
TEXTS = st.text(st.sampled_from("ab é😀\n\n\r"), max_size=40)


def at(line: int, **more) -> Finding:
    return attrs.evolve(FINDING, line=line, **more)


def test_without_a_column_the_text_of_the_line_is_meant():
    assert span_of(at(2), ["a", "  b c  \r", "d"]) == Span(1, 2, 1, 5)


def test_with_a_column_the_rest_of_the_line_is_meant():
    assert span_of(at(1, column=3), ["a = b"]) == Span(0, 2, 0, 5)


def test_an_end_is_exclusive_and_may_be_on_a_later_line():
    assert span_of(at(1, column=1, end_line=2, end_column=3), ["abc", "def"]) == Span(0, 0, 1, 2)


@given(TEXTS, st.integers(-3, 99), *[st.none() | st.integers(-3, 99)] * 3)
def test_a_place_outside_the_text_is_moved_into_it(text, line, column, end_line, end_column):
    lines = text.split("\n")
    span = span_of(at(line, column=column, end_line=end_line, end_column=end_column), lines)
    assert 0 <= span.line <= span.end_line < len(lines)
    assert 0 <= span.column <= len(lines[span.line])
    assert 0 <= span.end_column <= len(lines[span.end_line])
    assert (span.line, span.column) <= (span.end_line, span.end_column)


@given(TEXTS, TEXTS, st.data())
def test_a_span_that_moved_covers_the_same_text(text, new, data):
    lines = text.split("\n")
    first = data.draw(st.integers(0, len(lines) - 1))
    last = data.draw(st.integers(first, len(lines) - 1))
    span = Span(first, 0, last, len(lines[last]))
    document = Document.opened("file:///a", 1, text)
    ends = sorted(data.draw(st.tuples(*[st.integers(0, len(lines) - 1)] * 2)))
    edit = document.apply(Change(new, (ends[0], 0), (ends[1], 0)), "utf-32")

    now = moved(span, edit)

    if now is not None:
        assert document.lines[now.line : now.end_line + 1] == lines[first : last + 1]


def test_an_edit_inside_a_span_of_many_lines_takes_it_away():
    document = Document.opened("file:///a", 1, "a\nb\nc\nd")
    edit = document.apply(Change("x", (1, 0), (1, 1)), "utf-16")
    assert moved(Span(0, 0, 2, 1), edit) is None
    assert moved(Span(0, 0, 0, 1), edit) == Span(0, 0, 0, 1)
    assert moved(Span(2, 0, 3, 1), edit) == Span(2, 0, 3, 1)


def test_texts_differ_in_more_than_line_ends_or_do_not():
    assert same_text("\ufeffa\r\nb\rc\n", "a\nb\nc\n")
    assert not same_text("a\nb", "a\nb\n")
    assert not same_text("a\rb", "ab")


@given(TEXTS, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.data())
def test_a_character_is_found_again_after_the_editor_made_all_line_ends_alike(text, line_end, has_mark, data):
    verified = ("\ufeff" if has_mark else "") + text
    present = unified(text).replace("\n", line_end)
    characters = [index for index, character in enumerate(verified) if character not in "\r\n\ufeff"]
    if not characters:
        return
    index = data.draw(st.sampled_from(characters))
    before = verified[:index]
    line, column = before.count("\n"), len(before.rpartition("\n")[2])

    (placed,) = carried_over((Placed(FINDING, Span(line, column, line, column + 1)),), verified, present)

    span = placed.span
    assert present.split("\n")[span.line][span.column : span.end_column] == verified[index]
    assert unified(before) == unified(
        "\n".join([*present.split("\n")[: span.line], present.split("\n")[span.line][: span.column]])
    )
