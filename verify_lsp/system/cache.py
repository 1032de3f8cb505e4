"""What one workspace's runs keep to be quick the next time, and when it goes."""

import os
import time
from pathlib import Path

from verify_lsp.system.dirs import cache_dir, workspace_hash
from verify_lsp.system.files import remove_tree

KEPT_BASES = 8
"""Base commits whose measurements are kept for a workspace."""
UNUSED_LIMIT_S = 30 * 24 * 3600
"""Seconds after which the caches of a workspace that was not verified again are removed."""


def workspace_cache(workspace: Path) -> Path:
    """Return the folder of one workspace's caches. Nothing is created."""
    return _workspaces() / workspace_hash(workspace)


def prune(workspace: Path) -> None:
    """Note that this workspace is in use, and remove what is kept beyond its time. Never raises for a file's sake."""
    own = workspace_cache(workspace)
    if not own.is_dir():
        return
    os.utime(own)
    for folder in _by_age(own / "base")[KEPT_BASES:]:
        remove_tree(folder, own)
    oldest = time.time() - UNUSED_LIMIT_S
    for folder in _by_age(_workspaces()):
        if _modified(folder) < oldest:
            remove_tree(folder, _workspaces())


def _workspaces() -> Path:
    return cache_dir() / "workspaces"


def _by_age(folder: Path) -> list[Path]:
    """Return the folders in a folder, the youngest first."""
    try:
        inside = [path for path in folder.iterdir() if path.is_dir() and not path.is_symlink()]
    except OSError:
        return []
    return sorted(inside, key=_modified, reverse=True)


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return time.time()
