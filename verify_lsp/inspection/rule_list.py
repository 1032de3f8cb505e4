"""Every rule that a look at a text or a change can raise, as it is listed on the command line and on the wire."""

from collections.abc import Mapping
from typing import Any

from verify_lsp.integrity.rules import RULES as INTEGRITY
from verify_lsp.integrity.rules import Rule as IntegrityRule
from verify_lsp.security.listing import listed_rules
from verify_lsp.security.semgrep.answer import SEVERITIES
from verify_lsp.security.semgrep.ask import packaged_rules
from verify_lsp.verifiers.code.rules import RULES as CODE
from verify_lsp.verifiers.data.rules import RULES as DATA
from verify_lsp.verifiers.data.rules import DataRule


def every_rule() -> list[dict[str, Any]]:
    """Return the rules of the verifiers and the security rules, each with its public fields."""
    verifiers = [_listed(rule) for rule in (*CODE, *DATA)]
    compared = [_compared(rule) for rule in INTEGRITY]
    return [*verifiers, *listed_rules(), *(_followed(rule) for rule in packaged_rules()), *compared]


def _compared(rule: IntegrityRule) -> dict[str, Any]:
    """A rule of the integrity check, which compares before and after."""
    return {
        "id": rule.id,
        "title": rule.title,
        "severity": rule.severity,
        "languages": [],
        "description": f"{rule.title}: {rule.example}. Not: {rule.twin}.",
        "suggestion": rule.advice,
        "url": None,
        "fixable": False,
    }


def _followed(rule: Mapping[str, Any]) -> dict[str, Any]:
    """A rule that semgrep reads, where it is installed."""
    return {
        "id": rule["id"],
        "title": rule["message"],
        "severity": SEVERITIES[rule["severity"]],
        "languages": list(rule["languages"]),
        "description": f"{rule['message']}; found by semgrep, where it is installed.",
        "suggestion": rule["metadata"]["suggestion"],
        "cwe": list(rule["metadata"]["cwe"]),
        "url": None,
        "fixable": False,
    }


def _listed(rule: DataRule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "title": rule.description.rstrip("."),
        "severity": rule.severity,
        "languages": [rule.id.partition(".")[0]],
        "description": rule.description,
        "url": None,
        "fixable": rule.fixable,
    }
