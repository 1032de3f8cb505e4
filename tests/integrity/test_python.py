"""Python tests, before and after."""

import pytest

from tests.harness.changed_files import change_of, changed_file
from tests.integrity.python_pairs import POSITIVE, SILENT
from verify_lsp.integrity.examine import examine


def rules(*files):
    return {problem.rule.removeprefix("integrity.") for problem in examine(change_of(*files)).problems}


@pytest.mark.parametrize(("before", "after", "wanted"), [pytest.param(*each[1:], id=each[0]) for each in POSITIVE])
def test_what_is_named(before, after, wanted):
    assert before != after
    assert rules(changed_file("tests/test_shop.py", before, after)) == wanted


@pytest.mark.parametrize(("before", "after"), [pytest.param(*each[1:], id=each[0]) for each in SILENT])
def test_what_stays_silent(before, after):
    assert before != after
    assert rules(changed_file("tests/test_shop.py", before, after)) == set()
