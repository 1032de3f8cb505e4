from hypothesis import given
from hypothesis import strategies as st

from tests.harness.texts import Buffer
from verify_lsp.model.rewrite import Rewrite, TextEdit
from verify_lsp.server.inline.edits import edits_between, edits_of

TEXTS = st.text(alphabet=st.sampled_from("ab\n\r\té🚀\u2028\x0c"), max_size=60)


def applied(text, edits):
    buffer = Buffer("file:///a", text)
    buffer.apply({"documentChanges": [{"textDocument": {"uri": "file:///a", "version": 1}, "edits": edits}]})
    return buffer.text


@given(TEXTS, TEXTS)
def test_edits_between_two_texts_make_the_second_of_the_first(before, after):
    assert applied(before, edits_between(before, after, "utf-16")) == after


@given(TEXTS, st.data())
def test_an_edit_lands_where_it_was_meant_whatever_stands_before_it(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    rewrite = Rewrite("x", (TextEdit(start, end, "new"),))
    assert applied(text, edits_of(rewrite, text, "utf-16")) == text[:start] + "new" + text[end:]


def test_lines_that_stay_are_left_alone():
    (edit,) = edits_between("a\nb\nc\n", "a\nB\nc\n", "utf-16")
    assert edit["range"] == {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}}
