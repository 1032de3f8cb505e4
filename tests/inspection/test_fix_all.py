import re

from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.inspection.fix_all import combined, fix_all
from verify_lsp.model.rewrite import Rewrite, TextEdit, rewritten


def without(text: str, pattern: str, title: str = "Remove it") -> list[Rewrite]:
    return [Rewrite(title, (TextEdit(one.start(), one.end(), ""),)) for one in re.finditer(pattern, text)]


def test_fixes_that_are_apart_are_made_together():
    together = combined([Rewrite("b", (TextEdit(4, 5, "B"),)), Rewrite("a", (TextEdit(0, 1, "A"),))])
    assert together is not None
    assert together.title == "Apply 2 safe fixes"
    assert rewritten("a---b", together) == "A---B"


def test_of_two_that_overlap_only_the_first_is_made():
    together = combined([Rewrite("whole", (TextEdit(0, 5, "x"),)), Rewrite("part", (TextEdit(1, 2, "y"),))])
    assert together is not None
    assert (together.title, rewritten("abcde", together)) == ("whole", "x")


def test_an_edit_that_two_share_is_made_once():
    shared = TextEdit(0, 0, "import re\n")
    together = combined([Rewrite("a", (shared, TextEdit(3, 4, "A"))), Rewrite("b", (shared, TextEdit(6, 7, "B")))])
    assert together is not None
    assert rewritten("...a..b", together) == "import re\n...A..B"


def test_what_a_fix_brings_into_reach_is_fixed_as_well():
    assert fix_all("((x))", lambda text: without(text, r"^\(|\)$")) == "x"


def test_fixes_without_an_end_come_to_one():
    assert len(fix_all("x", lambda text: [Rewrite("grow", (TextEdit(0, 0, "x"),))])) < 100


@given(st.text(alphabet="ab, \n", max_size=60))
def test_all_fixed_is_fixed_for_good(text):
    fixed = fix_all(text, lambda now: without(now, ","))
    assert fixed == text.replace(",", "")
    assert fix_all(fixed, lambda now: without(now, ",")) == fixed
