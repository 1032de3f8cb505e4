import pytest

from verify_lsp.checks.wording import count, listed


@pytest.mark.parametrize(("number", "text"), [(0, "no errors"), (1, "1 error"), (2, "2 errors")])
def test_a_number_and_its_noun_agree(number, text):
    assert count(number, "error") == text


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (list("abcde"), "a, b, c and 2 more"),
    ],
)
def test_a_long_list_says_how_many_more_there_are(names, text):
    assert listed(names) == text
