"""Which tool checks the whole project: the configured type checker, else something that proves less and says so."""

import functools
from collections.abc import Callable
from pathlib import Path

import attrs

from verify_lsp.toolchains.base import Absent, ProblemStep, Project
from verify_lsp.toolchains.python.checking.compiling import compile_step
from verify_lsp.toolchains.python.checking.mypy import mypy_is_configured, mypy_step
from verify_lsp.toolchains.python.checking.pyright import (
    basedpyright_is_configured,
    pyright_is_configured,
    pyright_step,
)
from verify_lsp.toolchains.python.checking.ruff import ruff_errors_step
from verify_lsp.toolchains.python.checking.ty import ty_is_configured, ty_step
from verify_lsp.toolchains.python.project.interpreter import Interpreter, find_interpreter
from verify_lsp.toolchains.python.project.roots import enclosing_folders


@attrs.frozen
class Checker:
    """A type checker.

    Attributes:
        is_configured: Tells for a folder.
        step: The step, or None where the checker is not installed.
    """

    name: str
    is_configured: Callable[[Path], bool]
    step: Callable[[Project, Interpreter, float], ProblemStep | None]


CHECKERS: tuple[Checker, ...] = (
    Checker("basedpyright", basedpyright_is_configured, functools.partial(pyright_step, names=("basedpyright",))),
    Checker("pyright", pyright_is_configured, functools.partial(pyright_step, names=("pyright", "basedpyright"))),
    Checker("mypy", mypy_is_configured, mypy_step),
    Checker("ty", ty_is_configured, ty_step),
)
"""Where a project configures several, the first that is installed checks it."""


def project_check(project: Project, timeout_s: float) -> ProblemStep | Absent:
    """Return the step for the whole project."""
    configured = [checker for checker in CHECKERS if _is_configured(checker, project)]
    interpreter = find_interpreter(project)
    if interpreter is not None:
        for checker in configured:
            step = checker.step(project, interpreter, timeout_s)
            if step is not None:
                return step
    step = ruff_errors_step(project, interpreter, timeout_s)
    if step is None and interpreter is not None:
        step = compile_step(project, interpreter, timeout_s)
    missing = " and ".join(checker.name for checker in configured)
    if step is None:
        why = f"neither {missing} nor Python is installed" if missing else "there is no Python to compile with"
        return Absent(why, needless=False)
    if not missing:
        return step
    verb = "are" if len(configured) > 1 else "is"
    return attrs.evolve(step, unverified=(f"types, because {missing} {verb} configured, but not installed",))


def _is_configured(checker: Checker, project: Project) -> bool:
    """A monorepo may configure its checker once, at the top; it is then run over the project alone."""
    return any(checker.is_configured(project.place / folder) for folder in enclosing_folders(project.root))
