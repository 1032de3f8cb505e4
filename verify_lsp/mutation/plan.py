"""Which mutants a change has room for, whatever its languages."""

from collections.abc import Collection
from posixpath import basename

from verify_lsp.judgement.files.behaviour import changes_behaviour
from verify_lsp.judgement.files.file_kinds import is_generated, is_test, is_vendored
from verify_lsp.model.change import Change, FileChange
from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.faults import RANK
from verify_lsp.mutation.languages import engine_for
from verify_lsp.mutation.select import select_mutants


def planned(change: Change, limit: int, paths: Collection[str] | None = None) -> tuple[Mutant, ...]:
    """Return the mutants to try in a change, at most `limit`, paths relative to the workspace.

    Args:
        paths: Only these files; None for all of them.
    """
    candidates = (
        mutant
        for file in change.files
        if (paths is None or file.path in paths) and is_mutable(file) and (engine := engine_for(file.path))
        for mutant in engine.mutants_of(file.path, file.after or "", {line.line for line in file.added_lines})
    )
    return select_mutants(candidates, limit, RANK)


def is_mutable(file: FileChange) -> bool:
    """Say whether a file of a change holds code of a language that mutants are made for, written by people."""
    engine = engine_for(file.path)
    if engine is None or file.after is None or not file.added_lines:
        return False
    if is_test(file.path) or is_generated(file) or is_vendored(file.path):
        return False
    if basename(file.path) in engine.run_by_tools:
        return False
    return changes_behaviour(file)
