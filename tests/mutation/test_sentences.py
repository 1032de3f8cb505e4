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
