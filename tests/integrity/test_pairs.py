"""Tests of each language, before and after a change that left the code alone."""

import pytest

from tests.harness.changed_files import change_of, changed_file
from tests.integrity import go_pairs, python_pairs, rust_pairs, script_pairs
from verify_lsp.integrity.examine import examine

LANGUAGES = {
    "tests/test_shop.py": python_pairs,
    "test/shop.test.ts": script_pairs,
    "shop_test.go": go_pairs,
    "src/shop.rs": rust_pairs,
}
NAMED = [
    pytest.param(path, *each[1:], id=f"{path.rpartition('.')[2]}: {each[0]}")
    for path, pairs in LANGUAGES.items()
    for each in pairs.POSITIVE
]
SILENT = [
    pytest.param(path, *each[1:], id=f"{path.rpartition('.')[2]}: {each[0]}")
    for path, pairs in LANGUAGES.items()
    for each in pairs.SILENT
]


def seen(*files):
    examined = examine(change_of(*files))
    assert examined.gaps == ()
    # The nudge that assertions changed without code is no warning; it has tests of its own.
    return {each.rule.removeprefix("integrity.") for each in examined.problems if each.severity != "info"}


@pytest.mark.parametrize(("path", "before", "after", "wanted"), NAMED)
def test_what_is_named(path, before, after, wanted):
    assert before != after
    assert seen(changed_file(path, before, after)) == wanted


@pytest.mark.parametrize(("path", "before", "after"), SILENT)
def test_what_stays_silent(path, before, after):
    assert before != after
    assert seen(changed_file(path, before, after)) == set()


def test_there_are_enough_of_both():
    assert len(NAMED) >= 60
    assert len(SILENT) >= 60
