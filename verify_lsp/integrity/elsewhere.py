"""Looks for a test in the files that a change did not touch: one that was moved in two steps is still there."""

import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from posixpath import splitext

from verify_lsp.judgement.files.file_kinds import is_test

_PRUNED = frozenset({"node_modules", "target", "vendor", "venv", "dist", "build", "site-packages", "__pycache__"})
_FILES = 4_000
_SIZE = 1_000_000
_SCRIPTS = frozenset({".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"})
_FUNCTION = re.compile(r"\b(?:def|func|fn) +(?:\([^)\n]*\) +)?(\w+)")
_TITLE = re.compile(r"\(\s*(?:\"([^\"\n]{1,300})\"|'([^'\n]{1,300})'|`([^`\n]{1,300})`)")


def declared_elsewhere(place: Path, changed: frozenset[str]) -> Callable[[str, str], bool]:
    """Return a function that says whether an unchanged file below `place` declares a test, by its path and its name.

    Files are read when it is first asked about their language, at most some thousand of them.

    Args:
        changed: The paths that the change touched, which are not looked at.
    """

    @cache
    def names(extension: str) -> frozenset[str]:
        pattern = _TITLE if extension in _SCRIPTS else _FUNCTION
        texts = _texts(place, extension, changed)
        return frozenset(next(filter(None, found.groups())) for text in texts for found in pattern.finditer(text))

    return lambda path, name: own_name(path, name) in names(splitext(path)[1].lower())


def own_name(path: str, name: str) -> str:
    """Return the name of a test without what it stands in: `test_total` for `TestCart.test_total`."""
    return name.rpartition(" > ")[2] if splitext(path)[1].lower() in _SCRIPTS else re.split(r"::|\.", name)[-1]


def _texts(place: Path, extension: str, changed: frozenset[str]) -> Iterator[str]:
    looked = 0
    for folder, folders, files in os.walk(place):
        folders[:] = [each for each in folders if each not in _PRUNED and not each.startswith(".")]
        for file in files:
            relative = Path(folder, file).relative_to(place).as_posix()
            if not file.endswith(extension) or relative in changed or not (extension == ".rs" or is_test(relative)):
                continue
            looked += 1
            if looked > _FILES:
                return
            yield _text(Path(folder, file))


def _text(file: Path) -> str:
    try:
        if file.is_symlink() or file.stat().st_size > _SIZE:
            return ""
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""
