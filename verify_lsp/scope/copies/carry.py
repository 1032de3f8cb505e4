"""What a shadow copy needs beside the tracked files: settings, generated code, installed packages, neighbours."""

import shutil
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs

from verify_lsp.scope.copies.disk import real_path
from verify_lsp.scope.copies.heavy import led, link_heavy, link_like
from verify_lsp.scope.names import listed

_CACHES = frozenset(
    {".git", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".tox", ".nox", ".DS_Store"}
)
_NEIGHBOURS = 500


@attrs.define
class Room:
    """How much more may be copied, so that no shadow copy fills a disk: a number of files, and bytes."""

    files: int = 20_000
    size: int = 256 * 1024 * 1024

    def take(self, files: int, size: int) -> bool:
        """Take the room for so many files of so many bytes together, if there is that much."""
        if files > self.files or size > self.size:
            return False
        self.files -= files
        self.size -= size
        return True


@attrs.frozen
class Carrier:
    """Brings files and folders of `source` into `target`, which has the tracked files already.

    Attributes:
        linked: Names of folders that are linked, wherever they are.
    """

    source: Path
    target: Path
    linked: frozenset[str]
    room: Room

    def carry(self, names: Iterable[str]) -> list[str]:
        """Bring `names` (relative; folders may end in a slash). Returns those that there was no room for."""
        left_out: list[str] = []
        for given in names:
            name = given.rstrip("/")
            if Path(name).name in _CACHES or not self._has_place_for(name):
                continue
            try:
                if not self._bring(name):
                    left_out.append(given)
            except OSError:
                left_out.append(given)
        return left_out

    def _has_place_for(self, name: str) -> bool:
        """Tell whether `name` is not there yet, and its folder is: as a folder, not through a link."""
        place = self.target / name
        return place.parent.is_dir() and real_path(place.parent) == place.parent and not _is_there(place)

    def _bring(self, name: str) -> bool:
        origin = self.source / name
        about = origin.lstat()
        if stat.S_ISREG(about.st_mode) and not self.room.take(1, about.st_size):
            return False
        if stat.S_ISDIR(about.st_mode) and not self._is_linked(name):
            entries = list(self._walk(name))
            if not self.room.take(len(entries), sum(size for _, size in entries)):
                return False
            (self.target / name).mkdir()
            for entry, _ in entries:
                (self.target / entry).parent.mkdir(parents=True, exist_ok=True)
                self._bring_one(entry)
        else:
            self._bring_one(name)
        return True

    def _bring_one(self, name: str) -> None:
        origin = self.source / name
        if origin.is_symlink():
            link_like(self.source, self.target, name)
        elif origin.is_dir():
            link_heavy(self.source, self.target, name)
        elif origin.is_file():
            shutil.copy2(origin, self.target / name, follow_symlinks=False)

    def _walk(self, name: str) -> Iterator[tuple[str, int]]:
        """Yield the files, links and linked folders below `name` with their sizes. Links are not followed."""
        for entry in (self.source / name).iterdir():
            path = f"{name}/{entry.name}"
            if entry.name in _CACHES:
                continue
            if entry.is_symlink() or not entry.is_dir():
                yield path, entry.lstat().st_size
            elif self._is_linked(path):
                yield path, 0
            else:
                yield from self._walk(path)

    def _is_linked(self, name: str) -> bool:
        return any(part in self.linked for part in name.split("/"))


def note_on(left_out: Iterable[str]) -> tuple[str, ...]:
    """Return what a reader should know of files that are missing where the commands run."""
    names = sorted(left_out)
    return (f"not copied to where the commands run, being too large or unreadable: {listed(names)}",) if names else ()


def mend_links(source: Path, target: Path, names: Iterable[str]) -> None:
    """Lead the tracked links `names` of the copy to what they mean: see `heavy.led`."""
    for name in names:
        link = target / name
        if link.is_symlink() and (mended := led(source, target, name, goal := str(link.readlink()))) != goal:
            link.unlink()
            link.symlink_to(mended)


def link_neighbours(source: Path, target: Path) -> None:
    """Link what stands beside `source` beside `target`, so that `../neighbour` is found; not out of a crowded folder."""
    try:
        entries = [entry for entry in source.parent.iterdir() if entry != source and not entry.name.startswith(".")]
    except OSError:
        return
    if len(entries) <= _NEIGHBOURS:
        for entry in entries:
            if not target.is_relative_to(entry):
                (target.parent / entry.name).symlink_to(entry)


def _is_there(path: Path) -> bool:
    return path.is_symlink() or path.exists()
