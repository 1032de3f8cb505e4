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
from verify_lsp.scope.changeset import change_set
from verify_lsp.scope.copies.disk import read_below
from verify_lsp.scope.encoding import decoded
from verify_lsp.scope.gitdiff.changes import Found, differences, found, is_among, read_changes, read_entries
from verify_lsp.scope.gitdiff.pairs import Pair, build_pairs
from verify_lsp.scope.lfs import without_stored
from verify_lsp.scope.named import complain_of_missing, named_without_repository, read_names
from verify_lsp.scope.names import listed, unquote
from verify_lsp.scope.repository import Repository, Status, find_repository, is_ignored, read_status, read_unknown
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
        async with change_set(scope, workspace, repository, linked) as (change, place):
            yield Resolution(change, place, shadow=place != workspace)
        return
    if scope.kind == "session":
        yield Resolution(await _session(scope, workspace, repository, sessions), workspace, shadow=False)
        return
    if repository is None:
        if scope.kind != "files":
            raise EngineError(f"{workspace} is not in a git repository")
        yield Resolution(await named_without_repository(scope, workspace), workspace, shadow=False)
        return
    if scope.kind in ("working-tree", "files"):
        read = _files if scope.kind == "files" else _working_tree
        yield Resolution(await read(scope, workspace, repository), workspace, shadow=False)
        return
    status = await read_status(repository)
    change, wanted = await _committed(scope, (repository, status), default_base)
    if wanted is None:
        yield Resolution(change, workspace, shadow=False)
        return
    async with shadow_copy(repository, status, attrs.evolve(wanted, linked=linked)) as shadow:
        change = attrs.evolve(change, notes=(*change.notes, *shadow.notes))
        yield Resolution(change, shadow.place, shadow=True)


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


async def _working_tree(_: VerifyScope, workspace: Path, repository: Repository) -> Change:
    unknown = await read_unknown(repository)
    known = await differences(repository.git, ("diff-index", repository.tree))
    untracked, notes = await anyio.to_thread.run_sync(worth_reading, repository, unknown.untracked)
    entries = await with_untracked(repository, known, unknown, untracked)
    entries = await without_stored(repository, entries)
    result = await read_entries(repository.git, entries, workspace)
    if unknown.nested:
        notes = (*notes, f"repositories of their own, and not part of this one: {listed(unknown.nested)}")
    if not entries and await is_ignored(repository):
        notes = (*notes, f"the repository in {repository.root} ignores this folder, so that nothing in it is in scope")
    return _against_head(repository, result, notes, dirty=bool(entries or unknown.untracked))


async def _files(scope: VerifyScope, workspace: Path, repository: Repository) -> Change:
    named = await anyio.to_thread.run_sync(read_names, scope, workspace)
    unknown = await read_unknown(repository)
    known = await differences(repository.git, ("diff-index", repository.tree))
    prefix = os.fsencode(repository.prefix)
    tracked = frozenset((await repository.git.read("ls-files", "-z")).split(b"\0"))
    untracked = [name for name in unknown.untracked if name[len(prefix) :] in named]
    # A file that is ignored is verified all the same when it is named.
    asked = named.names - tracked - {name[len(prefix) :] for name in untracked}
    absent = await anyio.to_thread.run_sync(named.missing, workspace)
    untracked += [prefix + name for name in sorted(asked.difference(absent))]
    entries = await with_untracked(repository, known, unknown, untracked)
    entries = await without_stored(repository, entries)
    kept = [entry for entry in entries if is_among(entry[0], named)]
    result = await read_entries(repository.git, kept, workspace)
    gone = {os.fsencode(path) for file in result.files for path in (file.path, file.old_path) if path is not None}
    complain_of_missing([name for name in absent if name not in gone and name not in tracked])
    return _against_head(repository, result, (), dirty=bool(entries or unknown.untracked))


async def _committed(
    scope: VerifyScope, where: tuple[Repository, Status], default_base: str | None
) -> tuple[Change, Wanted | None]:
    """Return the change, and what a copy must hold when the tree on disk is not what is verified."""
    repository, status = where
    if scope.kind == "staged":
        return await _staged(repository, status), None if status.disk_is_index else Wanted()
    change = await _branch(scope, repository, status, default_base)
    return change, None if status.clean else Wanted(commit=repository.head)


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
