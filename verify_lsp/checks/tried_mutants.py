"""Mutants and what became of them, in the shape that a report keeps."""

from collections.abc import Iterable

from verify_lsp.checks.base import ProjectOf
from verify_lsp.judgement.plain_text import one_line
from verify_lsp.model.mutant import MutantResult, TriedMutant

NAMES_KEPT = 10
"""So many of the tests that run over a mutant are named; their number is told in any case."""

_NAME, _REASON = 300, 500


def tried_mutants(owner: ProjectOf, results: Iterable[MutantResult]) -> tuple[TriedMutant, ...]:
    """Return the mutants of a project with paths relative to the workspace; foreign text is made fit to be shown."""
    return tuple(_tried(owner.project.prefix, result) for result in results)


def _tried(root: str, result: MutantResult) -> TriedMutant:
    mutant = result.mutant
    return TriedMutant(
        path=root + mutant.path,
        line=mutant.line,
        column=mutant.column,
        end_line=mutant.end_line,
        end_column=mutant.end_column,
        operator=mutant.operator,
        original=mutant.original,
        replacement=mutant.replacement,
        status=result.status,
        function=mutant.function,
        tests=result.tests,
        covered_by=tuple(one_line(name, _NAME) for name in result.covered_by[:NAMES_KEPT]),
        killed_by=None if result.killed_by is None else one_line(result.killed_by, _NAME),
        reason=None if result.reason is None else one_line(result.reason, _REASON),
    )
