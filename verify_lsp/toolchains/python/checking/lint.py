"""Which linter looks at the changed files: the one that the project configures, else ruff where it is there."""

from collections.abc import Iterator
from pathlib import Path

from verify_lsp.toolchains.base import Absent, ProblemStep, Project
from verify_lsp.toolchains.python.checking import flake8, pylint, ruff
from verify_lsp.toolchains.python.checking.answers import find_program
from verify_lsp.toolchains.python.project.interpreter import Interpreter, find_interpreter
from verify_lsp.toolchains.python.project.roots import enclosing_folders

_SUFFIXES = (".py", ".pyi", ".pyw")


def lint(project: Project, timeout_s: float) -> ProblemStep | Absent:
    """Return the step for the changed files."""
    paths = tuple(path for path in project.changed if path.endswith(_SUFFIXES))
    if not paths:
        return Absent("no Python file was changed", needless=True)
    interpreter = find_interpreter(project)
    configured = list(_configured(project))
    for name in configured or ["ruff"]:
        step = _step(name, project, interpreter, paths, timeout_s)
        if step is not None:
            return step
    if configured:
        verb = "are" if len(configured) > 1 else "is"
        return Absent(f"{' and '.join(configured)} {verb} configured, but not installed", needless=False)
    return Absent("no linter is configured", needless=True)


def _configured(project: Project) -> Iterator[str]:
    folders: list[Path] = [project.place / folder for folder in enclosing_folders(project.root)]
    for name, module in (("ruff", ruff), ("flake8", flake8), ("pylint", pylint)):
        if any(module.is_configured(folder) for folder in folders):
            yield name


def _step(
    name: str, project: Project, interpreter: Interpreter | None, paths: tuple[str, ...], timeout_s: float
) -> ProblemStep | None:
    if name == "ruff":
        program = find_program(project, interpreter, "ruff")
        return ruff.ruff_lint_step(project, program, paths, timeout_s) if program is not None else None
    if interpreter is None or not interpreter.has(name):
        return None
    if name == "flake8":
        return flake8.flake8_step(project, interpreter, paths, timeout_s)
    return pylint.pylint_step(project, interpreter, paths, timeout_s)
