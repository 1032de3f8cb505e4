"""The rules as data, and the page that lists them."""

from pathlib import Path

from verify_lsp.integrity.rules import RULES, by_id

PAGE = Path(__file__).parents[2] / "docs" / "integrity.md"


def test_the_page_lists_every_rule_with_its_example_and_its_twin():
    rows = [line for line in PAGE.read_text().split("\n") if line.startswith("| `integrity.")]

    assert rows == [f"| `{rule.id}` | {rule.severity} | {rule.title}: {rule.example} | {rule.twin} |" for rule in RULES]


def test_ids_are_told_apart():
    assert len(by_id()) == len(RULES)
    assert all(rule.id.startswith("integrity.") for rule in RULES)


def test_no_rule_fails_a_change():
    assert {rule.severity for rule in RULES} <= {"medium", "low", "info"}


def test_the_advice_neither_accuses_nor_forbids():
    for rule in RULES:
        words = f"{rule.title} {rule.advice}".lower()
        assert not {"cheat", "must not", "do not", "never", "forbidden", "illegal"} & set(words.split())
        assert "don't" not in words
