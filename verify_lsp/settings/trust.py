"""Which folders the user trusts: whose commands may be run without being asked for.

The list lies in the user's state folder. Nothing that a repository carries can add to it.
"""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

from verify_lsp.model.errors import EngineError
from verify_lsp.system.dirs import state_dir
from verify_lsp.system.files import because, read_bytes_if_there, write_private
from verify_lsp.system.locks import short_lock

_VERSION = 1
_MAX_BYTES = 1024 * 1024


def is_trusted(workspace: Path) -> bool:
    """Say whether `workspace` or a folder above it is trusted. A list that cannot be read trusts nothing."""
    try:
        return trusting_folder(workspace) is not None
    except EngineError:
        return False


def trusting_folder(workspace: Path) -> Path | None:
    """Return the trusted folder that covers `workspace`, the nearest one, or None.

    A list that lies inside of the workspace is not believed: whoever wrote the workspace could have written it.

    Raises:
        EngineError: The list is damaged, or others than the user could have written it.
    """
    folder = workspace.resolve()
    if _list_path().resolve().is_relative_to(folder):
        return None
    covering = [trusted for trusted in trusted_folders() if folder.is_relative_to(trusted)]
    return max(covering, key=lambda trusted: len(trusted.parts), default=None)


def trusted_folders() -> tuple[Path, ...]:
    """Return the trusted folders, absolute and free of links, sorted.

    Raises:
        EngineError: As `trusting_folder`.
    """
    path = _list_path()
    content = read_bytes_if_there(path, _MAX_BYTES)
    if content is None:
        return ()
    _check_owner(path)
    folders = _folders(content)
    if folders is None:
        raise EngineError(f"the trust list {path} is damaged, so nothing is trusted; remove it to begin anew")
    return folders


def list_stamp() -> tuple[int, ...]:
    """Return what tells one state of the list from another; () while there is none."""
    try:
        status = _list_path().stat()
    except OSError:
        return ()
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_mode, status.st_uid


def trust(workspace: Path) -> None:
    """Trust the folder `workspace`, where its links lead now, and all folders below it.

    Raises:
        EngineError: It is no folder, or the list cannot be read or written.
    """
    folder = workspace.resolve()
    if not folder.is_dir():
        raise EngineError(f"no such folder: {workspace}")
    _change(lambda folders: folders | {folder})


def untrust(workspace: Path) -> None:
    """Take `workspace` and the folders below it off the list; a trusted folder above it goes on covering it.

    Raises:
        EngineError: The list cannot be read or written.
    """
    folder = workspace.resolve()
    _change(lambda folders: {trusted for trusted in folders if not trusted.is_relative_to(folder)})


def _change(change: Callable[[set[Path]], set[Path]]) -> None:
    path = _list_path()
    with short_lock(path.with_suffix(".lock")):
        before = set(trusted_folders())
        after = change(set(before))
        if after != before:
            data = {"version": _VERSION, "folders": sorted(map(str, after))}
            write_private(path, json.dumps(data, indent=2) + "\n")


def _list_path() -> Path:
    return state_dir() / "trust.json"


def _folders(content: bytes) -> tuple[Path, ...] | None:
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return None
    match data:
        case {"version": int(version), "folders": [*folders]} if version == _VERSION:
            paths = [Path(folder) for folder in folders if isinstance(folder, str)]
            whole = len(paths) == len(folders) and all(path.is_absolute() for path in paths)
            return tuple(sorted(paths)) if whole else None
        case _:
            return None


def _check_owner(path: Path) -> None:
    try:
        status = path.stat()
    except OSError as error:
        raise EngineError(because(f"cannot read {path}", error)) from error
    if hasattr(os, "geteuid") and (status.st_uid not in {os.geteuid(), 0} or stat.S_IMODE(status.st_mode) & 0o022):
        raise EngineError(f"others than you can write the trust list {path}, so nothing is trusted; remove it")
