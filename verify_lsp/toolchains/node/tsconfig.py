"""Which TypeScript configurations a type check has to look at."""

import posixpath
from collections import deque
from pathlib import Path, PurePosixPath
from typing import Any

import attrs

from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.node.manifest import folders_upward, read_jsonc
from verify_lsp.toolchains.output import relative_path

_LIMIT = 100
TYPED = frozenset({".ts", ".tsx", ".mts", ".cts"})


@attrs.frozen
class Configs:
    """The configurations of a project.

    Attributes:
        leaves: Those that hold files, relative to the project's folder, the project's own first.
        linked: True when one of them refers to another, and so would need that one built.
    """

    leaves: tuple[str, ...]
    linked: bool


def find_configs(project: Project) -> Configs | None:
    """Return the project's configurations; None when it has none.

    These are the nearest `tsconfig.json` upward (or a `jsconfig.json` that asks for checks), what it refers
    to, and the nearest one of each changed TypeScript file below the project's folder.
    """
    queue = deque(path for path in (_own(project), *_nested(project)) if path is not None)
    leaves: dict[str, bool] = {}
    seen: set[str] = set()
    while queue and len(seen) < _LIMIT:
        path = queue.popleft()
        if path in seen:
            continue
        seen.add(path)
        config = read_jsonc(project.folder / path)
        references = _references(project, path, config)
        queue.extend(references)
        if not (references and config.get("files") == [] and "include" not in config):
            leaves[path] = bool(references)
    return Configs(tuple(leaves), any(leaves.values())) if leaves else None


def _own(project: Project) -> str | None:
    for folder in folders_upward(project.place, project.root):
        if (folder / "tsconfig.json").is_file():
            return _relative(project, folder / "tsconfig.json")
        options = _options(read_jsonc(folder / "jsconfig.json"))
        if options.get("checkJs") is True:
            return _relative(project, folder / "jsconfig.json")
    return None


def _nested(project: Project) -> list[str]:
    found: dict[str, None] = {}
    for path in project.changed:
        if PurePosixPath(path).suffix.lower() not in TYPED:
            continue
        for folder in PurePosixPath(path).parents:
            config = (folder / "tsconfig.json").as_posix()
            if folder.as_posix() != "." and (project.folder / config).is_file():
                found[config] = None
                break
    return list(found)


def _references(project: Project, path: str, config: Any) -> list[str]:
    listed = config.get("references") if isinstance(config, dict) else None
    found: list[str] = []
    for reference in listed if isinstance(listed, list) else ():
        target = reference.get("path") if isinstance(reference, dict) else None
        if not isinstance(target, str):
            continue
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        if (project.folder / joined).is_dir():
            joined = posixpath.join(joined, "tsconfig.json")
        if relative_path(str(project.folder / joined), project.place) is not None:
            found.append(joined)
    return found


def _options(config: Any) -> dict[str, Any]:
    options = config.get("compilerOptions") if isinstance(config, dict) else None
    return options if isinstance(options, dict) else {}


def _relative(project: Project, path: Path) -> str:
    return posixpath.relpath(path.as_posix(), project.folder.as_posix())
