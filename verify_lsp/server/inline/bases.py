"""What files say at the last commit, so that rules speak of added lines alone."""

import os
from collections import OrderedDict
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.inspection.added import added_lines
from verify_lsp.model.errors import EngineError
from verify_lsp.scope.encoding import decoded
from verify_lsp.server.texts.disk import stamp_of
from verify_lsp.system.git import Git, open_git

_KEPT = 512

Head = tuple[Any, ...]
_LARGEST = 4 << 20


@attrs.frozen
class Base:
    """One file at the last commit.

    Attributes:
        text: None for a file that the commit does not have, or that lies in no repository: all of it is new.
        ignored: True for a file that git is told not to look at.
        commit: The commit; None before the first one, and outside of a repository.
    """

    text: str | None = None
    ignored: bool = False
    commit: str | None = None

    def added(self, present: str) -> frozenset[int] | None:
        """Return the lines of `present` that are new; None for all."""
        return frozenset() if self.ignored else added_lines(self.text, present)


class Bases:
    """The texts at the last commit of the files that were asked for lately."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Base] = OrderedDict()
        self._heads: dict[str, Head] = {}

    def known(self, key: str) -> Base | None:
        """Return what is known of a file, which may be of an older commit; None when it was never asked for."""
        return self._known.get(key)

    async def learn(self, key: str) -> bool:
        """Ask git what the file says at the last commit, and return whether that is news."""
        head, before = head_of(Path(key)), self._known.get(key)
        if before is not None and self._heads.get(key) == head:
            return False
        base = await _read(Path(key))
        self._known[key], self._heads[key] = base, head
        self._known.move_to_end(key)
        while len(self._known) > _KEPT:
            oldest, _ = self._known.popitem(last=False)
            self._heads.pop(oldest, None)
        return before is not None and (base.text, base.ignored) != (before.text, before.ignored)


def head_of(path: Path) -> Head:
    """Return what tells the commit under a file from another, without asking git: its files that every commit touches."""
    for folder in path.parents:
        dot_git = folder / ".git"
        if (own := stamp_of(str(dot_git))) is not None:
            git = _git_folder(dot_git)
            ref = _beginning(git / "HEAD").removeprefix("ref: ").strip()
            common = git / (_beginning(git / "commondir").strip() or ".")
            names = ("HEAD", "logs/HEAD"), ("packed-refs", "reftable/tables.list", ref)
            places = [*(git / name for name in names[0]), *(common / name for name in names[1])]
            return (str(dot_git), own, *(stamp_of(str(place)) for place in places))
    return ()


def _git_folder(dot_git: Path) -> Path:
    """Return git's own folder; of a worktree or a submodule, `.git` is a file that names it."""
    named = _beginning(dot_git).partition("gitdir:")[2].strip()
    return dot_git.parent / named if named else dot_git


def _beginning(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(4096)
    except (OSError, ValueError):
        return ""


async def _read(path: Path) -> Base:
    if not path.is_absolute() or not path.parent.is_dir():
        return Base()
    try:
        git = await open_git(path.parent)
        return await _committed(git, path)
    except EngineError:
        # Without git, or where it must not read: all of the file counts as new, as in no repository.
        return Base()


async def _committed(git: Git, path: Path) -> Base:
    if "\n" in path.name:
        return Base()
    names = b"HEAD^{commit}\nHEAD:./" + os.fsencode(path.name) + b"\n"
    answer = await git.ask("cat-file", "--batch-check", stdin=names)
    heads = answer.output.split(b"\n")
    if answer.exit_code != 0 or len(heads) < 2:
        return Base()
    commit = heads[0].split()[0].decode() if heads[0].split()[1:2] == [b"commit"] else None
    blob = heads[1].split()
    if blob[1:2] == [b"blob"] and int(blob[2]) <= _LARGEST:
        content = await git.read("cat-file", "blob", blob[0].decode())
        return Base(decoded(path.name, content)[0], commit=commit)
    ignored = await git.ask("check-ignore", "--quiet", "--", path.name)
    return Base(ignored=ignored.exit_code == 0, commit=commit)
