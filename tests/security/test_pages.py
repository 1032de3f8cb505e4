"""The rules' pages are what the rules say."""

from pathlib import Path

import pytest

from benchmarks.accuracy.scoring import page_figures
from verify_lsp.security.pages import pages
from verify_lsp.security.rules import rules

FOLDER = Path(__file__).parents[2] / "docs" / "rules"


@pytest.fixture(scope="module")
def wanted():
    return pages(page_figures())


def test_there_is_one_fresh_page_a_rule_and_an_index_with_the_figures_that_the_scorer_counts_now(wanted):
    before = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.md")}
    FOLDER.mkdir(exist_ok=True)
    for name in set(before) - set(wanted):
        (FOLDER / name).unlink()
    for name, text in wanted.items():
        if before.get(name) != text:
            (FOLDER / name).write_text(text, "utf-8")

    assert before == wanted, "docs/rules was stale; it has been rewritten"


def test_every_rule_is_in_the_index(wanted):
    index = wanted["README.md"]

    assert [rule.id for rule in rules() if f"[`{rule.id}`]({rule.id}.md)" not in index] == []


def test_a_rules_address_is_its_page(wanted):
    assert [rule.url for rule in rules() if Path(rule.url).name not in wanted] == []
