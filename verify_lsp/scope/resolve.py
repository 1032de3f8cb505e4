"""From the scope a caller asks for to the change it means, and the place where commands see that change."""

import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import anyio.to_thread
import attrs

from verify_lsp.model.change import BaseRef, Change, FileChange, HeadRef
from verify_lsp.model.errors import EngineError
from verify_lsp.model.scope import VerifyScope
from verify_lsp.scope.branch import find_base
from verify_lsp.scope.copies.disk import read_below
from verify_lsp.scope.encoding import decoded
from verify_lsp.scope.gitdiff.changes import Found, differences, found, read_changes, read_entries
from verify_lsp.scope.gitdiff.pairs import Pair, build_pairs
from verify_lsp.scope.lfs import without_stored
from verify_lsp.scope.named import named_files, named_without_repository
from verify_lsp.scope.names import listed, unquote
from verify_lsp.scope.repository import (
    Repository,
    Status,
    find_repository,
    is_ignored,
    read_status,
    read_unknown,
    submodules,
)
from verify_lsp.scope.shadow import Edit, Wanted, folder_copy, shadow_copy
from verify_lsp.scope.untracked import with_untracked, worth_reading
from verify_lsp.system.git import BIG_FILE

SessionSource = Callable[[str, tuple[str, ...] | None], Mapping[str, bytes | None] | None]
"""Maps a session, and perhaps some of its changes, to the content of each file before them (None: no file).

Returns None for a session that nobody knows.
"""


@attrs.frozen
class Resolution:
    """A change, and where commands see it.

    Attributes:
        place: Absolute folder that commands run in; it stands for the workspace.
        shadow: True when `place` is a copy that is gone on exit.
    """

    change: Change
    place: Path
    shadow: bool


@asynccontextmanager
async def resolved(
    scope: VerifyScope,
    workspace: Path,
    *,
    default_base: str | None = None,
    linked: frozenset[str] = frozenset(),
    sessions: SessionSource | None = None,
) -> AsyncIterator[Resolution]:
    """Yield what `scope` means in the folder `workspace`. A shadow copy lasts until exit.

    Args:
        scope: What the caller asked for.
        workspace: Absolute folder.
        default_base: What a branch is held against when the scope does not say.
        linked: Names of folders that a shadow copy links instead of copying, beside the usual ones.
        sessions: Where sessions are recorded.

    Raises:
        UsageError: The scope itself is wrong: nothing named, names outside the workspace, no diff in the diff.
        EngineError: It cannot be resolved here: no repository, no base, a change that does not fit.
    """
    if not await anyio.to_thread.run_sync(workspace.is_dir):
        raise EngineError(f"there is no folder {workspace}")
    repository = await find_repository(workspace)
    if scope.kind == "change-set":
        from verify_lsp.scope.changeset import change_set

        async with change_set(scope, workspace, repository, linked) as (change, place):
            yield Resolution(change, place, shadow=place != workspace)
    elif scope.kind in ("staged", "branch"):
        if repository is None:
            raise _no_repository(workspace)
        async with _committed(scope, workspace, repository, default_base, linked) as resolution:
            yield resolution
    else:
        yield Resolution(await _on_disk(scope, workspace, repository, sessions), workspace, shadow=False)


@asynccontextmanager
async def base_tree(change: Change, workspace: Path, linked: frozenset[str] = frozenset()) -> AsyncIterator[Path]:
    """Lay out what was before the change, and yield the folder that stands for the workspace then.

    That is the base commit; for a change without one, what is on disk with the texts before put in.

    Raises:
        EngineError: A text before is not known, or the copy cannot be made.
    """
    repository = await find_repository(workspace)
    if repository is not None and change.base is not None:
        wanted = Wanted(commit=change.base.sha, linked=linked)
        async with shadow_copy(repository, Status(), wanted) as shadow:
            yield shadow.place
        return
    edits = await anyio.to_thread.run_sync(_undoing, change.files, workspace)
    if repository is None:
        async with folder_copy(workspace, edits, linked) as shadow:
            yield shadow.place
        return
    status = await read_status(repository)
    async with shadow_copy(repository, status, Wanted(disk=True, edits=edits, linked=linked)) as shadow:
        yield shadow.place


@asynccontextmanager
async def disk_copy(workspace: Path, linked: frozenset[str] = frozenset()) -> AsyncIterator[Path]:
    """Lay out what is on disk a second time, for tools that would write into the tree, and yield the copy's folder.

    Raises:
        EngineError: The copy cannot be made.
    """
    repository = await find_repository(workspace)
    if repository is None:
        async with folder_copy(workspace, (), linked) as shadow:
            yield shadow.place
        return
    status = await read_status(repository)
    async with shadow_copy(repository, status, Wanted(disk=True, linked=linked)) as shadow:
        yield shadow.place


async def _on_disk(
    scope: VerifyScope, workspace: Path, repository: Repository | None, sessions: SessionSource | None
) -> Change:
    """Return a change whose after side is what is on disk."""
    if scope.kind == "session":
        return await _session(scope, workspace, repository, sessions)
    if scope.kind == "files":
        if repository is None:
            return await named_without_repository(scope, workspace)
        return await named_files(scope, workspace, repository)
    if repository is None:
        raise _no_repository(workspace)
    return await _working_tree(workspace, repository)


def _no_repository(workspace: Path) -> EngineError:
    return EngineError(f"{workspace} is not in a git repository")


async def _working_tree(workspace: Path, repository: Repository) -> Change:
    unknown = await read_unknown(repository)
    known = await differences(repository.git, ("diff-index", repository.tree))
    untracked, notes = await anyio.to_thread.run_sync(worth_reading, repository, unknown.untracked)
    entries = await with_untracked(repository, known, unknown, untracked)
    entries = await without_stored(repository, entries)
    result = await read_entries(repository.git, entries, workspace)
    if unknown.nested:
        notes = (*notes, f"repositories of their own, and not part of this one: {listed(unknown.nested)}")
    if inner := await submodules(repository):
        notes = (
            *notes,
            f"submodules are verified on their own, and what is uncommitted in them is not in scope: {listed(inner)}",
        )
    if not entries and await is_ignored(repository):
        notes = (*notes, f"the repository in {repository.root} ignores this folder, so that nothing in it is in scope")
    return _against_head(repository, result, notes, dirty=bool(entries or unknown.untracked))


@asynccontextmanager
async def _committed(
    scope: VerifyScope, workspace: Path, repository: Repository, default_base: str | None, linked: frozenset[str]
) -> AsyncIterator[Resolution]:
    """Yield what is in the index or in HEAD, in the tree when that holds just this, else in a copy."""
    status = await read_status(repository)
    if scope.kind == "staged":
        change, commit, is_there = await _staged(repository, status), None, status.disk_is_index
    else:
        change, commit = await _branch(scope, repository, status, default_base), repository.head
        is_there = status.clean
    if is_there:
        yield Resolution(change, workspace, shadow=False)
        return
    async with shadow_copy(repository, status, Wanted(commit=commit, linked=linked)) as shadow:
        yield Resolution(attrs.evolve(change, notes=(*change.notes, *shadow.notes)), shadow.place, shadow=True)


async def _staged(repository: Repository, status: Status) -> Change:
    if status.unmerged:
        raise EngineError(f"files are in conflict, so that nothing definite is staged: {listed(status.unmerged)}")
    announced = {repository.within(name) for name in status.intended}
    entries = await differences(repository.git, ("diff-index", "--cached", "--ita-invisible-in-index", repository.tree))
    result = await read_entries(
        repository.git, [entry for entry in entries if unquote(entry[0].new_name) not in announced]
    )
    return _against_head(repository, result, (), dirty=status.is_dirty_in(repository))


async def _branch(scope: VerifyScope, repository: Repository, status: Status, default_base: str | None) -> Change:
    base = await find_base(repository, scope.base, default_base)
    result = await read_changes(repository.git, ("diff-tree", "-r", base.ref.sha, repository.tree))
    notes = [*base.notes, *result.notes]
    if status.is_dirty_in(repository):
        notes.append("what is not committed is not part of this scope")
    head = HeadRef(status.is_dirty_in(repository), repository.head)
    return Change(result.files, base.ref, head, tuple(notes))


async def _session(
    scope: VerifyScope, workspace: Path, repository: Repository | None, sessions: SessionSource | None
) -> Change:
    before = sessions(scope.session_id or "", scope.change_ids) if sessions is not None else None
    if before is None:
        raise EngineError("no session is recorded here")

    def read_pairs() -> list[Pair]:
        return [
            Pair(path, content, read_below(workspace, os.fsencode(path), BIG_FILE)) for path, content in before.items()
        ]

    pairs = await anyio.to_thread.run_sync(read_pairs)
    result = found(await build_pairs([pair for pair in pairs if pair.differs]))
    if repository is None:
        return Change(result.files, notes=result.notes)
    dirty = (await read_status(repository)).is_dirty_in(repository)
    return Change(result.files, head=HeadRef(dirty, repository.head), notes=result.notes)


def _against_head(repository: Repository, result: Found, notes: tuple[str, ...], *, dirty: bool) -> Change:
    base = BaseRef("HEAD", repository.head) if repository.head is not None else None
    return Change(result.files, base, HeadRef(dirty, repository.head), (*notes, *result.notes))


def _undoing(files: tuple[FileChange, ...], workspace: Path) -> list[Edit]:
    """Return what turns the files on disk into those before the change."""
    edits: list[Edit] = []
    for file in files:
        if file.old_path is not None or file.change == "added":
            edits.append(Edit(file.path, None))
        if file.change in ("added", "copied"):
            continue
        if file.before is None:
            raise EngineError(f"the text of {file.path} before the change is not known")
        path = file.old_path or file.path
        _, encoding, _ = decoded(path, read_below(workspace, os.fsencode(file.path), BIG_FILE) or b"")
        edits.append(Edit(path, file.before.encode(encoding, "replace")))
    return edits
