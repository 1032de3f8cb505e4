"""What of a project's tools is installed, and where."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from verify_lsp.toolchains.base import Absent, Project
from verify_lsp.toolchains.node.manifest import Package, folders_upward, read_json
from verify_lsp.toolchains.node.package_manager import package_manager


def program_folders(project: Project) -> tuple[str, ...]:
    """Return the `node_modules/.bin` folders that a package manager would put in front of PATH, nearest first."""
    found = (folder / "node_modules" / ".bin" for folder in _folders(project))
    return tuple(str(folder) for folder in found if folder.is_dir())


def find_own_program(project: Project, name: str) -> str | None:
    """Return the absolute path of a program that the project or a folder above it has installed."""
    folders = program_folders(project)
    return shutil.which(name, path=os.pathsep.join(folders)) if folders else None


def package_folder(project: Project, name: str) -> Path | None:
    """Return the folder of an installed package, as Node would find it from the project's folder."""
    candidates = (folder / "node_modules" / name for folder in _folders(project))
    return next((folder for folder in candidates if (folder / "package.json").is_file()), None)


def version_of(project: Project, name: str) -> tuple[int, ...] | None:
    """Return the version of an installed package as numbers, such as (9, 39, 1)."""
    folder = package_folder(project, name)
    data = read_json(folder / "package.json") if folder else None
    version = data.get("version") if isinstance(data, dict) else None
    numbers = re.match(r"(\d+)\.(\d+)\.(\d+)", version) if isinstance(version, str) else None
    return tuple(int(number) for number in numbers.groups()) if numbers else None


def missing_dependencies(project: Project, package: Package | None) -> Absent | None:
    """Say that the dependencies are not installed, when some are declared and nothing at all is installed."""
    if package is None or not package.dependencies:
        return None
    for folder in _folders(project):
        if (folder / "node_modules").is_dir() or (folder / ".pnp.cjs").is_file():
            return None
    return Absent(f"dependencies are not installed ({install_hint(project)})", needless=False)


def not_installed(project: Project, name: str) -> Absent:
    """Say that a tool which the project uses is not installed."""
    return Absent(f"{name} is not installed ({install_hint(project)})", needless=False)


def install_hint(project: Project) -> str:
    """Return how to install what the project declares."""
    return f"run {package_manager(project).chosen} install"


def _folders(project: Project) -> Iterator[Path]:
    """A shadow copy may link only some `node_modules`, so the user's own folders follow."""
    yield from folders_upward(project.place, project.root)
    if project.workspace != project.place:
        yield from folders_upward(project.workspace, project.root)
