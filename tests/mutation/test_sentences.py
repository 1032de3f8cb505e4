import pytest

from verify_lsp.model.mutant import Mutant, MutantResult
from verify_lsp.mutation.sentences import problem_of

MUTANT = Mutant("shop.py", 2, 15, 2, 17, "boundary", ">=", ">")


@pytest.mark.parametrize(
    ("tests", "words"),
    [(None, "the tests"), (0, "the tests"), (1, "the one test that runs it"), (14, "the 14 tests that run it")],
)
def test_as_many_tests_are_told_of_as_are_known(tests, words):
    told = problem_of(MutantResult(MUTANT, "survived", tests=tests))

    assert told.message == f"changing `>=` to `>` here goes unnoticed by {words}"


@pytest.mark.parametrize(
    ("operator", "original", "words"),
    [
        ("handler", "x = None", "leaving out `x = None` when an exception is caught here goes unnoticed by the tests"),
        ("branch", "{\n  x = 1\n}", "leaving out `x = 1` in the `else` here goes unnoticed by the tests"),
    ],
)
def test_a_block_that_is_left_out_is_named_without_its_braces(operator, original, words):
    mutant = Mutant("shop.py", 2, 15, 4, 2, operator, original, "pass")
    assert problem_of(MutantResult(mutant, "survived")).message == words
