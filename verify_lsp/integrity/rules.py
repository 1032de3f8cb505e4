"""The rules of the integrity check, as data: what each names, how strongly, and the honest change that looks like it."""

from collections.abc import Mapping
from functools import cache

import attrs

from verify_lsp.model.finding import Severity

FIND_OUT = "The test may be wrong or the code may be wrong; find out which, fix that one, and say how you know."
SAY_WHY = "If this is meant, say why where it stands; if not, take it back and look at what it would have shown."


@attrs.frozen
class Rule:
    """One rule.

    Attributes:
        severity: Of a sign with nothing beside it that explains it.
        example: What it names, in words or as `before → after`.
        twin: The honest change that it stays silent on.
        advice: What to do next, in neutral words.
    """

    id: str
    title: str
    severity: Severity
    example: str
    twin: str
    advice: str = FIND_OUT


RULES: tuple[Rule, ...] = (
    Rule(
        "integrity.test-removed",
        "A test is gone",
        "medium",
        "`def test_total(): …` is deleted, and no test does what it did",
        "it was renamed, moved to another file, split, put into a table, merged, or tested code that is gone too",
    ),
    Rule(
        "integrity.test-skipped",
        "A test that ran is skipped",
        "medium",
        "`@pytest.mark.skip`, `it.skip`, `t.Skip()`, `#[ignore]` on a test that ran before",
        "a skip that asks the machine (`skipif` on a platform or version, `t.Skip` under a condition), or a new test",
    ),
    Rule(
        "integrity.test-narrowed",
        "Only a part of the tests runs",
        "medium",
        "`it.only`, `fdescribe` left in the file",
        "`.only` that was there before, or is taken away",
        SAY_WHY,
    ),
    Rule(
        "integrity.test-emptied",
        "A test does nothing any more",
        "medium",
        "the body of a test became `pass`",
        "a test that was a placeholder before",
    ),
    Rule(
        "integrity.assertions-gone",
        "A test asserts nothing any more",
        "medium",
        "`assert total(cart) == 3` → `total(cart)`",
        "the assertion moved to a helper that the test calls, or to another test",
    ),
    Rule(
        "integrity.assertion-removed",
        "An assertion is gone from a test",
        "low",
        "of two assertions, the one that failed is deleted",
        "it moved, was merged into another, or spoke of code that is gone too",
    ),
    Rule(
        "integrity.assertion-weakened",
        "An assertion says less than before",
        "medium",
        "`assert total(cart) == 3` → `assert total(cart)`; exact, then bound, then type, then truth, then nothing",
        "the same strength in other words: `assertEqual(a, b)` → `assert a == b`, `== True` → a truth check",
    ),
    Rule(
        "integrity.tolerance-widened",
        "An assertion lets more pass",
        "medium",
        "`approx(3, abs=0.01)` → `approx(3, abs=1)`, `< 10` → `< 1000`",
        "a narrower tolerance, or another measure of it",
    ),
    Rule(
        "integrity.assertion-swallowed",
        "A failing assertion is caught",
        "medium",
        "an assertion was put into `try: … except AssertionError: pass`",
        "the handler raises, fails or asserts",
    ),
    Rule(
        "integrity.assertion-conditional",
        "An assertion is made only under a condition",
        "low",
        "`assert total == 3` → `if total: assert total == 3`",
        "the condition asks the machine: its platform, its version, what is installed",
    ),
    Rule(
        "integrity.subject-mocked",
        "What a test calls is replaced by a stand-in",
        "medium",
        '`monkeypatch.setattr(shop, "total", lambda cart: 3)` in the test of `shop.total`',
        "a stand-in for what the tested code uses: the network, the clock, a database",
    ),
    Rule(
        "integrity.expected-changed",
        "An expected value changed, and nothing else",
        "low",
        "`== 3` → `== 4` while no code, data or setting changed",
        "the code changed as well, or the test's own input",
    ),
)


@cache
def by_id() -> Mapping[str, Rule]:
    """Return the rules by their ids."""
    return {rule.id: rule for rule in RULES}
