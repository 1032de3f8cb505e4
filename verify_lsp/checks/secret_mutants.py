"""Mutants beside secrets: what they replace is not said, in a finding as little as in a report."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import attrs

from verify_lsp.model.mutant import MutantResult

HIDDEN = "…"


def without_secrets(results: Sequence[MutantResult], texts: Mapping[str, str]) -> tuple[MutantResult, ...]:
    """Return the results; of a mutant on a line that holds a secret, neither what it replaces nor what by.

    Args:
        texts: The texts that the mutants were made from, by the mutants' paths.
    """
    lines: dict[str, set[int]] = {}
    for result in results:
        mutant = result.mutant
        lines.setdefault(mutant.path, set()).update(range(mutant.line, mutant.end_line + 1))
    secret = {path: _lines_with_secrets(path, texts.get(path, ""), frozenset(own)) for path, own in lines.items()}
    return tuple(_hidden(result, secret[result.mutant.path]) for result in results)


def load_rules(paths: Iterable[str]) -> None:
    """Load what texts at these paths are held against, so that `without_secrets` need not."""
    for path in paths:
        _lines_with_secrets(path, "\n", frozenset({1}))


def _hidden(result: MutantResult, secret: frozenset[int]) -> MutantResult:
    mutant = result.mutant
    if secret.isdisjoint(range(mutant.line, mutant.end_line + 1)):
        return result
    return attrs.evolve(result, mutant=attrs.evolve(mutant, original=HIDDEN, replacement=HIDDEN))


def _lines_with_secrets(path: str, text: str, lines: frozenset[int]) -> frozenset[int]:
    from verify_lsp.security.scan import scan_text

    found = scan_text(path, text, lines, rewrites=False)
    return frozenset(
        line
        for problem in found
        if problem.rule in _rules_on_secrets()
        for line in range(problem.line, (problem.end_line or problem.line) + 1)
    )


@cache
def _rules_on_secrets() -> frozenset[str]:
    from verify_lsp.security.rule import Assigned, Secret
    from verify_lsp.security.rules import rules

    return frozenset(rule.id for rule in rules() if any(isinstance(way, Secret | Assigned) for way in rule.match))
