"""All rules, and the quick search for where they may apply. Each family is a module of data, loaded when first needed."""

from functools import cache
from importlib import import_module

from verify_lsp.security.patterns import Anchors
from verify_lsp.security.rule import Guard, Rule

FAMILIES = (
    "secrets_cloud",
    "secrets_services",
    "secrets_general",
    "python_code",
    "python_web",
    "python_servers",
    "script_code",
    "script_web",
    "go_code",
    "rust_code",
    "transport",
    "crypto",
    "shell",
    "pipelines",
    "containers",
    "infrastructure",
    "hidden",
    "guards",
)
"""The modules of `catalogue`, in the order of the documentation."""


@cache
def rules() -> tuple[Rule, ...]:
    """Return every rule, family by family."""
    return tuple(rule for family in FAMILIES for rule in family_rules(family))


def family_rules(family: str) -> tuple[Rule, ...]:
    """Return the rules of one family."""
    found: tuple[Rule, ...] = import_module(f"verify_lsp.security.catalogue.{family}").RULES
    return found


@cache
def rules_for(kinds: frozenset[str]) -> tuple[tuple[Rule, ...], Anchors]:
    """Return the rules for texts of these kinds, and the search for their anchors."""
    fitting = tuple(
        rule for rule in rules() if (not rule.languages or kinds & set(rule.languages)) and not _is_guard(rule)
    )
    return fitting, Anchors(anchor for rule in fitting for anchor in rule.anchors)


@cache
def rules_by_anchor(kinds: frozenset[str]) -> dict[str, tuple[Rule, ...]]:
    """Return for each anchor the rules that it leads to."""
    by_anchor: dict[str, list[Rule]] = {}
    for rule in rules_for(kinds)[0]:
        for anchor in rule.anchors:
            by_anchor.setdefault(anchor, []).append(rule)
    return {anchor: tuple(found) for anchor, found in by_anchor.items()}


@cache
def guards_for(kinds: frozenset[str]) -> tuple[Rule, ...]:
    """Return the rules about what was removed from texts of these kinds."""
    return tuple(rule for rule in rules() if _is_guard(rule) and (not rule.languages or kinds & set(rule.languages)))


def _is_guard(rule: Rule) -> bool:
    return any(isinstance(matcher, Guard) for matcher in rule.match)
