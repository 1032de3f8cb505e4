"""Which folder a command means."""

from pathlib import Path

from verify_lsp.model.errors import UsageError


def workspace_folder(given: str | None) -> Path:
    """Return the folder named, else the repository around the current folder, else the current folder.

    Raises:
        UsageError: The folder named does not exist.
    """
    if given is not None:
        folder = Path(given).expanduser()
        if not folder.is_dir():
            raise UsageError(f"no such folder: {given}")
        return folder.resolve()
    return folder_around(Path.cwd())


def folder_around(folder: Path) -> Path:
    """Return the repository around a folder, else the folder itself."""
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), folder)
