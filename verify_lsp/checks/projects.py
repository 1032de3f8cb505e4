"""Which projects a change touches."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

import attrs

from verify_lsp.checks.base import ProjectOf
from verify_lsp.checks.wording import listed
from verify_lsp.model.change import Change
from verify_lsp.toolchains.base import Project, Toolchain

# What no compiler, test or linter reads, as a rule: a change of it alone touches no project.
PROSE = frozenset({".md", ".rst", ".txt", ".adoc", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".pdf"})
_PROSE_NAMES = frozenset({"LICENSE", "NOTICE", "AUTHORS", "CODEOWNERS", ".gitignore", ".gitattributes"})


@attrs.frozen
class Surroundings:
    """Where the projects of a run live.

    Attributes:
        place: Where commands run; roots are looked for there, since the change may add or remove one.
        path: The PATH that tools are searched on.
        cache: Folder below which each project's tools get a private one.
    """

    workspace: Path
    place: Path
    path: str
    cache: Path


@attrs.frozen
class Touched:
    """What a change touches.

    Attributes:
        projects: Sorted by root, then in the toolchains' order.
        homeless: A sentence part for each language of which changed files belong to no project.
    """

    projects: tuple[ProjectOf, ...]
    homeless: tuple[str, ...] = ()


def projects_of(change: Change, toolchains: Iterable[Toolchain], around: Surroundings) -> Touched:
    """Return the projects that own the change's files.

    A file of a language belongs to the nearest root of that language. A file of no language (data,
    configuration) belongs to every language with a manifest above it, since tests may read it; prose does not.
    """
    owners: dict[tuple[int, str], tuple[Toolchain, list[str], list[str]]] = {}
    homeless: dict[str, list[str]] = {}
    for file in change.files:
        for rank, toolchain in enumerate(toolchains):
            root = _root(toolchain, around.place, file.path)
            if root is None:
                if _is_code(toolchain, file.path) and file.change != "deleted":
                    homeless.setdefault(toolchain.title, []).append(file.path)
                continue
            _, changed, deleted = owners.setdefault((rank, root), (toolchain, [], []))
            if _is_code(toolchain, file.path):
                inside = file.path if root == "." else file.path.removeprefix(root + "/")
                (deleted if file.change == "deleted" else changed).append(inside)
    found = sorted(owners.items(), key=lambda item: (item[0][1], item[0][0]))
    projects = tuple(
        ProjectOf(
            toolchain,
            Project(
                place=around.place,
                workspace=around.workspace,
                root=root,
                changed=tuple(changed),
                deleted=tuple(deleted),
                path=around.path,
                cache=around.cache / toolchain.language / _slug(root),
            ),
        )
        for (_, root), (toolchain, changed, deleted) in found
    )
    return Touched(projects, tuple(_without_home(title, files) for title, files in homeless.items()))


def _without_home(title: str, files: list[str]) -> str:
    verb = "belongs" if len(files) == 1 else "belong"
    return f"{listed(files)} {verb} to no {title} project"


def _root(toolchain: Toolchain, place: Path, path: str) -> str | None:
    if _is_code(toolchain, path):
        return toolchain.tools.root_of(place, path)
    if is_prose(path) or not any(_has_manifest(toolchain, place / folder) for folder in _folders_above(path)):
        return None
    return toolchain.tools.root_of(place, path)


def is_prose(path: str) -> bool:
    """Return whether a file is text or pictures for people only."""
    name = PurePosixPath(path)
    return name.suffix.lower() in PROSE or name.name in _PROSE_NAMES


def _is_code(toolchain: Toolchain, path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in toolchain.extensions


def _has_manifest(toolchain: Toolchain, folder: Path) -> bool:
    return any((folder / name).is_file() for name in toolchain.manifests)


def _folders_above(path: str) -> Iterator[str]:
    return (str(folder) for folder in PurePosixPath(path).parents)


def _slug(root: str) -> str:
    return "root" if root == "." else re.sub(r"[^A-Za-z0-9_.-]+", "-", root)
