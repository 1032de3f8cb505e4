"""Which files differ from the last commit: of files that nobody has open, only these are looked at."""

import os
from collections.abc import Iterator
from pathlib import Path

from verify_lsp.model.errors import EngineError
from verify_lsp.scope.repository import Repository, find_repository, read_status
from verify_lsp.server.texts.uris import key_of

_WALKED = 10_000

NOT_OURS = frozenset(
    [
        ".git",
        ".hg",
        ".svn",
        ".jj",
        "node_modules",
        ".venv",
        "venv",
        ".tox",
        ".nox",
        "__pycache__",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".hypothesis",
        "target",
        ".gradle",
        ".terraform",
        ".idea",
        ".next",
        ".nuxt",
        ".turbo",
        ".yarn",
        ".pnpm-store",
    ]
)
"""Folders of tools, in which nobody writes by hand."""


async def dirty_files(folder: Path) -> frozenset[str] | None:
    """Return the keys of the files below `folder` that are new or changed; None where no repository can tell."""
    try:
        repository = await find_repository(folder)
        return None if repository is None else await _dirty(repository)
    except EngineError:
        return None


def repository_around(folder: Path, workspace: Path) -> Path:
    """Return the innermost repository below `workspace` that holds `folder`; `workspace` where it has none inside."""
    inside = (each for each in (folder, *folder.parents) if each != workspace and each.is_relative_to(workspace))
    return next((each for each in inside if (each / ".git").exists()), workspace)


async def _dirty(repository: Repository) -> frozenset[str]:
    status = await read_status(repository)
    names = {*status.staged, *status.unstaged, *status.untracked, *status.unmerged} - status.gone
    root = Path(key_of(repository.root))
    return frozenset(str(root / os.fsdecode(name)) for name in names if repository.within(name) is not None)


def files_below(folder: Path) -> Iterator[str]:
    """Yield the files of a folder that is no repository, up to as many as can be looked at in a moment."""
    count = 0
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in NOT_OURS]
        yield from (str(Path(place, name)) for name in names)
        count += len(names) + len(folders)
        if count > _WALKED:
            return
