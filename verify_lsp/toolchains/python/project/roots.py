"""Which folder is a Python project, and which Python files belong to it."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

MANIFESTS = ("pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "pytest.ini", "tox.ini", "requirements.txt")
"""Strongest first. Any `requirements*.txt` and `.pytest.ini` count as the last of them does."""

HEAVY = frozenset({".venv", "venv", "env", ".tox", ".nox", "node_modules", "__pypackages__"})
"""Folders that are installed, not written."""

MAX_FILES = 20_000

_REQUIREMENTS = re.compile(r"requirements.*\.(txt|in)")
# Such folders keep a list of packages or a tool's settings for their own use, inside a bigger project.
_PARTS_OF_PROJECTS = frozenset(
    {"test", "tests", "doc", "docs", "requirements", "example", "examples", "script", "scripts", "tools", "ci"}
)
_DECLARES_PROJECT = re.compile(r"^\s*\[\s*(project|tool\.poetry|tool\.flit\.metadata)\s*\]", re.MULTILINE)
_NOT_SOURCE = frozenset({"build", "dist", "site-packages", "__pycache__"})


def root_of(workspace: Path, path: str) -> str | None:
    """Return the nearest folder above `path` that is a project; the workspace itself for a loose file.

    A `tests` or `docs` folder is a project of its own only where it declares a package.
    """
    for folder in enclosing_folders(Path(path).parent.as_posix()):
        if folder == "." or is_root(workspace / folder):
            return folder
    return "."


def enclosing_folders(folder: str) -> Iterator[str]:
    """Yield `folder`, its parents, and at last "." (relative POSIX paths)."""
    path = Path(folder)
    yield from (parent.as_posix() for parent in (path, *path.parents) if parent.as_posix() != ".")
    yield "."


def is_root(folder: Path) -> bool:
    """Tell whether `folder` has a manifest that makes it a project."""
    if folder.name in _PARTS_OF_PROJECTS:
        return (folder / "setup.py").is_file() or bool(_DECLARES_PROJECT.search(_text(folder / "pyproject.toml")))
    if any((folder / name).is_file() for name in (*MANIFESTS, ".pytest.ini")):
        return True
    try:
        return any(_REQUIREMENTS.fullmatch(name) for name in os.listdir(folder))  # noqa: PTH208  # names are enough
    except OSError:
        return False


def python_files(folder: Path) -> Iterator[str]:
    """Yield the Python files below `folder` that a person may have written, as relative POSIX paths.

    Hidden folders, environments, build results and installed packages are left out. The order is fixed,
    and so is the number of files looked at (`MAX_FILES`), because a workspace may be a home folder.
    """
    seen = 0
    for current, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if _is_source(Path(current, name)))
        for name in sorted(files):
            seen += 1
            if seen > MAX_FILES:
                return
            if name.endswith((".py", ".pyw")):
                yield Path(current, name).relative_to(folder).as_posix()


def _is_source(folder: Path) -> bool:
    name = folder.name
    if name.startswith(".") or name in HEAVY or name in _NOT_SOURCE or name.endswith(".egg-info"):
        return False
    return not (folder / "pyvenv.cfg").is_file()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return ""
