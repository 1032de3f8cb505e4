"""When a built-in mutant counts as tried before."""

import pytest

from verify_lsp.checks.mutant_keys import keys_of
from verify_lsp.model.mutant import Mutant

ONE = Mutant("a.go", 3, 5, 3, 6, "boundary", "<", "<=", "f", scope="abc:1-2")


@pytest.fixture
def place(tmp_path):
    for name, text in (("a.go", "a"), ("a_test.go", "t"), ("node_modules/x.js", "x"), (".git/HEAD", "h")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def key(place, mutant=ONE, prefix=""):
    return keys_of({1: mutant}, place, prefix, {"deps"})[1]


@pytest.mark.parametrize("name", ["a.go", "node_modules/x.js", ".git/HEAD"])
def test_other_functions_of_the_file_and_what_tools_fill_do_not_count(place, name):
    before = key(place)
    (place / name).write_text("other")
    assert key(place) == before


@pytest.mark.parametrize("name", ["a_test.go", "testdata/new.json", "go.mod"])
def test_any_other_file_counts(place, name):
    before = key(place)
    (place / name).parent.mkdir(exist_ok=True)
    (place / name).write_text("other")
    assert key(place) != before


def test_the_function_and_the_fault_count(place):
    import attrs

    others = [attrs.evolve(ONE, scope="abd:1-2"), attrs.evolve(ONE, replacement=">"), attrs.evolve(ONE, path="b.go")]
    assert len({key(place), *(key(place, other) for other in others)}) == 4


def test_a_file_that_cannot_be_read_makes_no_key(place):
    (place / "a_test.go").unlink()
    (place / "a_test.go").mkdir()
    assert keys_of({1: ONE}, place / "gone", "", ()) == {}
