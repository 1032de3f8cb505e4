"""Where a problem stands, as seen from the workspace."""

import posixpath

import attrs

from verify_lsp.model.finding import Problem


def in_workspace(problem: Problem, root: str) -> Problem:
    """Return a problem with its path relative to the workspace instead of the project's root."""
    if root == "." or not problem.path:
        return problem
    return attrs.evolve(problem, path=posixpath.normpath(f"{root}/{problem.path}"))
