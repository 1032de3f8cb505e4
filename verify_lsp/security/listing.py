"""The rules as they are listed on the command line and on the wire."""

from typing import Any

from verify_lsp.security.rule import Rule
from verify_lsp.security.rules import rules


def listed_rules() -> list[dict[str, Any]]:
    """Return every rule with its public fields, family by family. `url` is the page below the project's root."""
    return [_listed(rule) for rule in rules()]


def _listed(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "title": rule.title,
        "severity": rule.severity,
        "languages": list(rule.languages),
        "description": rule.description or f"{rule.message}.",
        "suggestion": rule.suggestion,
        "cwe": list(rule.cwe),
        "url": rule.url,
        "fixable": rule.fixable,
    }
