"""Mutants' texts: one in the place of the original, or all beside it behind switches."""

import re

from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.switched import Choice, compose, span_of, with_mutant


def mutant(text: str, start: int, end: int, replacement: str) -> Mutant:
    """Return a mutant of the piece between two offsets in code points."""
    first, last = text[:start], text[:end]
    return Mutant(
        path="a.x",
        line=first.count("\n") + 1,
        column=start - first.rfind("\n"),
        end_line=last.count("\n") + 1,
        end_column=end - last.rfind("\n"),
        operator="number",
        original=text[start:end],
        replacement=replacement,
    )


def choose(number: int):
    return lambda mutated, original: b"<%d:" % number + mutated + b"|" + original + b">"


def resolved(text: str, on: int) -> str:
    """Read a switched text as a program would with one mutant on."""
    while found := re.search(r"<(\d+):([^<>|]*)\|([^<>|]*)>", text):
        chosen = found[2] if int(found[1]) == on else found[3]
        text = text[: found.start()] + chosen + text[found.end() :]
    return text


def test_the_piece_of_a_mutant_is_replaced_and_line_ends_stay():
    text = "é = a\r\nb = 1 + 2\r\nc\r\n"
    plain = text.replace("\r\n", "\n")
    one = mutant(plain, plain.index("1"), plain.index("1") + 1, "10")
    assert with_mutant(text, one) == "é = a\r\nb = 10 + 2\r\nc\r\n"


def test_a_byte_order_mark_takes_no_column():
    text = "\ufeffab\nc"
    one = Mutant("a.x", 1, 2, 1, 3, "number", "b", "xyz")
    assert with_mutant(text, one) == "\ufeffaxyz\nc"


def test_choices_within_each_other_are_written_and_their_lines_told():
    text = "f(\n 1,\n 2)\nrest"
    outer, inner = mutant(text, 0, 1, "g"), mutant(text, text.index("2"), text.index("2") + 1, "3")
    choices = [
        Choice(1, 0, len("f(\n 1,\n 2)"), choose(1)),
        Choice(2, text.index("2"), text.index("2") + 1, choose(2)),
    ]
    written, rows = compose(text, choices, {1: outer, 2: inner})
    assert written == "<1:g(\n 1,\n 2)|f(\n 1,\n <2:3|2>)>\nrest"
    assert rows == {1: (1, 5), 2: (5, 5)}
    assert [resolved(written, on) for on in (0, 1, 2)] == [text, "g(\n 1,\n 2)\nrest", "f(\n 1,\n 3)\nrest"]


@st.composite
def nested(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    """A text, and spans in it that lie within or beside each other."""
    text = draw(st.text(st.sampled_from("ab é\n\U0001f600"), min_size=1, max_size=60))
    spans: list[tuple[int, int]] = []
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        if all(not (a < start < b < end or start < a < end < b) and (a, b) != (start, end) for a, b in spans):
            spans.append((start, end))
    return text, spans


@given(nested())
def test_with_one_switch_on_the_text_is_that_mutants_own_and_with_none_the_original(given_text):
    text, spans = given_text
    mutants = {number: mutant(text, start, end, f"M{number}") for number, (start, end) in enumerate(spans, 1)}
    choices = [Choice(number, *span_of(text, each), choose(number)) for number, each in mutants.items()]
    written, rows = compose(text, choices, mutants)
    assert resolved(written, 0) == text
    assert rows.keys() == mutants.keys()
    for number, each in mutants.items():
        assert resolved(written, number) == with_mutant(text, each)
        first, last = rows[number]
        lines = "\n".join(written.split("\n")[first - 1 : last])
        assert f"<{number}:" in lines
