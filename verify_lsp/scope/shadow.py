"""Shadow copies: private folders with the wanted content, for commands to run in.

A copy holds the whole repository, not only the workspace, so that paths lead where they lead at home. It is a
repository of its own: its `.git` borrows the objects of the user's and shares nothing else, so that tools which ask
git get an answer and nothing is written into the user's.
"""

import os
import stat
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio.to_thread
import attrs

from verify_lsp.model.errors import EngineError
from verify_lsp.scope.copies.carry import Carrier, Room, link_neighbours, mend_links, note_on
from verify_lsp.scope.copies.disk import copy_below, read_below, real_path, remove_below, stat_below, write_below
from verify_lsp.scope.copies.folder import private_folder
from verify_lsp.scope.copies.heavy import HEAVY
from verify_lsp.scope.lfs import fill_pointers, uses_lfs
from verify_lsp.scope.names import quote
from verify_lsp.scope.repository import GITLINK, SYMLINK, Repository, Status, find_repository, read_status
from verify_lsp.system.git import Git

_WHOLE_FOLDER = Room(files=20_000, size=1024**3)
_SMALL_FILE = 1024 * 1024


@attrs.frozen
class Shadow:
    """A shadow copy. `place` stands for the workspace; `notes` say what is missing in it."""

    place: Path
    notes: tuple[str, ...] = ()


@attrs.frozen
class Edit:
    """One file to be put into a copy, relative to the workspace. Without content it is removed.

    Attributes:
        executable: None to leave that as it is.
    """

    path: str
    content: bytes | None
    executable: bool | None = None


@attrs.frozen
class Wanted:
    """What a copy shall hold.

    Attributes:
        commit: A commit or tree; None for the index.
        disk: Bring what differs on disk too, and leave out nothing that is there.
        edits: Changes on top of that.
        linked: Names of folders to link instead of copying, beside the usual ones.
    """

    commit: str | None = None
    disk: bool = False
    edits: Sequence[Edit] = ()
    linked: frozenset[str] = frozenset()


@asynccontextmanager
async def shadow_copy(repository: Repository, status: Status, wanted: Wanted) -> AsyncIterator[Shadow]:
    """Lay out a copy of the repository, and remove it on exit.

    Raises:
        EngineError: It cannot be laid out: no room, an object is missing.
    """
    async with private_folder() as folder:
        target = folder / (repository.root.name or "root")
        left_out = await _lay_out(repository, status, target, wanted)
        await anyio.to_thread.run_sync(link_neighbours, repository.root, target)
        place = target / repository.prefix
        await anyio.to_thread.run_sync(_edit, place, wanted.edits)
        yield Shadow(place, note_on(left_out))


@asynccontextmanager
async def folder_copy(workspace: Path, edits: Sequence[Edit], linked: frozenset[str]) -> AsyncIterator[Shadow]:
    """Copy a workspace that is in no repository, and remove the copy on exit."""

    def lay_out(source: Path, target: Path) -> tuple[str, ...]:
        target.mkdir()
        carrier = Carrier(source, target, HEAVY | linked, attrs.evolve(_WHOLE_FOLDER))
        left_out = carrier.carry(sorted(entry.name for entry in source.iterdir()))
        link_neighbours(source, target)
        _edit(target, edits)
        return note_on(left_out)

    source = await anyio.to_thread.run_sync(real_path, workspace)
    async with private_folder() as folder:
        target = folder / (source.name or "root")
        yield Shadow(target, await anyio.to_thread.run_sync(lay_out, source, target))


async def _lay_out(repository: Repository, status: Status, target: Path, wanted: Wanted) -> list[str]:
    """Lay out one repository at `target`. Returns what was left out."""
    git = await _private_repository(repository, target, wanted.commit or repository.head)
    if wanted.commit is not None:
        await git.read("read-tree", wanted.commit)
    elif entries := await _index_entries(repository, status):
        await git.read("update-index", "-z", "--index-info", stdin=entries)
    await git.read("checkout-index", "--all", "--force", "--quiet", "--index")
    if wanted.disk:
        await anyio.to_thread.run_sync(_bring_disk, repository.root, target, status)
    submodules, links = await _special_entries(git)
    await anyio.to_thread.run_sync(mend_links, repository.root, target, links)
    left_out = await _lay_out_submodules(repository, target, submodules, wanted)
    room = Room()
    if await anyio.to_thread.run_sync(uses_lfs, target):
        pointers = (await git.read("ls-files", "-z", ":(attr:filter=lfs)")).split(b"\0")
        left_out += await anyio.to_thread.run_sync(fill_pointers, repository.root, target, pointers, room)
    listing = ("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")
    ignored = _names(await repository.rooted.read(*listing))
    folders = [os.fsdecode(name) for name in status.nested] if wanted.disk else []
    carrier = Carrier(repository.root, target, HEAVY | wanted.linked, room)
    return left_out + await anyio.to_thread.run_sync(carrier.carry, [*ignored, *folders])


async def _private_repository(repository: Repository, target: Path, head: str | None) -> Git:
    """Make a repository at `target` that borrows the objects and stands at `head`; return git for it."""
    objects = await repository.path_of("objects")
    shallow = await repository.path_of("shallow")
    attributes = await repository.path_of("info/attributes")
    refs = await repository.git.read("for-each-ref", "--format=%(objectname) %(refname)")

    def make() -> None:
        own = target / ".git"
        for folder in ("objects/info", "refs/heads", "info"):
            (own / folder).mkdir(parents=True)
        (own / "HEAD").write_text(f"{head}\n" if head else "ref: refs/heads/main\n")
        (own / "config").write_text(_config(repository.objects))
        (own / "packed-refs").write_bytes(refs)
        (own / "objects/info/alternates").write_bytes(quote(os.fsencode(real_path(objects))) + b"\n")
        for source, name in ((shallow, "shallow"), (attributes, "info/attributes")):
            if (content := read_below(source.parent, os.fsencode(source.name), _SMALL_FILE)) is not None:
                (own / name).write_bytes(content)

    await anyio.to_thread.run_sync(make)
    return repository.git.at(target)


def _config(objects: str) -> str:
    version = 0 if objects == "sha1" else 1
    lines = ["[core]", f"\trepositoryformatversion = {version}", "\tbare = false", "\tfilemode = true"]
    return "\n".join([*lines, *([] if version == 0 else ["[extensions]", f"\tobjectFormat = {objects}"]), ""])


async def _index_entries(repository: Repository, status: Status) -> bytes:
    """Return the index as `update-index` takes it, without what is only announced in it."""
    entries = (await repository.rooted.read("ls-files", "--stage", "-z")).split(b"\0")
    if not status.intended and not status.unmerged:
        return b"\0".join(entries)
    absent = status.intended.union(status.unmerged)
    return b"\0".join(entry for entry in entries if entry.partition(b"\t")[2] not in absent)


async def _special_entries(git: Git) -> tuple[dict[str, str], list[str]]:
    """Return the submodules of a laid-out index (folder to commit) and its symbolic links."""
    submodules, links = dict[str, str](), list[str]()
    for entry in (await git.read("ls-files", "--stage", "-z")).split(b"\0"):
        if entry.startswith((GITLINK.encode(), SYMLINK.encode())):
            about, _, name = entry.partition(b"\t")
            if entry.startswith(SYMLINK.encode()):
                links.append(os.fsdecode(name))
            else:
                submodules[os.fsdecode(name)] = about.split(b" ")[1].decode()
    return submodules, links


async def _lay_out_submodules(
    repository: Repository, target: Path, submodules: dict[str, str], wanted: Wanted
) -> list[str]:
    """Lay out each submodule that is checked out at home, at the commit that is wanted."""
    left_out: list[str] = []
    for name, commit in submodules.items():
        home = repository.root / name
        inner = await _repository_at(home)
        if inner is None:
            continue  # Not checked out at home, and so neither in the copy.
        if not await anyio.to_thread.run_sync(_is_folder, target, name):
            continue
        status = await read_status(inner) if wanted.disk else Status()
        own = attrs.evolve(wanted, commit=inner.head if wanted.disk else commit, edits=())
        try:
            left_out += [f"{name}/{entry}" for entry in await _lay_out(inner, status, target / name, own)]
        except EngineError:
            left_out.append(name)
    return left_out


def _is_folder(root: Path, name: str) -> bool:
    """Tell whether `name` is a folder below `root`, reached without a link; it is made where nothing is."""
    folder = root / name
    if real_path(folder.parent) != folder.parent or folder.is_symlink():
        return False
    folder.mkdir(exist_ok=True)
    return True


async def _repository_at(folder: Path) -> Repository | None:
    """Return the repository whose root is just here; the one around it does not count."""
    if not await anyio.to_thread.run_sync(lambda: (folder / ".git").exists() and not folder.is_symlink()):
        return None
    try:
        repository = await find_repository(folder)
    except EngineError:
        return None
    return repository if repository is not None and not repository.prefix else None


def _bring_disk(source: Path, target: Path, status: Status) -> None:
    """Bring what differs from the index on disk; what is gone there goes here too."""
    for name in (*status.unstaged, *status.unmerged):
        remove_below(target, name)
    for name in (*status.unstaged, *status.unmerged, *status.untracked):
        copy_below(source, target, name)


def _edit(place: Path, edits: Iterable[Edit]) -> None:
    place.mkdir(parents=True, exist_ok=True)
    for edit in edits:
        name = os.fsencode(edit.path)
        if edit.content is None:
            remove_below(place, name)
        else:
            about = stat_below(place, name) if edit.executable is None else None
            was = about is not None and bool(about.st_mode & stat.S_IXUSR)
            write_below(place, name, edit.content, executable=was if edit.executable is None else edit.executable)


def _names(listing: bytes) -> list[str]:
    return [os.fsdecode(name) for name in listing.split(b"\0") if name]
