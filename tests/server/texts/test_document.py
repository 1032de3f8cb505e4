from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.server.texts.document import Change, Document, LineEdit

ALPHABET = st.sampled_from("abc \n\n\r\t\x0c\u2028é漢😀")
TEXTS = st.text(ALPHABET, max_size=60)
_WIDTHS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def place(text: str, offset: int, encoding: str) -> tuple[int, int]:
    """Where a client would say that `offset` is: an own count, not the server's."""
    before = text[:offset]
    codec, width = _WIDTHS[encoding]
    return before.count("\n"), len(before.rpartition("\n")[2].encode(codec)) // width


def no_client_position(text: str, offset: int) -> bool:
    """Between a carriage return and its line feed there is no place a client could name."""
    return text[offset - 1 : offset + 1] == "\r\n"


@given(TEXTS, TEXTS, st.sampled_from(sorted(_WIDTHS)), st.data())
def test_an_edit_gives_the_text_the_client_has(text, new, encoding, data):
    offsets = [offset for offset in range(len(text) + 1) if not no_client_position(text, offset)]
    start, end = sorted((data.draw(st.sampled_from(offsets)), data.draw(st.sampled_from(offsets))))
    document = Document.opened("file:///a", 1, text)

    document.apply(Change(new, place(text, start, encoding), place(text, end, encoding)), encoding)

    assert document.text() == text[:start] + new + text[end:]


@given(TEXTS, TEXTS, st.data())
def test_a_line_that_is_said_to_have_moved_reads_the_same_at_its_new_place(text, new, data):
    lines = text.split("\n")
    change = Change(new)
    if data.draw(st.booleans()):
        offsets = [offset for offset in range(len(text) + 1) if not no_client_position(text, offset)]
        start, end = sorted((data.draw(st.sampled_from(offsets)), data.draw(st.sampled_from(offsets))))
        change = Change(new, place(text, start, "utf-16"), place(text, end, "utf-16"))
    document = Document.opened("file:///a", 1, text)

    edit = document.apply(change, "utf-16")

    for number, line in enumerate(lines):
        moved = edit.moved(number)
        if moved is not None:
            assert document.lines[moved] == line


def test_lines_outside_an_edit_keep_standing():
    document = Document.opened("file:///a", 1, "a\nb\nc\nd")
    edit = document.apply(Change("B\nBB", (1, 0), (1, 1)), "utf-16")
    assert [edit.moved(line) for line in range(4)] == [0, None, 3, 4]


def test_a_line_put_in_above_moves_a_line_and_does_not_touch_it():
    document = Document.opened("file:///a", 1, "a\nb\nc")
    edit = document.apply(Change("new\n", (1, 0), (1, 0)), "utf-16")
    assert [edit.moved(line) for line in range(3)] == [0, 2, 3]


def test_a_line_begun_below_does_not_touch_the_one_above():
    document = Document.opened("file:///a", 1, "a\nb\nc")
    edit = document.apply(Change("\n", (1, 1), (1, 1)), "utf-16")
    assert [edit.moved(line) for line in range(3)] == [0, 1, 3]


def test_a_whole_new_text_leaves_what_is_common_at_both_ends():
    document = Document.opened("file:///a", 1, "a\nb\nc\nd")
    edit = document.apply(Change("a\nx\ny\nc\nd"), "utf-16")
    assert [edit.moved(line) for line in range(4)] == [0, None, 3, 4]


def test_a_reversed_range_is_read_as_the_range_it_must_mean():
    document = Document.opened("file:///a", 1, "abc\ndef")
    document.apply(Change("X", (1, 1), (0, 1)), "utf-16")
    assert document.text() == "aXef"


def test_a_range_past_the_text_appends():
    document = Document.opened("file:///a", 1, "abc")
    document.apply(Change("!", (9, 9), (10, 0)), "utf-16")
    assert document.text() == "abc!"


def test_the_text_of_an_unreadable_change_is_not_known_until_a_whole_text_comes():
    document = Document.opened("file:///a", 1, "abc")
    document.synced = False
    assert document.text() is None
    document.apply(Change("new"), "utf-16")
    assert document.text() == "new"


def test_an_edit_that_only_puts_lines_in_moves_all_later_ones():
    edit = LineEdit(2, 1, 3)
    assert [edit.moved(line) for line in range(4)] == [0, 1, 5, 6]
