"""From a mutant and its project to the test that is still to be written."""

from collections.abc import Mapping
from pathlib import Path

from verify_lsp.model.mutant import TriedMutant
from verify_lsp.mutation.skeletons import go, javascript, python, rust
from verify_lsp.mutation.skeletons.base import Ground, Skeleton
from verify_lsp.mutation.skeletons.ground import ground_of
from verify_lsp.syntax.languages import language_of


def skeleton_in(workspace: Path, mutant: TriedMutant, texts: Mapping[str, str]) -> Skeleton | None:
    """Return the test for a mutant of a workspace, see `ground_of`; None where there is no place for one."""
    ground = ground_of(workspace, mutant.path, texts)
    return None if ground is None else skeleton_for(mutant, ground)


def skeleton_for(mutant: TriedMutant, ground: Ground) -> Skeleton | None:
    """Return a test that fails until somebody writes what it must tell apart; None where there is no place for it."""
    match language_of(mutant.path):
        case "python":
            return python.skeleton(mutant, ground)
        case "go":
            return go.skeleton(mutant, ground)
        case "rust":
            return rust.skeleton(mutant, ground)
        case "javascript" | "typescript" | "tsx":
            return javascript.skeleton(mutant, ground)
        case _:
            return None
