"""Which packages of a module have tests that could run a changed file, by what Go files import."""

import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath

import attrs

from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.go.constraints import build_context, not_built
from verify_lsp.toolchains.go.module import package_folder

_FOREIGN = frozenset({"vendor", "testdata"})
_MAX_BYTES = 4_000_000
_MOST = 200
"""More packages than this are not named one by one."""


@attrs.define
class _Package:
    imports: set[str] = attrs.field(factory=set)
    tests_import: set[str] = attrs.field(factory=set)
    has_tests: bool = False
    starts_programs: bool = False


def packages_that_reach(project: Project, module: str) -> tuple[str, ...]:
    """Return what `go` is given to run all tests that could reach the changed files: "./..." where that is simplest.

    Tests reach what their programs are linked from. Those that start other programs could reach anything.
    """
    packages = _packages(project, module)
    reached = _importing({str(PurePosixPath(path).parent) for path in project.changed}, packages)
    chosen = sorted(
        folder
        for folder, package in packages.items()
        if package.has_tests and (folder in reached or not reached.isdisjoint(package.tests_import))
    )
    if not 0 < len(chosen) <= _MOST:
        return ("./...",)
    return tuple("." if folder == "." else f"./{folder}" for folder in chosen)


def go_files(folder: Path) -> Iterator[Path]:
    """Yield the Go files of the module in a folder, without those of modules within it."""
    for place, names, files in os.walk(folder):
        here = Path(place)
        names[:] = sorted(
            name
            for name in names
            if name not in _FOREIGN and name[0] not in "_." and not (here / name / "go.mod").is_file()
        )
        for name in sorted(files):
            file = here / name
            if name.endswith(".go") and name[0] not in "_." and _is_readable(file):
                yield file


def _is_readable(file: Path) -> bool:
    try:
        return file.stat().st_size <= _MAX_BYTES and os.access(file, os.R_OK)
    except OSError:
        return False


def _packages(project: Project, module: str) -> dict[str, _Package]:
    """Return the packages that are built here, by folder. Any mention of a package counts as an import of it."""
    folder, context = project.folder.resolve(), build_context(project)
    found: dict[str, _Package] = {}
    for file in go_files(folder):
        path = file.relative_to(folder)
        if not_built(folder, path.as_posix(), context):
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        package = found.setdefault(path.parent.as_posix(), _Package())
        names = re.findall(rf'"({re.escape(module)}(?:/[^"\s]*)?)"', text)
        folders = {inside for name in names if (inside := package_folder(name, module)) is not None}
        is_test = file.name.endswith("_test.go")
        (package.tests_import if is_test else package.imports).update(folders)
        package.has_tests |= is_test
        package.starts_programs |= '"os/exec"' in text
    return found


def _importing(changed: Collection[str], packages: dict[str, _Package]) -> set[str]:
    """Return the packages that lead to a changed one, with these themselves."""
    reached = {*changed, *(folder for folder, package in packages.items() if package.starts_programs)}
    while True:
        more = {
            folder
            for folder, package in packages.items()
            if folder not in reached and not reached.isdisjoint(package.imports)
        }
        if not more:
            return reached
        reached |= more
