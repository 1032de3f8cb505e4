"""Which test files are the nearest to a mutant: by which tests reach it, then by name, then by place."""

import re
from collections.abc import Iterable
from posixpath import commonpath, dirname, splitext

from verify_lsp.judgement.files.file_kinds import is_test
from verify_lsp.model.mutant import TriedMutant
from verify_lsp.mutation.skeletons.base import Ground, stem_of

_AFFIX = re.compile(r"^tests?[_-]|[_-](?:tests?|spec)$")
_SUPPORT = re.compile(
    r"/(?:(?:conftest|__init__|setup|helpers?|utils?|fixtures?)\.[^/]*$|(?:fixtures|testdata|__mocks__)/)"
)


def nearest(mutant: TriedMutant, ground: Ground) -> list[str]:
    """Return the test files of the project, the nearest to the mutant first."""
    return sorted(test_files(ground), key=lambda path: (-_weight(mutant, ground, path), path))


def is_near(mutant: TriedMutant, ground: Ground, path: str) -> bool:
    """Say whether a test file is about the mutant's file, rather than merely the nearest there is."""
    return bool(reached_by(mutant, ground, path)) or tested_stem(path) == stem_of(mutant.path)


def test_files(ground: Ground) -> Iterable[str]:
    """Return the files of the project that hold tests by their names."""
    return [path for path in ground.paths if is_test(path) and not _SUPPORT.search("/" + path)]


def tested_stem(path: str) -> str:
    """Return the name of the file that a test file is about, by its own name."""
    return _AFFIX.sub("", stem_of(path))


def reached_by(mutant: TriedMutant, ground: Ground, path: str) -> int:
    """Return how many of the named tests that run over the mutant stand in a file, by their names."""
    inside = ground.inside(path)
    dotted = splitext(inside)[0].replace("/", ".")
    return sum(_names(name, inside) or _names(name, path) or _names(name, dotted) for name in mutant.covered_by)


def _names(test: str, file: str) -> bool:
    """A test's name begins with its file's, and goes on with something that is no part of it; or it is the file's."""
    rest = test[len(file) :] if test.startswith(file) else None
    return rest is not None and (not rest or not (rest[0].isalnum() or rest[0] in "_-/"))


def _weight(mutant: TriedMutant, ground: Ground, path: str) -> float:
    about = tested_stem(path) == stem_of(mutant.path)
    reached = reached_by(mutant, ground, path)
    together = len(commonpath(["/" + dirname(path), "/" + dirname(mutant.path)]).split("/"))
    # Both signs together beat each alone, and a test that runs over the line beats a name.
    return 1000.0 * bool(reached) + 1500.0 * (about and bool(reached)) + 500.0 * about + 10.0 * reached + together
