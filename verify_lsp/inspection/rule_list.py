"""Every rule that a look at one text can raise, as it is listed on the command line and on the wire."""

from typing import Any

from verify_lsp.security.listing import listed_rules
from verify_lsp.verifiers.code.rules import RULES as CODE
from verify_lsp.verifiers.data.rules import RULES as DATA
from verify_lsp.verifiers.data.rules import DataRule


def every_rule() -> list[dict[str, Any]]:
    """Return the rules of the verifiers and the security rules, each with its public fields."""
    return [*(_listed(rule) for rule in (*CODE, *DATA)), *listed_rules()]


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
