"""The repository around a workspace folder, and how its tree, index and last commit differ."""

import os
from pathlib import Path

import attrs

from verify_lsp.model.errors import EngineError
from verify_lsp.scope.copies.disk import real_path
from verify_lsp.system.git import Answer, Git, open_git, sentence

EMPTY_TREES = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
EMPTY_FILES = {
    "sha1": "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "sha256": "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
}
GITLINK = "160000"
SYMLINK = "120000"


@attrs.frozen
class Repository:
    """A repository, seen from a folder in it.

    Attributes:
        git: At work in the workspace folder.
        root: Absolute folder of the repository's tree, symbolic links resolved.
        prefix: The workspace below `root`, POSIX style: empty, or ending in a slash.
        head: Full object name of the commit checked out; None before the first one.
        objects: How the repository names its objects: "sha1" or "sha256".
        shallow: True when the history is cut off.
    """

    git: Git
    root: Path
    prefix: str
    head: str | None
    objects: str
    shallow: bool

    @property
    def tree(self) -> str:
        """What "before" is held against: the last commit, or the empty tree."""
        return self.head or EMPTY_TREES[self.objects]

    @property
    def rooted(self) -> Git:
        """Git at work in the root of the tree."""
        return self.git.at(self.root)

    def within(self, name: bytes) -> bytes | None:
        """Return a name below the root as a name below the workspace; None when it is outside."""
        prefix = os.fsencode(self.prefix)
        return name[len(prefix) :] if name.startswith(prefix) else None

    async def path_of(self, name: str) -> Path:
        """Return where git keeps a file of its own, such as "index"."""
        answer = await self.git.read("rev-parse", "--git-path", name)
        return self.git.folder / os.fsdecode(answer.removesuffix(b"\n"))


@attrs.frozen
class Status:
    """How tree, index and last commit differ, over the whole repository. Names are below its root.

    Attributes:
        staged: Differs between the last commit and the index.
        unstaged: Differs between the index and the disk.
        untracked: Files that git does not know and does not ignore.
        nested: Folders of untracked repositories, with a trailing slash.
        unmerged: In conflict.
        gone: Names of the last commit that the index or the disk has no longer.
        intended: Announced with `git add --intent-to-add`, without content in the index.
    """

    staged: frozenset[bytes] = frozenset()
    unstaged: frozenset[bytes] = frozenset()
    untracked: tuple[bytes, ...] = ()
    nested: tuple[bytes, ...] = ()
    unmerged: tuple[bytes, ...] = ()
    gone: frozenset[bytes] = frozenset()
    intended: frozenset[bytes] = frozenset()

    @property
    def disk_is_index(self) -> bool:
        """True when the tree on disk is what the index says, and nothing more."""
        return not (self.unstaged or self.untracked or self.unmerged)

    @property
    def clean(self) -> bool:
        """True when the tree on disk is the last commit, and nothing more."""
        return self.disk_is_index and not self.staged

    def is_dirty_in(self, repository: Repository) -> bool:
        """Tell whether anything in the workspace differs from the last commit."""
        names = [*self.staged, *self.unstaged, *self.untracked, *self.unmerged]
        return any(repository.within(name) is not None for name in names)


async def find_repository(workspace: Path) -> Repository | None:
    """Return the repository that `workspace` is in, or None when it is in none.

    Raises:
        EngineError: There is one, but git cannot or must not read it.
    """
    git = await open_git(workspace)
    answer = await git.ask("rev-parse", "--is-inside-work-tree", "--show-toplevel")
    if answer.exit_code != 0:
        _complain_unless_absent(answer)
        return None
    inside, _, top = answer.output.partition(b"\n")
    if inside != b"true":
        raise EngineError(f"{workspace} is inside git's own folder, not in a tree of files")
    root, here = Path(os.fsdecode(top.removesuffix(b"\n"))), real_path(workspace)
    if not here.is_relative_to(root):
        raise EngineError(f"the repository of {workspace} keeps its files elsewhere, in {root}")
    prefix = "" if here == root else here.relative_to(root).as_posix() + "/"
    about = (await git.read("rev-parse", "--show-object-format", "--is-shallow-repository")).decode().split()
    head = await git.ask("rev-parse", "--quiet", "--verify", "HEAD^{commit}")
    return Repository(
        git=git,
        root=root,
        prefix=prefix,
        head=head.output.decode().strip() if head.exit_code == 0 else None,
        objects=about[0],
        shallow=about[1] == "true",
    )


async def read_unknown(repository: Repository) -> Status:
    """Ask git what it does not know in the workspace: `untracked`, `nested` and `unmerged`, and nothing else.

    Much cheaper than the whole status, which compares contents.
    """
    listing = ("ls-files", "-z", "-t", "--others", "--unmerged", "--exclude-standard", "--full-name")
    untracked, nested, unmerged = list[bytes](), list[bytes](), dict[bytes, None]()
    for entry in (await repository.git.read(*listing)).split(b"\0"):
        if entry.startswith(b"? "):
            (nested if entry.endswith(b"/") else untracked).append(entry[2:])
        elif entry:
            unmerged[entry.partition(b"\t")[2]] = None
    return Status(untracked=tuple(untracked), nested=tuple(nested), unmerged=tuple(unmerged))


async def submodules(repository: Repository) -> tuple[str, ...]:
    """Return the folders of the submodules that are checked out; () at once for a repository that names none."""
    if not (repository.root / ".gitmodules").is_file():
        return ()
    listing = await repository.rooted.read("ls-files", "-z", "--stage")
    names = (entry.partition(b"\t")[2] for entry in listing.split(b"\0") if entry.startswith(GITLINK.encode()))
    return tuple(name for name in map(os.fsdecode, names) if (repository.root / name / ".git").exists())


async def read_status(repository: Repository) -> Status:
    """Ask git once how tree, index and last commit differ."""
    output = await repository.rooted.read(
        "status",
        "--porcelain=v2",
        "-z",
        "--untracked-files=all",
        "--ignore-submodules=dirty",
        "--no-renames",
        "--ignored=no",
    )
    staged, unstaged, gone, intended = set[bytes](), set[bytes](), set[bytes](), set[bytes]()
    untracked, nested, unmerged = list[bytes](), list[bytes](), list[bytes]()
    for entry in output.split(b"\0"):
        kind, _, rest = entry.partition(b" ")
        if kind == b"?":
            (nested if rest.endswith(b"/") else untracked).append(rest)
        elif kind == b"u":
            unmerged.append(rest.split(b" ", 9)[9])
        elif kind == b"1":
            states, name = rest[:2], rest.split(b" ", 7)[7]
            if states[:1] != b".":
                staged.add(name)
            if states[1:] != b".":
                unstaged.add(name)
            if b"D" in states:
                gone.add(name)
            if states == b".A":
                intended.add(name)
    return Status(
        staged=frozenset(staged),
        unstaged=frozenset(unstaged),
        untracked=tuple(untracked),
        nested=tuple(nested),
        unmerged=tuple(unmerged),
        gone=frozenset(gone),
        intended=frozenset(intended),
    )


async def is_ignored(repository: Repository) -> bool:
    """Tell whether the repository around the workspace ignores it."""
    if not repository.prefix:
        return False
    return (await repository.rooted.ask("check-ignore", "--quiet", repository.prefix)).exit_code == 0


def _complain_unless_absent(answer: Answer) -> None:
    """Say what is wrong with the repository, unless there simply is none."""
    if "not a git repository" in answer.complaint and "(or any" in answer.complaint:
        return
    if "dubious ownership" in answer.complaint:
        raise EngineError(
            "git does not trust this repository, because another user owns it; "
            "add it to safe.directory in your own git configuration"
        )
    if "must be run in a work tree" in answer.complaint or "bare repository" in answer.complaint:
        raise EngineError("this is git's own folder or a bare repository: it has no tree of files to verify")
    raise EngineError(sentence("rev-parse", answer.complaint))
