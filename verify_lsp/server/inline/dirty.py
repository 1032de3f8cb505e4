"""Which files differ from the last commit: of files that nobody has open, only these are looked at."""

import os
from pathlib import Path

from verify_lsp.model.errors import EngineError
from verify_lsp.scope.repository import Repository, find_repository, read_status
from verify_lsp.server.texts.uris import key_of


async def dirty_files(folder: Path) -> frozenset[str] | None:
    """Return the keys of the files below `folder` that are new or changed; None where no repository can tell."""
    try:
        repository = await find_repository(folder)
        return None if repository is None else await _dirty(repository)
    except EngineError:
        return None


async def _dirty(repository: Repository) -> frozenset[str]:
    status = await read_status(repository)
    names = {*status.staged, *status.unstaged, *status.untracked, *status.unmerged} - status.gone
    root = Path(key_of(repository.root))
    return frozenset(str(root / os.fsdecode(name)) for name in names if repository.within(name) is not None)
