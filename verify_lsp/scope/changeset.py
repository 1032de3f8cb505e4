"""A given change held against the workspace: is it what is on disk, or where would it go?"""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path

import anyio.to_thread
import attrs

from verify_lsp.model.change import BaseRef, Change, HeadRef
from verify_lsp.model.scope import VerifyScope
from verify_lsp.scope.copies.disk import read_below
from verify_lsp.scope.gitdiff.changes import found, read_blobs
from verify_lsp.scope.gitdiff.pairs import Pair, build_pairs
from verify_lsp.scope.given import GivenFile, Misfit, Reader, check_inside, fitted, given_files, misfit_error, moved
from verify_lsp.scope.repository import Repository, Status, read_status
from verify_lsp.scope.shadow import Edit, Shadow, Wanted, folder_copy, shadow_copy
from verify_lsp.system.git import BIG_FILE


@attrs.frozen
class Fit:
    """Where a given change fits.

    Attributes:
        pairs: Its files with both sides.
        applied: True when its after side is what is on disk.
        on_disk: True when it goes on top of what is on disk, False when on top of the last commit.
        from_head: True when its before side is the last commit's.
    """

    pairs: tuple[Pair, ...]
    applied: bool
    on_disk: bool
    from_head: bool


@asynccontextmanager
async def change_set(
    scope: VerifyScope, workspace: Path, repository: Repository | None, linked: frozenset[str]
) -> AsyncIterator[tuple[Change, Path]]:
    """Yield the change and the folder where it can be seen at work: the workspace, or a shadow copy of it.

    Raises:
        UsageError: The request holds no change, or names files outside the workspace.
        EngineError: The change fits neither what is on disk nor the last commit.
    """
    readings = given_files(scope)
    for file in readings[0]:
        check_inside(file)
    if repository is not None and scope.diff is not None:
        # Git names files from the root of the repository, wherever it runs.
        readings = (*(there for files in readings if (there := moved(files, repository.prefix))), *readings)
    at_head = await _head_reader(repository, readings)
    fit = await anyio.to_thread.run_sync(_fit, readings, partial(_on_disk, workspace), at_head)
    status = await read_status(repository) if repository is not None else Status()
    result = found(await build_pairs([pair for pair in fit.pairs if pair.differs]))
    change = Change(
        files=result.files,
        base=BaseRef("HEAD", repository.head) if repository and repository.head and fit.from_head else None,
        head=HeadRef(status.is_dirty_in(repository), repository.head) if repository is not None else None,
        notes=result.notes,
    )
    if fit.applied:
        yield change, workspace
        return
    async with _copy(fit, workspace, (repository, status), linked) as shadow:
        yield attrs.evolve(change, notes=(*change.notes, *shadow.notes)), shadow.place


def _copy(
    fit: Fit, workspace: Path, where: tuple[Repository | None, Status], linked: frozenset[str]
) -> AbstractAsyncContextManager[Shadow]:
    edits = [Edit(pair.old_path, None) for pair in fit.pairs if pair.old_path is not None and pair.kind != "copied"]
    edits += [
        Edit(
            pair.path, pair.after, executable=pair.new_mode.endswith("755") if pair.old_mode != pair.new_mode else None
        )
        for pair in fit.pairs
    ]
    repository, status = where
    if repository is None:
        return folder_copy(workspace, edits, linked)
    commit = None if fit.on_disk else repository.tree
    return shadow_copy(repository, status, Wanted(commit=commit, disk=fit.on_disk, edits=edits, linked=linked))


def _fit(readings: Sequence[Sequence[GivenFile]], disk: Reader, head: Reader | None) -> Fit:
    """Return the first fit: what is on disk already, then on top of the disk, then on top of the last commit."""
    misfits: list[str] = []
    for files in readings:
        try:
            pairs = fitted(files, disk, "after")
            return Fit(pairs, applied=True, on_disk=True, from_head=_is_from(pairs, head))
        except Misfit:
            pass
    for read in (disk, head):
        for files in readings if read is not None else ():
            try:
                pairs = fitted(files, read, "before") if read is not None else ()
            except Misfit as misfit:
                misfits.append(str(misfit))
            else:
                return Fit(pairs, applied=False, on_disk=read is disk, from_head=_is_from(pairs, head))
    raise misfit_error(min(misfits, key=len))  # Of several readings of a name, the shortest is the one meant.


def _is_from(pairs: Sequence[Pair], head: Reader | None) -> bool:
    return head is not None and all(head(pair.old_path or pair.path) == pair.before for pair in pairs)


def _on_disk(workspace: Path, path: str) -> bytes | None:
    return read_below(workspace, path.encode("utf-8", "surrogateescape"), BIG_FILE)


async def _head_reader(repository: Repository | None, readings: Sequence[Sequence[GivenFile]]) -> Reader | None:
    """Return a reader of the last commit, for the files that are named."""
    if repository is None:
        return None
    wanted = {path for files in readings for file in files for path in (file.path, file.source)}
    objects: dict[str, str] = {}
    listing = await repository.git.read("ls-tree", "-r", "-z", repository.tree)
    for entry in listing.split(b"\0"):
        about, _, name = entry.partition(b"\t")
        path = name.decode("utf-8", "surrogateescape")
        if path in wanted and about.startswith(b"100"):
            objects[path] = about.split(b" ")[2].decode()
    blobs = await read_blobs(repository.git, objects.values(), BIG_FILE)
    contents = {path: blobs.contents.get(name) for path, name in objects.items()}
    return contents.get
