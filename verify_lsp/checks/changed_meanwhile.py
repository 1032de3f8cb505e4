"""Files of a change that somebody wrote to while the run was at work."""

from collections.abc import Collection
from pathlib import Path

import anyio

from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.model.change import FileChange
from verify_lsp.model.mutant import counted_text


async def changed_meanwhile(context: CheckContext, owner: ProjectOf, pinned: Collection[str]) -> str | None:
    """Return a file of the project that has not the text of the change any more, relative to the workspace, or None.

    Args:
        pinned: Files, relative to the project's root, of which the text of the change was used, whatever stood on disk.
    """
    root = owner.project.prefix
    own = {root + path for path in owner.project.changed if path not in pinned}
    files = [file for file in context.change.files if file.path in own]
    return await anyio.to_thread.run_sync(_first_other, context.place, files, context.begun)


def _first_other(place: Path, files: list[FileChange], begun: float) -> str | None:
    return next((file.path for file in files if _is_other(place / file.path, file.after, begun)), None)


def _is_other(path: Path, text: str | None, begun: float) -> bool:
    """Git's filters can make the text of a change differ from a file that nobody touched: so its time counts too."""
    if text is None:
        return False
    try:
        touched = path.stat().st_ctime > begun
        return touched and counted_text(path.read_bytes().decode("utf-8", "replace")) != counted_text(text)
    except OSError:
        return True
