"""Which mutants are tried: spread over the functions, one a line."""

from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.faults import RANK
from verify_lsp.mutation.select import select_mutants


def mutant(line, operator="boundary", function="f", *, column=1, path="a.py", at_import=False):
    return Mutant(path, line, column, line, column + 1, operator, "<", "<=", function, at_import)


def lines(selected):
    return [each.line for each in selected]


def test_of_a_line_the_most_telling_mutant_is_taken():
    selected = select_mutants([mutant(1, "number"), mutant(1, "boundary", column=9), mutant(1, "return")], 12, RANK)

    assert [each.operator for each in selected] == ["boundary"]


def test_functions_take_turns_so_that_the_first_does_not_take_all():
    candidates = [mutant(n, function="first") for n in range(1, 21)]
    candidates += [mutant(n, function="second") for n in range(30, 33)] + [mutant(50, function="third")]

    assert lines(select_mutants(candidates, 6, RANK)) == [1, 2, 3, 30, 31, 50]


def test_functions_of_the_same_name_in_two_files_are_two():
    candidates = [mutant(n, path=path) for path in ("a.py", "b.py") for n in range(1, 9)]

    assert [each.path for each in select_mutants(candidates, 4, RANK)] == ["a.py", "a.py", "b.py", "b.py"]


def test_files_take_turns_so_that_the_last_has_one_beside_many_functions_of_the_first():
    candidates = [mutant(n, path="a.py", function=f"f{n}") for n in range(1, 21)] + [mutant(1, path="b.go")]

    assert [each.path for each in select_mutants(candidates, 4, RANK)] == ["a.py", "a.py", "a.py", "b.go"]


def test_what_runs_when_a_file_is_loaded_comes_last():
    candidates = [mutant(1, function="", at_import=True), mutant(5), mutant(6)]

    assert lines(select_mutants(candidates, 2, RANK)) == [5, 6]
    assert lines(select_mutants(candidates, 3, RANK)) == [1, 5, 6]


_MUTANTS = st.builds(
    mutant,
    st.integers(1, 30),
    st.sampled_from(sorted(RANK)),
    st.sampled_from(["", "f", "g", "C.h"]),
    column=st.integers(1, 9),
    path=st.sampled_from(["a.py", "b.py"]),
    at_import=st.booleans(),
)


@given(st.lists(_MUTANTS), st.integers(1, 15))
def test_a_selection_is_bounded_ordered_one_a_line_and_the_same_every_time(candidates, limit):
    selected = select_mutants(candidates, limit, RANK)
    places = [(each.path, each.line) for each in selected]

    assert len(selected) == min(limit, len({(each.path, each.line) for each in candidates}))
    assert places == sorted(set(places))
    assert select_mutants(candidates, limit, RANK) == selected


@given(st.lists(_MUTANTS, min_size=1))
def test_every_function_gets_a_turn_before_any_gets_two(candidates):
    called = [each for each in candidates if not each.at_import]
    taken = select_mutants(called, len({(each.path, each.function) for each in called}), RANK)
    best = {(each.path, each.function) for each in select_mutants(called, len(called) or 1, RANK)}

    assert {(each.path, each.function) for each in taken} == best or len(best) > len(taken)
