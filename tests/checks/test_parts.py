import attrs
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.mutation import ran
from verify_lsp.checks.parts import combine, sum_metrics, tail
from verify_lsp.model.fact import Evidence
from verify_lsp.model.outcome import Broke, Proof, Ran, Skipped

PASSED = Ran("pass", "12 tests pass", metrics={"passed": 12, "failed": 0, "total": 12})
FAILED = Ran("fail", "1 test fails", metrics={"passed": 3, "failed": 1, "total": 4})
MISSING = Skipped("go is not installed")
NOTHING = Skipped("no tests are configured", needless=True)
CRASHED = Broke("the tool crashed")


def test_without_any_part_there_is_nothing_to_verify():
    assert combine([], "no project was touched") == Skipped("no project was touched", needless=True)


def test_one_part_is_the_whole():
    assert combine([("Python", PASSED)], "") == PASSED


def test_a_failure_anywhere_fails():
    outcome = combine([("Python", PASSED), ("Go", FAILED)], "")

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "fail"
    assert outcome.summary == "Python: 12 tests pass; Go: 1 test fails"


def test_what_several_parts_prove_is_told_with_their_projects():
    proof = Proof("12 tests pass", Evidence(), "tests", holds=True)
    part = attrs.evolve(PASSED, proofs=(proof,))

    assert [each.text for each in ran(combine([("Python", part), ("Go", part)], "")).proofs] == [
        "Python: 12 tests pass",
        "Go: 12 tests pass",
    ]
    assert ran(combine([("Python", part)], "")).proofs == (proof,)


def test_a_part_that_could_not_look_keeps_the_check_from_passing():
    outcome = combine([("Python", PASSED), ("Go", MISSING)], "")

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "warn"
    assert outcome.unverified == ("Go: go is not installed",)


def test_a_part_that_broke_keeps_the_check_from_passing():
    outcome = combine([("Python", PASSED), ("Go", CRASHED)], "")

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "warn"


def test_a_part_with_nothing_to_look_at_does_not_spoil_a_pass():
    outcome = combine([("Python", PASSED), ("Go", NOTHING)], "")

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "pass"
    assert outcome.asides == ("Go: no tests are configured",)


def test_a_check_of_which_nothing_ran_and_something_broke_is_broken():
    assert combine([("Python", MISSING), ("Go", CRASHED)], "") == Broke("Go: the tool crashed")


def test_what_should_have_run_is_named_rather_than_what_need_not():
    outcome = combine([("Python", NOTHING), ("Go", MISSING)], "")

    assert outcome == Skipped("Go: go is not installed", needless=False)


def test_a_skipped_part_never_adds_up_to_a_total():
    outcome = combine([("Python", PASSED), ("Go", MISSING)], "")

    assert isinstance(outcome, Ran)
    assert outcome.metrics["total"] is None
    assert outcome.metrics["passed"] == 12


METRICS = st.dictionaries(st.sampled_from(["passed", "failed", "total"]), st.none() | st.integers(0, 99))


@given(st.lists(METRICS, max_size=4))
def test_an_unknown_number_is_never_counted_as_zero(metrics):
    sums = sum_metrics(metrics, complete=True)

    for name, value in sums.items():
        parts = [each[name] for each in metrics if name in each]
        assert value == (None if None in parts else sum(parts))


def test_the_tail_of_a_long_output_begins_with_a_whole_line():
    text = "\n".join(f"line {number}" for number in range(10_000))

    short = tail(text, 100)

    assert short.startswith("[…]\nline ")
    assert short.endswith("line 9999")
    assert len(short) <= 104
