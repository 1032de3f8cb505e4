"""The files that a request names."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import anyio.to_thread
import attrs

from verify_lsp.model.change import BaseRef, Change, HeadRef
from verify_lsp.model.errors import UsageError
from verify_lsp.model.scope import VerifyScope
from verify_lsp.scope.copies.disk import read_below, real_path, stat_below
from verify_lsp.scope.copies.heavy import HEAVY
from verify_lsp.scope.gitdiff.changes import Found, found, is_among, read_entries
from verify_lsp.scope.gitdiff.pairs import Pair, build_pairs
from verify_lsp.scope.lfs import without_stored
from verify_lsp.scope.names import is_inside, listed
from verify_lsp.scope.repository import Repository, read_status
from verify_lsp.scope.untracked import only_named
from verify_lsp.system.git import BIG_FILE

_FILES = 20_000
_UNSEEN = HEAVY | {".git", "__pycache__"}


@attrs.frozen
class Named:
    """Names in a workspace, relative to it: files, and folders with all that is in them."""

    names: frozenset[bytes]
    folders: tuple[bytes, ...]

    def __contains__(self, name: object) -> bool:
        """Tell whether a file is named, itself or by a folder."""
        return isinstance(name, bytes) and (name in self.names or name.startswith(self.folders))

    def missing(self, workspace: Path) -> set[bytes]:
        """Return the names that are not on disk."""
        return {name for name in self.names if stat_below(workspace, name) is None}


def read_names(scope: VerifyScope, workspace: Path) -> Named:
    """Return what a `files` scope names.

    Raises:
        UsageError: It names nothing, or something outside the workspace.
    """
    if not scope.files:
        raise UsageError("the scope `files` needs at least one file")
    names, folders = set[bytes](), list[bytes]()
    for file in scope.files:
        if not isinstance(file, str):
            raise UsageError("the scope `files` takes names of files, not their texts")
        name = os.fsencode(_inside(file, workspace))
        about = stat_below(workspace, name) if name else None
        if not name or (about is not None and (workspace / os.fsdecode(name)).is_dir()):
            folders.append(name + b"/" if name else b"")
        else:
            names.add(name)
    return Named(frozenset(names), tuple(folders))


def _inside(path: str, workspace: Path) -> str:
    """Return `path` relative to the workspace; links to folders on the way are resolved, the file itself is not."""
    root = real_path(workspace)
    joined = os.path.normpath(workspace / path)
    for base in (str(workspace), str(root)):
        if joined == base:
            return ""
    parent, name = os.path.split(joined)
    resolved = Path(os.path.realpath(parent)) / name  # A link that is named is meant itself.
    if not resolved.is_relative_to(root) or not is_inside(relative := resolved.relative_to(root).as_posix()):
        raise UsageError(f"{path} is not a path inside the workspace")
    return relative


async def named_files(scope: VerifyScope, workspace: Path, repository: Repository) -> Change:
    """Return the named files as they differ from the last commit. A file that is named counts even when it is ignored."""
    named = await anyio.to_thread.run_sync(read_names, scope, workspace)
    status = await read_status(repository)
    listing = await repository.git.read("ls-tree", "-r", "-z", "--name-only", repository.tree)
    committed = {name for name in listing.split(b"\0") if name}
    complain_of_missing(sorted(await anyio.to_thread.run_sync(named.missing, workspace) - committed))
    known = (repository.within(name) for name in (*status.untracked, *status.staged))
    wanted = {name for name in (*known, *committed) if name is not None and name in named} | named.names
    prefix = os.fsencode(repository.prefix)
    entries = await only_named(repository, {prefix + name for name in wanted}, status.gone)
    kept = [entry for entry in entries if is_among(entry[0], named)]
    result = await read_entries(repository.git, await without_stored(repository, kept), workspace)
    base = BaseRef("HEAD", repository.head) if repository.head is not None else None
    return Change(result.files, base, HeadRef(status.is_dirty_in(repository), repository.head), result.notes)


async def named_without_repository(scope: VerifyScope, workspace: Path) -> Change:
    """Return the named files of a workspace that is in no repository; each counts as added whole."""
    named = await anyio.to_thread.run_sync(read_names, scope, workspace)
    complain_of_missing(sorted(await anyio.to_thread.run_sync(named.missing, workspace)))
    pairs, large = await anyio.to_thread.run_sync(_pairs, named, workspace)
    result: Found = found(await build_pairs(pairs))
    notes = ["this folder is in no git repository, so that the files count as added whole"]
    if large:
        notes.append(f"not files, or larger than {BIG_FILE // 2**20} MiB, and left out: {listed(large)}")
    return Change(result.files, notes=(*notes, *result.notes))


def complain_of_missing(missing: Sequence[bytes]) -> None:
    """Raise a `UsageError` when named files are not there."""
    if missing:
        raise UsageError(f"there is no such file: {listed(missing)}")


def _pairs(named: Named, workspace: Path) -> tuple[list[Pair], list[str]]:
    pairs, large = list[Pair](), list[str]()
    names = {os.fsdecode(name) for name in named.names}
    for folder in named.folders:
        names.update(_files_below(workspace, os.fsdecode(folder)))
    if len(names) > _FILES:
        raise UsageError(f"these folders hold more than {_FILES} files; name fewer")
    for name in sorted(names):
        content = read_below(workspace, os.fsencode(name), BIG_FILE)
        if content is None:
            large.append(name)
        else:
            pairs.append(Pair(os.fsencode(name).decode("utf-8", "backslashreplace"), None, content))
    return pairs, large


def _files_below(workspace: Path, folder: str) -> Iterator[str]:
    """Yield the files below a folder, without installed packages and caches. Links are not followed."""
    for path, folders, files in os.walk(workspace / folder):
        folders[:] = [name for name in folders if name not in _UNSEEN]
        for file in files:
            yield (Path(path) / file).relative_to(workspace).as_posix()
