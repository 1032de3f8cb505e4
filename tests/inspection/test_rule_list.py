import re
from pathlib import Path

from verify_lsp.inspection.rule_list import every_rule
from verify_lsp.verifiers.code.rules import RULES

CODE = Path(__file__).parents[2] / "verify_lsp" / "verifiers" / "code"


def test_every_rule_is_listed_once_with_what_a_person_needs_to_know():
    rules = every_rule()
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["id"]
        assert rule["title"]
        assert rule["description"]
        assert rule["severity"] in {"critical", "high", "medium", "low", "info"}
        assert isinstance(rule["fixable"], bool)


def test_the_verifiers_of_programs_raise_no_rule_that_is_not_listed():
    named = {name for path in CODE.glob("*.py") for name in re.findall(r'"([a-z]+\.[a-z-]+)"', path.read_text())}
    rules = {rule.id for rule in RULES}
    formats = {name.partition(".")[0] for name in rules}
    others = {"go.mod", "go.sum", "go.work", "go.env", "python.projects"}  # Files, and a name in a memory.
    assert {name for name in named if name.partition(".")[0] in formats} - others <= rules
