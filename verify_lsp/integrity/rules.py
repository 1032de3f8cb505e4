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
        "integrity.rows-removed",
        "Rows of a table of tests are gone",
        "low",
        "of the five rows of `parametrize`, `it.each` or a Go table, one is deleted",
        "a row that changed, moved to another test, or speaks of code that is gone too",
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
    Rule(
        "integrity.test-changed-alone",
        "Assertions changed, and no code did",
        "info",
        "the assertions of an old test differ, at equal strength, in a change without code",
        "new tests, new names, another layout, a change of code beside it",
    ),
    Rule(
        "integrity.snapshot-rewritten",
        "A recorded output was written anew",
        "medium",
        "`render.test.ts.snap` differs, and no code, data or package changed",
        "the code that it comes from changed as well, or a new test added to it",
    ),
    Rule(
        "integrity.coverage-lowered",
        "Less coverage is asked for",
        "medium",
        "`fail_under = 80` → `fail_under = 0`",
        "a higher threshold, or one that moved to another file",
        SAY_WHY,
    ),
    Rule(
        "integrity.check-non-fatal",
        "A check may fail without anybody being told",
        "medium",
        "`continue-on-error: true` on a step that runs tests, `pytest` → `pytest || true`",
        "a step that is new, that uploads or publishes, or that is lenient for one row of a matrix",
        SAY_WHY,
    ),
    Rule(
        "integrity.run-narrowed",
        "Some tests are left out of the run",
        "medium",
        '`addopts = "-q"` → `addopts = "-q --deselect tests/test_shop.py"`, `collect_ignore`, `testPathIgnorePatterns`',
        "a new command that chooses its tests",
        SAY_WHY,
    ),
    Rule(
        "integrity.runner-hooked",
        "A hook decides what runs or what counts",
        "low",
        "a new `pytest_collection_modifyitems` that skips, a `pytest_runtest_makereport` that sets outcomes, in `conftest.py`",
        "a hook that was there before, or one that only adds options and markers",
        SAY_WHY,
    ),
    Rule(
        "integrity.check-relaxed",
        "A check is less strict",
        "low",
        '`"strict": true` → `false`, `"no-eval": "error"` → `"off"`',
        "a check that became stricter, or moved",
        SAY_WHY,
    ),
    Rule(
        "integrity.suppression-added",
        "A checker is silenced on old code",
        "low",
        "`# type: ignore`, `# noqa`, `eslint-disable-line`, `@ts-ignore`, `nolint`, `#[allow]` on a line that was there before",
        "one that moved with its line, or stands on new code (which is counted, not named)",
        SAY_WHY,
    ),
    Rule(
        "integrity.file-silenced",
        "A checker is silenced for a whole file",
        "medium",
        "`# mypy: ignore-errors`, `/* eslint-disable */`, `@ts-nocheck`, `#![allow(…)]` in a file that was there before",
        "a new file, or a comment that moved",
        SAY_WHY,
    ),
    Rule(
        "integrity.agent-instructions",
        "Instructions of coding agents changed",
        "low",
        "`AGENTS.md`, `CLAUDE.md` or `.cursor/rules` differ, beside code",
        "a change of nothing but such instructions",
        "Say what was changed in them and who asked for it.",
    ),
)


@cache
def by_id() -> Mapping[str, Rule]:
    """Return the rules by their ids."""
    return {rule.id: rule for rule in RULES}
