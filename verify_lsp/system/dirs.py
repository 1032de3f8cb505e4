"""The folders that verify-lsp keeps for itself, private to the user."""

import hashlib
import os
from pathlib import Path

APP = "verify-lsp"
HOME_VARIABLE = "VERIFY_LSP_HOME"


def state_dir() -> Path:
    """Where reports and the trust list live; `VERIFY_LSP_HOME` moves it. Nothing is created."""
    if home := os.environ.get(HOME_VARIABLE):
        return Path(home) / "state"
    import platformdirs

    return Path(platformdirs.user_state_dir(APP))


def cache_dir() -> Path:
    """Where what can be made again lives; `VERIFY_LSP_HOME` moves it. Nothing is created."""
    if home := os.environ.get(HOME_VARIABLE):
        return Path(home) / "cache"
    import platformdirs

    return Path(platformdirs.user_cache_dir(APP))


def workspace_hash(workspace: Path) -> str:
    """Return the name that a workspace's own folder bears: stable, and free of the path's text."""
    return hashlib.sha256(os.fsencode(workspace.resolve())).hexdigest()[:16]
