import pytest

from tests.harness.sample_reports import crowded, everything, failing, passing, warning
from tests.harness.samples import BASE_SHA, a_check, a_claim, a_fact, a_finding, a_report
from verify_lsp.judgement.verdict import to_check
from verify_lsp.model.change import BaseRef, HeadRef
from verify_lsp.model.outcome import Broke, Ran, Skipped
from verify_lsp.model.scope import VerifyScope
from verify_lsp.reports import outline


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [
        (0, "0 ms"),
        (999, "999 ms"),
        (1000, "1.0 s"),
        (4210, "4.2 s"),
        (59_949, "59.9 s"),
        (59_960, "1 min 0 s"),
        (60_000, "1 min 0 s"),
        (125_400, "2 min 5 s"),
        (3_599_600, "60 min 0 s"),
    ],
)
def test_a_duration_is_said_as_people_say_it(milliseconds, words):
    assert outline.duration(milliseconds) == words


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, f"the working tree against HEAD ({BASE_SHA[:10]})"),
        ({"base": None, "head": None}, "the working tree"),
        ({"scope": VerifyScope("staged")}, f"what is staged against HEAD ({BASE_SHA[:10]})"),
        (
            {"scope": VerifyScope("branch", base="main"), "base": BaseRef("main", BASE_SHA), "head": HeadRef(dirty=True, sha="ab" * 20)},
            f"the branch at ababababab against main ({BASE_SHA[:10]}), without the uncommitted changes",
        ),
        ({"base": BaseRef(BASE_SHA[:12], BASE_SHA)}, f"the working tree against {BASE_SHA[:12]}"),
        ({"scope": VerifyScope("session", session_id="s-1"), "base": None}, "an agent's session s-1"),
        ({"scope": VerifyScope("change-set", change_set_id="pr 7"), "base": None}, "a given change pr 7"),
        ({"scope": VerifyScope("files", files=("a.py",)), "base": None}, "chosen files"),
    ],
)  # fmt: skip
def test_a_scope_is_said_in_words(fields, words):
    assert outline.setting(a_report(**fields))[0] == words


def test_the_size_of_a_change_is_files_and_lines():
    assert outline.setting(failing())[1] == "2 files, +15 −3"
    assert outline.setting(passing())[1] == "1 file, +1 −0"


def test_what_the_judgement_skips_for_want_of_work_is_told_from_what_it_could_not_verify():
    checks = (
        to_check("dependencies", Skipped("no package was added", needless=True)),
        to_check("tests", Skipped("go is not installed")),
        to_check("lint", Broke("eslint crashed")),
        to_check("project-check", Ran("pass", "no errors", unverified=("web: tsc is not installed",))),
        to_check("security", Ran("pass", "no findings")),
    )
    report = a_report(checks=checks)
    assert outline.needless(report) == [("dependencies", "no package was added")]
    assert outline.unverified(report) == [
        ("tests", "go is not installed"),
        ("project-check", "web: tsc is not installed"),
    ]
    assert outline.verdict(report) == (
        "lint did not work; project-check warned; security passed; not verified: tests; nothing to verify: dependencies"
    )


def test_a_check_that_looked_only_in_part_is_unverified():
    assert outline.unverified(warning()) == [("tests", "web: vitest is not installed")]


def test_older_findings_are_counted_by_check():
    assert outline.older(failing()) == "1 finding: 1 in tests"
    assert outline.older(crowded()) == "100 findings: 100 in lint"
    assert outline.older(passing()) is None


def test_the_gravest_check_comes_first_and_quiet_ones_are_left_out():
    assert [check.kind for check in outline.loud_checks(everything())] == ["security", "tests", "diagnostics"]
    assert [check.kind for check in outline.loud_checks(warning())] == ["integrity", "lint"]
    assert outline.loud_checks(passing()) == []


def test_a_claim_names_the_facts_that_decide_it_by_number():
    report = a_report(facts=(a_fact(id="a"), a_fact(id="b"), a_fact(id="c")))
    both = a_claim(facts=("c", "a", "gone"))
    assert outline.fact_numbers(both, report) == [1, 3]
    assert outline.claim_verdict(both, [1, 3]) == "supported by facts 1, 3"
    assert outline.claim_verdict(a_claim(status="contradicted"), [2]) == "contradicted by fact 2"
    assert outline.claim_verdict(a_claim(status="hedged"), [2]) == "hedged"
    assert outline.claim_verdict(a_claim(), []) == "supported"


@pytest.mark.parametrize(
    ("summary", "rest"),
    [
        ("12 tests pass", ""),
        ("12 tests pass (2 of them slowly)", "2 of them slowly"),
        ("12 tests pass; web: 3 tests pass", "web: 3 tests pass"),
        ("12 tests pass; web: 4 tests pass (api: no tests)", "api: no tests"),
        ("web: 3 tests pass", "web: 3 tests pass"),
        ("(odd)", "(odd)"),
    ],
)
def test_what_a_fact_has_told_is_not_told_again(summary, rest):
    report = a_report(facts=tuple(a_fact(text=text) for text in ("12 tests", "12 tests pass", "web: 4 tests pass")))
    assert outline.untold(a_check(summary=summary), report) == rest


def test_a_place_is_what_editors_know():
    assert outline.place(a_finding()) == "shop/checkout.py:12"
    assert outline.place(a_finding(column=3)) == "shop/checkout.py:12:3"
    assert outline.place(a_finding(path="a\nb\x1b[0m\t.py")) == "a\\nb\\t.py:12"
    assert outline.place(a_finding(path="")) == "lint"


def test_a_run_without_checks_says_so():
    assert outline.verdict(a_report(checks=())) == "no check was made"
    assert outline.verdict(a_report(status="cancelled", checks=(a_check("tests", "pending"),))) == (
        "stopped before its end; tests not begun"
    )
