"""Which languages a folder holds, by one file of each: enough to tell what it would be verified with."""

import os
from collections.abc import Iterator
from pathlib import Path

from verify_lsp.toolchains.base import Project, Toolchain

_DEEPEST = 6
_MOST_FOLDERS = 5000


def sample_projects(folder: Path, search_path: str, cache: Path) -> Iterator[tuple[Toolchain, Project]]:
    """Yield each language that `folder` holds with the project of one of its files, taken as changed."""
    from verify_lsp.toolchains.registry import TOOLCHAINS

    samples = _samples(folder, TOOLCHAINS)
    for toolchain in TOOLCHAINS:
        sample = samples.get(toolchain.language)
        root = None if sample is None else toolchain.tools.root_of(folder, sample)
        if sample is None or root is None:
            continue
        inside = sample if root == "." else sample.removeprefix(root + "/")
        yield toolchain, Project(folder, folder, root, (inside,), search_path, cache)


def _samples(folder: Path, toolchains: tuple[Toolchain, ...]) -> dict[str, str]:
    """Return a file of each language, the nearest to the top, without entering heavy or hidden folders."""
    heavy = {name for toolchain in toolchains for name in toolchain.heavy}
    found: dict[str, str] = {}
    level, looked_at = [folder], 0
    for _ in range(_DEEPEST + 1):
        below: list[Path] = []
        for where in level:
            looked_at += 1
            if len(found) == len(toolchains) or looked_at > _MOST_FOLDERS:
                return found
            folders, files = _content(where)
            inside = [where / name for name in folders if not name.startswith(".") and name not in heavy]
            below += [each for each in inside if not each.is_symlink()]
            for name in files:
                for toolchain in toolchains:
                    if Path(name).suffix.lower() in toolchain.extensions:
                        found.setdefault(toolchain.language, (where / name).relative_to(folder).as_posix())
        level = below
    return found


def _content(folder: Path) -> tuple[list[str], list[str]]:
    for _, folders, files in os.walk(folder):
        return sorted(folders), sorted(files)
    return [], []  # It cannot be read.
