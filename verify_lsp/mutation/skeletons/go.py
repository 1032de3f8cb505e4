"""A failing test in Go: a function in the nearest test file of the package, else in a new one beside the code."""

import re
from posixpath import basename, dirname, join

from verify_lsp.model.mutant import TriedMutant
from verify_lsp.mutation.skeletons.base import (
    Ground,
    Skeleton,
    comments_on,
    complaint_on,
    free_name,
    inserted,
    quoted,
    stem_of,
    words_of,
)
from verify_lsp.mutation.skeletons.nearest import tested_stem

_PACKAGE = re.compile(r"^package[ \t]+(\w+)", re.MULTILINE)
_TESTING = re.compile(r'^(?:import[ \t]+|[ \t]+)"testing"', re.MULTILINE)
_CONSTRAINT = re.compile(r"^//go:build |^// \+build ", re.MULTILINE)
_TEST = re.compile(r"\bTest\w+")


def skeleton(mutant: TriedMutant, ground: Ground) -> Skeleton | None:
    """Return the test; None where the package cannot be told."""
    folder = dirname(mutant.path)
    beside = [path for path in ground.paths if dirname(path) == folder and path.endswith("_test.go")]
    texts = {path: text for path in beside if (text := ground.read(path)) is not None}
    name = free_name("Test" + "".join(word[:1].upper() + word[1:] for word in words_of(mutant)), texts.values())
    block = _function(mutant, name)
    fit = [path for path, text in texts.items() if _TESTING.search(text) and not _CONSTRAINT.search(text)]
    if fit:
        path = min(fit, key=lambda path: (*_distance(mutant, path, texts[path]), path))
        return Skeleton(path, texts[path], *inserted(texts[path], len(texts[path]), block), name)
    package = _PACKAGE.search(ground.read(mutant.path) or "")
    if package is None:
        return None
    stem = basename(mutant.path).removesuffix(".go")
    for called in (stem, f"survivors_of_{stem}", *(f"survivors_{number}_of_{stem}" for number in range(2, 99))):
        path = join(folder, f"{called}_test.go")
        if path not in ground.paths:
            break
    return Skeleton(path, None, 0, f'package {package[1]}\n\nimport "testing"\n\n{block}', name)


def _distance(mutant: TriedMutant, path: str, text: str) -> tuple[bool, bool, int]:
    """How far a test file is: those about the file, then those with tests that run over the mutant, many before few."""
    reaching = {name for test in mutant.covered_by for name in _TEST.findall(test)}
    reached = sum(re.search(rf"\bfunc {name}\(", text) is not None for name in reaching)
    about = tested_stem(path) == stem_of(mutant.path)
    return not about, not reached, -reached


def _function(mutant: TriedMutant, name: str) -> str:
    body = [*(f"// {line}" for line in comments_on(mutant)), f"t.Fatal({quoted(complaint_on(mutant))})"]
    return f"func {name}(t *testing.T) {{\n" + "".join(f"\t{line}\n" for line in body) + "}\n"
