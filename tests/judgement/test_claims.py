import time

import attrs
import pytest

from tests.harness.changed_files import change_of, changed_file
from verify_lsp.judgement.claims import judge_claims
from verify_lsp.judgement.facts import facts
from verify_lsp.model.change import Change, HeadRef
from verify_lsp.model.fact import Evidence
from verify_lsp.model.finding import Finding
from verify_lsp.model.outcome import Broke, Proof, Ran, Skipped

CHANGE = change_of(changed_file("src/a.py", "x = 1\n", "x = 2\n"))


def ran_tests(passed=12, failed=0, skipped=0, tool="pytest", **more) -> Ran:
    total = None if None in {passed, failed} else passed + failed + skipped
    metrics = {"passed": passed, "failed": failed, "skipped": skipped, "total": total}
    proof = Proof("said", Evidence(tool=tool, exit_code=0, metrics=metrics), "tests", holds=not failed)
    return Ran("fail" if failed else "pass", "said", proofs=(proof,), metrics=metrics, **more)


def ran_types(new=0, touched=0, elsewhere=0, tool="mypy", kind="types", **more) -> Ran:
    metrics = {"errors_new": new, "errors_touched": touched, "errors_elsewhere": elsewhere}
    proof = Proof("said", Evidence(tool=tool, metrics=metrics), kind, holds=not new)
    return Ran("fail" if new else "pass", "said", proofs=(proof,), metrics=metrics, **more)


def ran_lint(findings=0, preexisting=0, tool="ruff", severity="medium", **more) -> Ran:
    metrics = {"findings": findings, "preexisting": preexisting}
    proof = Proof("said", Evidence(tool=tool, metrics=metrics), "lint", holds=not findings)
    raised = tuple(Finding("1", "lint", severity, "src/a.py", 1, "R", "m") for _ in range(findings))
    return Ran("warn" if findings else "pass", "said", raised, proofs=(proof,), metrics=metrics, **more)


def judged(message: str, change: Change = CHANGE, scope="working-tree", **outcomes):
    named = {kind.replace("_", "-"): outcome for kind, outcome in outcomes.items()}
    return [
        (claim.kind, claim.status, claim.facts) for claim in judge_claims(message, change, named, scope=scope).claims
    ]


def verdict(message: str, **more) -> str:
    (claim,) = judged(message, **more)
    return claim[1]


@pytest.mark.parametrize("message", ["not yet verified", "unverified input", "I could not run the tests"])
def test_what_admits_that_nothing_was_shown_claims_nothing(message):
    # G7
    assert judged(message, tests=ran_tests()) == []


@pytest.mark.parametrize(
    "message",
    [
        "All but two tests pass.",
        "All tests but one pass.",
        "All of the 12 tests but 1 pass.",
        "Everything but the integration tests passes.",
        "All tests pass, with the exception of test_old.",
        "All tests pass excluding test_old.",
    ],
)
def test_who_names_the_tests_that_fail_does_not_claim_that_all_pass(message):
    assert judged(message, tests=ran_tests(10, 2)) == []


@pytest.mark.parametrize("message", ["All tests pass but two files changed.", "All tests pass, but lint is slow."])
def test_a_but_behind_the_claim_takes_nothing_back(message):
    assert judged(message, tests=ran_tests(10, 2)) == [("tests-pass", "contradicted", ("tests-1",))]


def test_should_pass_is_a_hedge():
    # G7, T32
    assert judged("tests should pass", tests=ran_tests()) == [("tests-pass", "hedged", ())]


def test_twelve_of_twelve_is_contradicted_by_a_failure():
    # G7, whichever way the numbers fall.
    for passed in (0, 2, 11, 12):
        assert judged("All 12 tests pass", tests=ran_tests(passed, 1)) == [("tests-pass", "contradicted", ("tests-1",))]


def test_a_clean_linter_is_unsupported_unless_one_ran():
    # G7
    assert judged("ran the linter — clean", tests=ran_tests()) == [("lint", "unsupported", ())]
    assert judged("ran the linter — clean", lint=Skipped("ruff is not installed")) == [("lint", "unsupported", ())]
    assert judged("ran the linter — clean", lint=ran_lint()) == [("lint", "supported", ("lint-1",))]


@pytest.mark.parametrize(
    ("message", "ran", "status"),
    [
        ("All tests pass.", ran_tests(), "supported"),
        ("All 12 tests pass.", ran_tests(), "supported"),
        ("12 tests pass.", ran_tests(skipped=3), "supported"),
        ("All 14 tests pass.", ran_tests(), "unsupported"),
        ("All 10 tests pass.", ran_tests(), "unsupported"),
        ("All tests pass.", ran_tests(failed=1), "contradicted"),
        ("The tests pass.", ran_tests(failed=1), "contradicted"),
        ("No tests fail.", ran_tests(failed=1), "contradicted"),
        ("12 tests pass.", ran_tests(11, 1), "contradicted"),
        ("12 tests pass.", ran_tests(12, 1), "unsupported"),
        ("All 12 tests pass.", ran_tests(300, 1), "unsupported"),
        ("The new tests pass.", ran_tests(failed=1), "unsupported"),
        ("The tests in `tests/test_a.py` pass.", ran_tests(failed=1), "unsupported"),
        ("`pytest tests/test_a.py` passes.", ran_tests(failed=1), "unsupported"),
        ("The new tests pass.", ran_tests(), "supported"),
        ("All tests pass.", ran_tests(passed=0), "unsupported"),
        ("All tests pass.", ran_tests(passed=0, skipped=4), "unsupported"),
        ("All tests pass.", ran_tests(unverified=("web: npm is not installed",)), "unsupported"),
        ("All tests pass.", ran_tests(passed=None, failed=None, skipped=None), "supported"),
        ("All 12 tests pass.", ran_tests(passed=None, failed=None, skipped=None), "unsupported"),
        ("Jest passes.", ran_tests(), "unsupported"),
        ("`pytest -q` passes.", ran_tests(), "supported"),
        ("`npm test` passes.", ran_tests(tool="vitest"), "supported"),
        ("All tests pass.", Skipped("no tests are configured", needless=True), "unsupported"),
        ("All tests pass.", Skipped("pytest ran no tests", metrics={"total": 0}), "unsupported"),
        ("All tests pass.", Broke("the output cannot be read"), "unsupported"),
    ],
)
def test_claims_about_tests(message, ran, status):
    assert verdict(message, tests=ran) == status


def test_a_failure_that_a_second_run_does_not_show_contradicts_nothing():
    flaky = ran_tests(11, 1)
    flaky = attrs.evolve(flaky, verdict="warn", metrics={**flaky.metrics, "flaky": 1})
    assert verdict("All tests pass.", tests=flaky) == "unsupported"


def test_an_exit_code_that_contradicts_the_counts_supports_nothing():
    # F15: the summary is green, the verdict is not.
    assert verdict("All tests pass.", tests=attrs.evolve(ran_tests(), verdict="fail")) == "unsupported"


def test_a_failed_run_without_counts_contradicts():
    # F4: the exit code speaks, the counts are unknown.
    metrics = dict.fromkeys(("passed", "failed", "skipped", "total"))
    proof = Proof("the test command fails", Evidence(metrics=metrics), "tests", holds=False)
    assert verdict("All tests pass.", tests=Ran("fail", "said", proofs=(proof,), metrics=metrics)) == "contradicted"


def test_several_suites_are_one_run():
    one, other = ran_tests(12), ran_tests(30, tool="vitest")
    both = attrs.evolve(one, proofs=(*one.proofs, *other.proofs), metrics={"passed": 42, "failed": 0, "total": 42})
    assert judged("All 42 tests pass.", tests=both) == [("tests-pass", "supported", ("tests-1", "tests-2"))]
    assert judged("All 30 tests pass.", tests=both) == [("tests-pass", "supported", ("tests-1", "tests-2"))]
    assert judged("pytest passes.", tests=both) == [("tests-pass", "supported", ("tests-1",))]


@pytest.mark.parametrize(
    ("message", "ran", "status"),
    [
        ("No type errors.", ran_types(), "supported"),
        ("No type errors.", ran_types(new=1, touched=1), "contradicted"),
        ("No type errors.", ran_types(touched=2), "unsupported"),
        ("No new type errors.", ran_types(touched=2, elsewhere=9), "supported"),
        ("No new type errors.", ran_types(new=1), "contradicted"),
        ("mypy is clean.", ran_types(), "supported"),
        ("pyright is clean.", ran_types(), "unsupported"),
        ("`npx tsc --noEmit` passes.", ran_types(tool="tsc"), "supported"),
        ("Type checking passes.", ran_types(kind="compile", tool="Python compile()"), "unsupported"),
        ("Type checking passes.", ran_types(unverified=("web: tsc is not installed",)), "unsupported"),
        ("The project compiles.", ran_types(tool="cargo check"), "supported"),
        ("The project compiles.", ran_types(tool="mypy"), "unsupported"),
        ("The project compiles.", ran_types(new=2, tool="cargo check"), "contradicted"),
        ("The project compiles.", ran_types(kind="compile", tool="Python compile()"), "supported"),
        ("The build passes.", ran_types(tool="cargo check"), "unsupported"),
        ("The build passes.", ran_types(new=2, tool="cargo check"), "unsupported"),
        ("The build passes.", ran_types(kind="build", tool="npm run build"), "supported"),
        ("The build passes.", ran_types(new=1, kind="build", tool="npm run build"), "contradicted"),
    ],
)
def test_claims_about_types_and_builds(message, ran, status):
    assert verdict(message, project_check=ran) == status


@pytest.mark.parametrize(
    ("message", "ran", "status"),
    [
        ("Lint passes.", ran_lint(), "supported"),
        ("Lint passes.", ran_lint(2), "contradicted"),
        ("No lint errors.", ran_lint(2), "unsupported"),
        ("No lint errors.", ran_lint(2, severity="high"), "contradicted"),
        ("No lint warnings.", ran_lint(2), "contradicted"),
        ("Lint passes.", ran_lint(preexisting=3), "unsupported"),
        ("No new lint warnings.", ran_lint(preexisting=3), "supported"),
        ("ESLint is clean.", ran_lint(2), "unsupported"),
        ("ruff is clean.", ran_lint(2), "contradicted"),
        ("Lint passes.", ran_lint(unverified=("web: eslint is not installed",)), "unsupported"),
    ],
)
def test_claims_about_lint(message, ran, status):
    assert verdict(message, lint=ran) == status


def test_all_checks_need_all_that_apply():
    everything = {"tests": ran_tests(), "project_check": ran_types(), "lint": ran_lint()}
    assert judged("All checks pass.", **everything)[0][1:] == (
        "supported",
        ("project-check-1", "tests-1", "lint-1"),
    ) or (set(judged("All checks pass.", **everything)[0][2]) == {"project-check-1", "tests-1", "lint-1"})
    needless = {**everything, "lint": Skipped("no linter is configured", needless=True)}
    assert verdict("All checks pass.", **needless) == "supported"
    assert verdict("All checks pass.", **{**everything, "lint": Skipped("ruff is not installed")}) == "unsupported"
    assert verdict("All checks pass.", **{**everything, "lint": ran_lint(1)}) == "unsupported"
    assert verdict("All checks pass.", **{**everything, "tests": ran_tests(failed=1)}) == "contradicted"
    assert verdict("All checks pass.", **{**everything, "project_check": ran_types(new=1)}) == "contradicted"
    assert verdict("All checks pass.", tests=ran_tests()) == "unsupported"


def test_ci_is_elsewhere():
    assert judged("All CI checks pass.", tests=ran_tests(failed=1)) == []


def test_no_rule_can_show_that_there_is_no_hole():
    clean = Ran("pass", "said", proofs=(Proof("s", Evidence(metrics={"critical": 0}), "security", holds=True),))
    grave = Ran("fail", "said", proofs=(Proof("s", Evidence(metrics={"critical": 1}), "security", holds=False),))
    known = Ran("fail", "said", proofs=(Proof("s", Evidence(metrics={"vulnerable": 1}), "dependencies", holds=False),))
    assert verdict("No security issues.", security=clean) == "unsupported"
    assert verdict("No security issues.", security=grave) == "contradicted"
    assert verdict("No known vulnerabilities.", dependencies=known) == "contradicted"


def test_diagnostics_are_counted_as_far_as_they_were_denied():
    def ran(**metrics) -> Ran:
        return Ran("pass", "s", proofs=(Proof("s", Evidence(metrics=metrics), "diagnostics", holds=True),))

    assert verdict("No LSP errors.", diagnostics=ran(errors=0, errors_new=0, warnings=2)) == "supported"
    assert verdict("No LSP diagnostics.", diagnostics=ran(errors=0, errors_new=0, warnings=2)) == "unsupported"
    assert verdict("No LSP errors.", diagnostics=ran(errors=1, errors_new=1, warnings=0)) == "contradicted"
    assert verdict("No LSP errors.", diagnostics=ran(errors=1, errors_new=None, warnings=0)) == "unsupported"


def test_one_sentence_makes_several_claims_and_each_has_its_own_verdict():
    found = judged("Lint, types and all 12 tests pass.", tests=ran_tests(11, 1), lint=ran_lint())
    assert found == [
        ("lint", "supported", ("lint-1",)),
        ("types", "unsupported", ()),
        ("tests-pass", "contradicted", ("tests-1",)),
    ]


def test_a_claim_made_twice_is_one_and_keeps_its_words():
    (claim,) = judge_claims("**All tests** pass.\n\n- All tests pass.", CHANGE, {"tests": ran_tests()}).claims
    assert (claim.text, claim.status) == ("All tests pass.", "supported")


def test_claims_name_facts_that_the_report_has():
    outcomes = {"project-check": ran_types(), "tests": ran_tests(failed=2), "lint": ran_lint(1)}
    known = {fact.id for fact in facts(outcomes)}
    found = judge_claims("Tests pass. Lint is clean. mypy is clean. All checks pass.", CHANGE, outcomes)
    named = {name for claim in found.claims for name in claim.facts}
    assert named
    assert named <= known
    assert all(claim.facts for claim in found.claims if claim.status in {"supported", "contradicted"})


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ("Created `src/new.py`.", "supported"),
        ("Created `new.py` and `docs/new.md`.", "supported"),
        ("Created `src/other.py`.", "unsupported"),
        ("Created `src/a.py`.", "unsupported"),
        ("Updated `src/a.py`.", "supported"),
        ("Updated `src/missing.py`.", "unsupported"),
        ("Deleted `src/old.py`.", "supported"),
        ("Deleted `src/a.py`.", "contradicted"),
        ("Removed `gone`.", "supported"),
        ("Removed `kept`.", "unsupported"),
        ("Removed `never_there`.", "unsupported"),
        ("Added tests.", "supported"),
        ("Added 2 tests.", "supported"),
        ("Added 3 tests.", "unsupported"),
        ("I also added two tests for it.", "supported"),
        ("I also added three tests for it.", "unsupported"),
        ("Added `httpx` as a dependency.", "supported"),
        ("Added `requests` as a dependency.", "unsupported"),
        ("There are no functional changes.", "unsupported"),
        ("There are no breaking changes.", "unsupported"),
        ("I manually verified the login.", "unsupported"),
        ("Fixed the crash on start.", "unsupported"),
        ("I committed the changes.", "unsupported"),
        ("Updated all call sites.", "unsupported"),
        ("It is now 3x faster.", "unsupported"),
    ],
)
def test_claims_about_deeds(message, status):
    change = change_of(
        changed_file("src/a.py", "gone()\nkept()\n", "kept()\nmore()\n"),
        changed_file("src/new.py", None, "x = 1\n"),
        changed_file("docs/new.md", None, "x\n"),
        changed_file("src/old.py", "y = 1\n", None),
        changed_file("tests/test_a.py", "", "def test_one(): ...\ndef test_two(): ...\n"),
        changed_file("pyproject.toml", "[project]\ndependencies=[]\n", "[project]\ndependencies=['httpx']\n"),
    )
    assert verdict(message, change=change) == status


def test_absence_never_contradicts():
    for message in ("Created `x.py`.", "Updated `x.py`.", "Added tests.", "Added `x` as a dependency.", "Removed `x`."):
        assert verdict(message, change=CHANGE, scope="session") == "unsupported"


def test_what_else_was_changed_is_the_agents_doing_in_a_session_only():
    change = change_of(
        changed_file("src/a.py", "x = 1\n", "x = 2\n"),
        changed_file("src/b.py", "x = 1\n", "x = 2\n"),
        changed_file("package.json", "{}", '{"dependencies": {"a": "1"}}'),
    )
    for message in ("I only changed `src/a.py`.", "No new dependencies were added.", "Only comments were changed."):
        assert verdict(message, change=change) == "unsupported"
        assert verdict(message, change=change, scope="session") == "contradicted"
    assert verdict("I only changed `src/a.py`.", change=CHANGE, scope="session") == "supported"


def test_a_change_of_comments_shows_that_behaviour_stayed():
    change = change_of(changed_file("src/a.py", "x = 1\n", "# why\nx = 1\n"))
    assert verdict("No functional changes.", change=change) == "supported"
    assert verdict("Only comments were changed.", change=change) == "supported"


def test_a_clean_tree_shows_that_all_is_committed():
    assert (
        verdict("I committed the changes.", change=attrs.evolve(CHANGE, head=HeadRef(dirty=False, sha="1")))
        == "supported"
    )
    assert (
        verdict("I committed the changes.", change=attrs.evolve(CHANGE, head=HeadRef(dirty=True, sha="1")))
        == "unsupported"
    )


def test_no_new_dependencies_need_a_look_at_them():
    counted = Ran("pass", "said", metrics={"deps": 0})
    assert verdict("No new dependencies were added.", dependencies=counted) == "supported"
    assert verdict("No new dependencies were added.", dependencies=Skipped("offline")) == "unsupported"


def test_how_much_was_read_is_told():
    message = "All tests pass. It is done.\n\n| Tests | pass |\n\n> Run it.\n\n```\ncode\n```\n"
    found = judge_claims(message, CHANGE, {"tests": ran_tests()})
    assert (len(found.claims), found.examined, found.total) == (1, 2, 4)
    claims, examined, total = judge_claims("", CHANGE, {})
    assert (claims, examined, total) == ((), 0, 0)


@pytest.mark.parametrize(
    "message",
    [
        "`" * 20_000,
        "".join("`" * (length % 50 + 1) + " " for length in range(800)),
        "[a" * 10_000,
        '"a ' * 6_000,
        "all tests and " * 1_400,
        "no new type " * 1_600,
        "added a b c d e f " * 1_100,
        "moved `a` " * 2_000,
        "could not " * 2_000,
        "x" * 20_000,
        "a/" * 10_000,
        "<a " * 6_600,
        "- a\n" * 5_000,
        "All tests pass. " * 100_000,
    ],
)
def test_hostile_messages_cost_little(message):
    started = time.process_time()
    judge_claims(message, CHANGE, {"tests": ran_tests()})
    assert time.process_time() - started < 5


def test_claims_are_shown_bounded_and_clean():
    found = judge_claims("All \x1b[31mtests\u202e pass \x07now.", CHANGE, {"tests": ran_tests()})
    assert found.claims[0].text == "All tests pass now."
    assert judge_claims("All tests pass " + "and so on " * 80 + ".", CHANGE, {}).claims == ()


def test_only_the_end_of_a_long_message_is_searched():
    found = judge_claims("All tests pass.\n\n" + "Filler words here.\n\n" * 1_500 + "Lint is clean.", CHANGE, {})
    assert [claim.kind for claim in found.claims] == ["lint"]
    assert found.total > found.examined
