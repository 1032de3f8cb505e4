"""Which Python a file is written for: the version of its project's interpreter, told without running it."""

import os
import re
import time
from pathlib import Path

import attrs

from verify_lsp.system.environment import search_path
from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.output import relative_path
from verify_lsp.toolchains.python.project.interpreter import Interpreter, find_interpreter
from verify_lsp.toolchains.python.project.roots import root_of


@attrs.frozen
class ProjectPython:
    """The interpreter of a project.

    Attributes:
        version: Major and minor; None where only the interpreter itself could tell.
        shown: How people know it: ".venv/bin/python", or its absolute path.
        own: True when it stands in the workspace, so that running it runs what the repository carries.
    """

    program: Path
    version: tuple[int, int] | None
    shown: str
    own: bool


def project_python(path: Path, workspace: Path | None) -> ProjectPython | None:
    """Return the interpreter of the project that the file `path` belongs to; None for a loose file or without one."""
    inside = relative_path(str(path), workspace) if workspace is not None else None
    if workspace is None or inside is None:
        return None
    root = root_of(workspace, inside) or "."
    project = Project(workspace, workspace, root, (), search_path(), workspace)
    interpreter = find_interpreter(project)
    if interpreter is None:
        return None
    own = relative_path(str(interpreter.program.parent), workspace) is not None
    return ProjectPython(interpreter.program, _version(interpreter), interpreter.shown, own)


class ProjectPythons:
    """The interpreters of the folders that were asked about lately: looking for one costs more than compiling a file."""

    def __init__(self, lasts_s: float = 5.0, limit: int = 256) -> None:
        """Look again after `lasts_s` seconds, as environments come and go; remember at most `limit` folders."""
        self._lasts_s, self._limit = lasts_s, limit
        self._found: dict[tuple[Path, Path | None], tuple[float, ProjectPython | None]] = {}

    def of(self, path: Path, workspace: Path | None) -> ProjectPython | None:
        """Return what `project_python` returns, or returned a moment ago."""
        key, now = (path.parent, workspace), time.monotonic()
        known = self._found.get(key)
        if known is not None and now < known[0]:
            return known[1]
        python = project_python(path, workspace)
        if len(self._found) >= self._limit:
            self._found.clear()
        self._found[key] = now + self._lasts_s, python
        return python


def _version(interpreter: Interpreter) -> tuple[int, int] | None:
    texts = [_recorded(interpreter.environment)] if interpreter.environment else []
    real = os.path.realpath(interpreter.program)
    texts += [re.sub(r"^python(?=\d)", "", Path(real).name)]
    texts += [folder.parent.name.removeprefix("python") for folder in interpreter.site_packages]
    for text in texts:
        if found := re.match(r"([23])\.(\d{1,2})(?!\d)", text):
            return int(found[1]), int(found[2])
    return None


def _recorded(environment: Path) -> str:
    """`venv` writes `version`, `virtualenv` and `uv` write `version_info`."""
    try:
        text = (environment / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    found = re.search(r"^version(?:_info)?\s*=\s*(\S+)", text, re.MULTILINE)
    return found[1] if found else ""
