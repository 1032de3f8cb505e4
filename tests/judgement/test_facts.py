from verify_lsp.judgement.facts import facts, proven_facts, unverified
from verify_lsp.model.fact import Evidence
from verify_lsp.model.outcome import Broke, Proof, Ran, Skipped


def proof(text="12 tests pass (pytest 9.2, exit 0)", kind="tests", *, holds=True, **evidence) -> Proof:
    return Proof(text, Evidence(**evidence), kind, holds)


def test_facts_are_numbered_within_their_check_in_the_order_of_the_checks():
    outcomes = {
        "project-check": Ran("pass", "ok", proofs=(proof("0 type errors", "types"),)),
        "tests": Ran("fail", "bad", proofs=(proof("web: 3 tests pass"), proof("1 test fails", holds=False))),
    }
    assert [(fact.id, fact.check, fact.text) for fact in facts(outcomes)] == [
        ("project-check-1", "project-check", "0 type errors"),
        ("tests-1", "tests", "web: 3 tests pass"),
        ("tests-2", "tests", "1 test fails"),
    ]
    assert [proven.proof.holds for proven in proven_facts(outcomes)] == [True, True, False]


def test_what_did_not_run_proves_nothing():
    # G9: skipped, broken and missing checks never become facts.
    outcomes = {
        "tests": Skipped("no tests are configured", needless=True),
        "project-check": Skipped("go is not installed"),
        "lint": Broke("eslint crashed"),
        "dependencies": Skipped("the network cannot be used"),
    }
    assert facts(outcomes) == ()


def test_evidence_is_bounded_and_clean():
    noisy = "\x1b[31mFAILED\x1b[0m\x07\n" * 5000 + "the last line"
    fact = facts({"tests": Ran("pass", "ok", proofs=(proof(output_tail=noisy, command="pytest\n-q \x1b[2J"),))})[0]
    assert fact.evidence.output_tail.startswith("…\nFAILED\n")
    assert fact.evidence.output_tail.endswith("the last line")
    assert len(fact.evidence.output_tail) <= 4000
    assert fact.evidence.command == "pytest -q"


def test_evidence_keeps_its_numbers_and_its_silence():
    given = proof(exit_code=0, metrics={"passed": 12, "total": None})
    evidence = facts({"tests": Ran("pass", "ok", proofs=(given,))})[0].evidence
    assert (evidence.exit_code, evidence.metrics) == (0, {"passed": 12, "total": None})
    assert (evidence.output_tail, evidence.command, evidence.tool) == (None, None, None)


def test_what_stays_unverified_is_said_with_its_cause():
    outcomes = {
        "project-check": Ran("warn", "ok", unverified=("web: npm is not installed.",)),
        "security": Ran("pass", "ok"),
        "tests": Skipped("go is not installed"),
        "mutation": Skipped("no line was added", needless=True),
        "lint": Broke("eslint crashed\n"),
    }
    assert unverified(outcomes) == (
        "not verified by project-check: web: npm is not installed",
        "not verified: tests, because go is not installed",
        "not verified: lint, because eslint crashed",
    )


def test_a_cause_that_is_missing_is_called_missing():
    assert unverified({"tests": Broke(" ")}) == ("not verified: tests, because no reason was given",)
