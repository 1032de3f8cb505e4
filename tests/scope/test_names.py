"""What may be a path of a workspace."""

import pytest

from verify_lsp.scope.names import is_inside, listed, quote, shown, unquote


@pytest.mark.parametrize("path", ["a", "a/b.py", ".gitignore", "..a", "a..", "git/x", " ", "a\\b", "C/x", "ü/数.py"])
def test_names_inside_are_inside(path):
    assert is_inside(path)


@pytest.mark.parametrize(
    "path",
    ["", "/a", "../a", "a/../b", "./a", "a//b", "a/", ".git", ".git/config", "a/.GIT/x", "C:/x", "\\\\h\\s", "a\0b"],
)
def test_names_that_lead_out_or_into_gits_folder_are_not(path):
    assert not is_inside(path)


def test_names_are_quoted_as_git_quotes_them():
    assert quote(b'a"b\\c\td\ne\x01\x7f') == b'"a\\"b\\\\c\\td\\ne\\001\\177"'
    assert quote("naïve".encode()) == "naïve".encode()
    assert unquote(b'"na\\303\\257ve"') == "naïve".encode()
    assert unquote(b'"half') == b'"half'


def test_a_list_names_the_first_and_counts_the_rest():
    assert listed(["a", b"b\xff"]) == "a, b\\xff"
    assert listed([str(number) for number in range(8)]) == "0, 1, 2, 3, 4 and 3 more"
    assert shown(b"\xff") == "\\xff"
