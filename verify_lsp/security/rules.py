"""All rules, and the quick search for where they may apply. Each family is a module of data, loaded when first needed."""

from functools import cache
from importlib import import_module

from verify_lsp.security.patterns import Anchor, Anchors, either
from verify_lsp.security.rule import Assigned, Guard, Rule

FAMILIES = (
    "secrets_cloud",
    "secrets_hosting",
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


# What follows a name that is given something: the rest of the name, what closes a key, and the sign. It lets through
# a little more than `secrets.matching` will, and looks no farther than it must, for it is tried at each `key` in a text.
_GIVEN = r"[\w.-]{12}|[\w.-]{0,11}[\"'\])\\]{0,3}(?:[\t-\r ]{3}|[\t-\r ]{0,2}[:=?])"


@cache
def rules() -> tuple[Rule, ...]:
    """Return every rule, family by family."""
    return tuple(rule for family in FAMILIES for rule in family_rules(family))


def family_rules(family: str) -> tuple[Rule, ...]:
    """Return the rules of one family."""
    found: tuple[Rule, ...] = import_module(f"verify_lsp.security.catalogue.{family}").RULES
    return found


@cache
def anchors_for(kinds: frozenset[str]) -> Anchors:
    """Return the search for the anchors of all rules for texts of these kinds."""
    return Anchors(rules_by_anchor(kinds))


@cache
def rules_by_anchor(kinds: frozenset[str]) -> dict[Anchor, tuple[Rule, ...]]:
    """Return for each anchor the rules that it leads to."""
    by_anchor: dict[Anchor, list[Rule]] = {}
    for rule in rules():
        if _is_for(rule, kinds) and not _is_guard(rule):
            for word in rule.anchors:
                by_anchor.setdefault(Anchor(word, _after(rule)), []).append(rule)
    return {anchor: tuple(found) for anchor, found in by_anchor.items()}


@cache
def guards_for(kinds: frozenset[str]) -> tuple[Rule, ...]:
    """Return the rules about what was removed from texts of these kinds."""
    return tuple(rule for rule in rules() if _is_guard(rule) and _is_for(rule, kinds))


@cache
def any_guard_for(kinds: frozenset[str]) -> str | None:
    """Return a pattern that is found in removed lines wherever one of `guards_for` is; None where there are none."""
    patterns = [matcher.pattern for rule in guards_for(kinds) for matcher in rule.match if isinstance(matcher, Guard)]
    return either(patterns) if patterns else None


def _after(rule: Rule) -> str | None:
    return _GIVEN if any(isinstance(matcher, Assigned) for matcher in rule.match) else rule.after


def _is_for(rule: Rule, kinds: frozenset[str]) -> bool:
    return not rule.languages or not kinds.isdisjoint(rule.languages)


def _is_guard(rule: Rule) -> bool:
    return any(isinstance(matcher, Guard) for matcher in rule.match)
