"""Python projects with an environment of their own, laid out without installing anything."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.harness.tool_runs import laid_out
from verify_lsp.toolchains.base import Project

VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"

# What a run of pytest needs; other plugins that are installed beside these tests only make it slow.
_PYTEST = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "xdist", "execnet", "pygments", "py")


def python_project(folder: Path, files: Mapping[str, str], *changed: str, root: str = ".") -> Project:
    """Lay out a workspace with a small environment: pytest and xdist."""
    project = bare_project(folder, files, *changed, root=root)
    small_environment(project.workspace)
    return project


def tooled_project(folder: Path, files: Mapping[str, str], *changed: str, root: str = ".") -> Project:
    """Lay out a workspace whose `.venv` is the environment that these tests run in, with all its tools."""
    project = bare_project(folder, files, *changed, root=root)
    (project.workspace / ".venv").symlink_to(sys.prefix)
    return project


def bare_project(
    folder: Path, files: Mapping[str, str], *changed: str, root: str = ".", path: str | None = None
) -> Project:
    """Lay out a workspace without an environment."""
    workspace = laid_out(folder / "workspace", files)
    found = os.environ["PATH"] if path is None else path
    return Project(workspace, workspace, root, changed, found, folder / "cache")


def copy_of(project: Project, files: Mapping[str, str], *changed: str) -> Project:
    """Return the project of a shadow copy with these files; its environment stays in the workspace."""
    copy = laid_out(project.workspace.parent / "copy", files)
    return Project(copy, project.workspace, project.root, changed, project.path, project.cache)


def small_environment(workspace: Path, packages: tuple[str, ...] = _PYTEST) -> Path:
    """Give a workspace a `.venv` that holds links to some packages; return its site-packages."""
    site = workspace / ".venv/lib" / VERSION / "site-packages"
    site.mkdir(parents=True)
    binaries = workspace / ".venv/bin"
    binaries.mkdir()
    base = Path(sys.base_prefix, "bin", VERSION)
    (binaries / "python").symlink_to(base)
    (workspace / ".venv/pyvenv.cfg").write_text(f"home = {base.parent}\ninclude-system-site-packages = false\n")
    for entry in Path(sys.prefix, "lib", VERSION, "site-packages").iterdir():
        name = entry.name.lower().removeprefix("pytest_")
        if name.split("-")[0].removesuffix(".py") in packages:
            (site / entry.name).symlink_to(entry)
    return site
