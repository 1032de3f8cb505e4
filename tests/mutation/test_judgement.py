"""What the fates of mutants say of the tests."""

import pytest

from verify_lsp.model.mutant import Mutant, MutantResult
from verify_lsp.mutation.judgement import judge

MUTANT = Mutant("a.py", 1, 1, 1, 2, "boundary", "<", "<=")


def judged(*, uncertain=False, **numbers):
    results = [MutantResult(MUTANT, name.replace("_", "-")) for name, number in numbers.items() for _ in range(number)]
    return judge(results, uncertain=uncertain)


@pytest.mark.parametrize(
    ("numbers", "score", "verdict"),
    [
        ({"killed": 5}, 1, "pass"),
        ({"killed": 6, "survived": 4}, 0.6, "pass"),
        ({"killed": 5, "survived": 4}, 0.5556, "warn"),
        ({"killed": 3, "survived": 7}, 0.3, "warn"),
        ({"killed": 2, "survived": 5}, 0.2857, "fail"),
        ({"survived": 5}, 0, "fail"),
        ({"no_coverage": 5}, 0, "fail"),
        ({"killed": 2, "no_coverage": 3}, 0.4, "warn"),
    ],
)
def test_a_score_is_killed_by_all_that_came_to_an_end(numbers, score, verdict):
    assert (judged(**numbers).score, judged(**numbers).verdict) == (score, verdict)


@pytest.mark.parametrize(
    ("numbers", "verdict"),
    [
        ({"killed": 4}, "pass"),
        ({"survived": 4}, "warn"),
        ({"killed": 3, "survived": 1}, "warn"),
        ({"no_coverage": 1}, "warn"),
    ],
)
def test_a_percentage_of_a_few_mutants_warns_at_most(numbers, verdict):
    assert judged(**numbers).verdict == verdict


@pytest.mark.parametrize("status", ["timeout", "invalid", "error"])
def test_what_came_to_no_end_is_left_out_of_the_score(status):
    assert judged(killed=4, survived=2, **{status: 6}).score == pytest.approx(0.6667)


@pytest.mark.parametrize("status", ["timeout", "invalid", "error"])
def test_where_most_came_to_no_end_there_is_no_score(status):
    told = judged(killed=4, **{status: 5})

    assert (told.score, told.verdict) == (None, "warn")
    assert told.unknown.startswith("5 of 9 mutants")


def test_mutants_that_are_all_invalid_give_no_score_and_are_no_kills():
    told = judged(invalid=3)

    assert told.metrics() == {
        "mutants": 3, "killed": 0, "survived": 0, "no_coverage": 0, "timeout": 0, "invalid": 3, "error": 0, "score": None,
    }  # fmt: skip


def test_flaky_tests_give_no_score():
    assert (judged(uncertain=True, killed=12).score, judged(uncertain=True, survived=12).verdict) == (None, "warn")
