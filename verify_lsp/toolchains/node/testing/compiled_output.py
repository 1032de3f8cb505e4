"""Do the tests read compiled output? Then they say nothing about a changed source until a build has run."""

import os
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.node.manifest import Package, folders_upward, read_text

_FILES_LIMIT = 500
_TEXT_LIMIT = 256 * 1024
_USUAL = frozenset({"dist", "build"})
_SOURCES = re.compile(r"\.[cm]?[jt]sx?$")
_TEST_NAME = re.compile(r"[._-](?:test|spec)\.[cm]?[jt]sx?$|^test\.[cm]?[jt]sx?$")
_TEST_FOLDERS = frozenset({"test", "tests", "__tests__", "spec", "specs"})
_SKIPPED_FOLDERS = frozenset({"node_modules", "coverage", "fixtures", "__fixtures__"})
_IMPORT = re.compile(r"""(?:\bfrom|\bimport|\brequire|\bimport\.meta\.resolve)\s*\(?\s*(['"])([^'"\n]{1,300})\1""")


def compiled_folder(project: Project, package: Package) -> tuple[str, bool] | None:
    """Return the folder of compiled output that test files import, and whether git ignores it.

    A folder that git does not ignore is compiled only if it bears one of the usual names: a committed `lib`
    is mostly source. None when no test file imports such a folder.
    """
    entries = tuple(_entries(package))
    for folder in dict.fromkeys(entry.split("/")[0] for entry in entries if "/" in entry):
        ignored = _ignored(project, folder)
        if (ignored or folder in _USUAL) and any(_imports(project, package, folder, entries)):
            return folder, ignored
    return None


def _entries(package: Package) -> Iterator[str]:
    """Yield the files that the package offers to others, and the usual folders that tests may name themselves."""
    main = package.data.get("main")
    for value in (main, package.data.get("module"), package.data.get("exports"), package.data.get("bin")):
        for entry in _strings(value):
            yield posixpath.normpath(entry)
    yield from (f"{folder}/" for folder in sorted(_USUAL))


def _strings(value: Any, depth: int = 6) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth and isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item, depth - 1)


def _imports(project: Project, package: Package, folder: str, entries: tuple[str, ...]) -> Iterator[bool]:
    """Yield True for each test file that imports from `folder`, by path or by the package's own name."""
    own_name_leads_there = any(entry.startswith(f"{folder}/") and not entry.endswith("/") for entry in entries)
    for path in _test_files(project.folder, folder):
        text = read_text(project.folder / path, _TEXT_LIMIT) or ""
        for _, wanted in _IMPORT.findall(text):
            if wanted.startswith("."):
                target = posixpath.normpath(posixpath.join(posixpath.dirname(path), wanted))
                if (
                    target.startswith(f"{folder}/")
                    or target == folder
                    or (own_name_leads_there and target in {".", "index"} and not _has_index(project.folder))
                ):
                    yield True
            elif own_name_leads_there and package.name and (wanted + "/").startswith(package.name + "/"):
                yield True


def _has_index(folder: Path) -> bool:
    return any((folder / f"index.{end}").is_file() for end in ("js", "mjs", "cjs", "ts", "mts", "cts", "tsx"))


def _test_files(folder: Path, compiled: str) -> Iterator[str]:
    found = 0
    for place, folders, files in os.walk(folder):
        inside = Path(place).relative_to(folder)
        folders[:] = sorted(
            name
            for name in folders
            if name not in _SKIPPED_FOLDERS and not name.startswith(".") and (inside / name).as_posix() != compiled
        )
        in_tests = not _TEST_FOLDERS.isdisjoint(inside.parts)
        for name in sorted(files):
            if _SOURCES.search(name) and (in_tests or _TEST_NAME.search(name)):
                yield (inside / name).as_posix()
                found += 1
                if found >= _FILES_LIMIT:
                    return


def _ignored(project: Project, folder: str) -> bool:
    """Read the plain lines of the `.gitignore` files from the project up to the workspace."""
    for above in folders_upward(project.place, project.root):
        relative = (project.folder / folder).relative_to(above).as_posix()
        for line in (read_text(above / ".gitignore") or "").splitlines():
            pattern = line.strip().rstrip("/*")
            if not pattern or pattern.startswith(("#", "!")):
                continue
            anchored = "/" in pattern
            expression = re.escape(pattern.lstrip("/")).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
            if re.fullmatch(expression if anchored else f"(?:.*/)?{expression}", relative):
                return True
    return False
