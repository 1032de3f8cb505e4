"""What names all that a built-in mutant's fate depends on, so that it need not be tried again."""

import hashlib
import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from verify_lsp.model.mutant import Mutant
from verify_lsp.scope.copies.heavy import HEAVY

_MOST_FILES, _MOST_BYTES = 20_000, 256 * 1024 * 1024
_PIECE = 1024 * 1024


def keys_of(mutants: Mapping[int, Mutant], place: Path, prefix: str, heavy: Collection[str]) -> dict[int, str]:
    """Return a key for each mutant, by number: of its function, its place in it, and every file beside the changed ones.

    Nothing is returned for a folder that is too large to be read each time, or that cannot be read.

    Args:
        place: Absolute folder of the verified content.
        prefix: Of the mutants' paths within `place`; empty, or ending in "/".
        heavy: Names of folders that tools fill, and that do not count.
    """
    own = {prefix + mutant.path for mutant in mutants.values()}
    around = _digest(place, own, HEAVY.union(heavy))
    if around is None:
        return {}
    return {number: _key(mutant, around) for number, mutant in mutants.items() if mutant.scope}


def _key(mutant: Mutant, around: str) -> str:
    parts = (mutant.path, mutant.scope, mutant.replacement, around)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _digest(place: Path, left_out: Collection[str], heavy: Collection[str]) -> str | None:
    total = hashlib.sha256()
    files = size = 0
    try:
        for path in _files(str(place), heavy):
            name = os.path.relpath(path, place)
            if name in left_out:
                continue
            files += 1
            with open(path, "rb") as file:  # noqa: PTH123  # thousands of them, by names that are no valid text
                own = hashlib.sha256()
                while piece := file.read(_PIECE):
                    size += len(piece)
                    own.update(piece)
            if files > _MOST_FILES or size > _MOST_BYTES:
                return None
            total.update(os.fsencode(name) + b"\0" + own.digest())
    except OSError:
        return None
    return total.hexdigest()


def _files(folder: str, heavy: Collection[str]) -> Iterator[str]:
    """Give the regular files below a folder, in the same order each time; links are not followed."""
    for entry in sorted(os.scandir(folder), key=lambda each: each.name):
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in heavy and entry.name != ".git":
                yield from _files(entry.path, heavy)
        elif entry.is_file(follow_symlinks=False):
            yield entry.path
