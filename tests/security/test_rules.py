"""Each rule's own examples are its first test."""

import pytest

from tests.harness.security import named_example
from verify_lsp.security.rewrites.registry import NAMES
from verify_lsp.security.rule import Bind, Call, Entry, Guard, Text
from verify_lsp.security.rules import FAMILIES, family_rules, rules
from verify_lsp.security.scan import scan_text

EVERY = rules()
SCANNED = [rule for rule in EVERY if not any(isinstance(matcher, Guard) for matcher in rule.match)]


@pytest.mark.parametrize("rule", SCANNED, ids=lambda rule: rule.id)
def test_each_bad_example_breaks_its_rule(rule):
    missed = [example for example in rule.bad if rule.id not in found(rule, example)]

    assert rule.bad
    assert missed == []


@pytest.mark.parametrize("rule", SCANNED, ids=lambda rule: rule.id)
def test_no_good_example_breaks_any_rule_of_weight(rule):
    wrong = [(example, ids) for example in rule.good if (ids := found(rule, example, least="medium"))]

    assert rule.good
    assert wrong == []
    assert [example for example in rule.good if rule.id in found(rule, example)] == []


def found(rule, example, least="info"):
    path, text = named_example(rule, example)
    levels = ["info", "low", "medium", "high", "critical"]
    return {each.rule for each in scan_text(path, text) if levels.index(each.severity) >= levels.index(least)}


def test_ids_are_unique_and_families_are_all_loaded():
    ids = [rule.id for rule in EVERY]

    assert sorted(set(ids)) == sorted(ids)
    assert sum(len(family_rules(family)) for family in FAMILIES) == len(EVERY)


def test_every_rule_says_what_it_means():
    silent = [rule.id for rule in EVERY if not (rule.title and rule.message and rule.suggestion and rule.cwe)]

    assert silent == []
    assert [rule.id for rule in EVERY if not all(cwe.startswith("CWE-") for cwe in rule.cwe)] == []


def test_every_rewrite_that_a_rule_names_is_there():
    assert {rule.rewrite for rule in EVERY} - {None} <= NAMES


@pytest.mark.parametrize("rule", SCANNED, ids=lambda rule: rule.id)
def test_an_anchor_stands_in_each_bad_example(rule):
    assert all(any(anchor in named_example(rule, example)[1] for anchor in rule.anchors) for example in rule.bad)


def test_every_pattern_is_one_that_takes_linear_time():
    from verify_lsp.security.patterns import compiled

    for rule in EVERY:
        for matcher in rule.match:
            patterns = {
                Call: ("callee", "statement", "statement_unless", "outside"),
                Bind: ("name", "value", "inside", "statement", "statement_unless"),
                Text: ("pattern", "unless"),
                Entry: ("key", "value", "unless", "block", "block_unless"),
            }.get(type(matcher), ())
            for name in patterns:
                if getattr(matcher, name) is not None:
                    compiled(getattr(matcher, name))
