"""Looks for a test in the files that a change did not touch: one that was moved in two steps is still there."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from posixpath import splitext

from verify_lsp.judgement.files.file_kinds import is_test

_PRUNED = frozenset({"node_modules", "target", "vendor", "venv", "dist", "build", "site-packages", "__pycache__"})
_FILES = 4_000
_SIZE = 1_000_000


def declaration(path: str, name: str) -> str:
    """Return a regular expression, in words that grep knows too, for the line that declares a test."""
    last = re.split(r" > |::|\.(?=\w)", name)[-1] if not _is_script(path) else name.rpartition(" > ")[2]
    quoted = re.sub(r"([^\w\s-])", r"\\\1", last)
    return f"[\"'`]{quoted}[\"'`]" if _is_script(path) else f"(def|func|fn) +(\\([^)]*\\) +)?{quoted} *[(<]"


def declared_elsewhere(place: Path, changed: frozenset[str]) -> Callable[[str, str], bool]:
    """Return a function that says whether an unchanged file below `place` declares a test.

    Args:
        changed: The paths that the change touched, which are not looked at.
    """

    def declares(path: str, name: str) -> bool:
        pattern = re.compile(declaration(path, name))
        extension = splitext(path)[1]
        looked = 0
        for folder, folders, files in os.walk(place):
            folders[:] = [each for each in folders if each not in _PRUNED and not each.startswith(".")]
            for file in files:
                relative = Path(folder, file).relative_to(place).as_posix()
                if not file.endswith(extension) or relative in changed or not (is_test(relative) or extension == ".rs"):
                    continue
                looked += 1
                if looked > _FILES:
                    return False
                if _holds(Path(folder, file), pattern):
                    return True
        return False

    return declares


def _holds(file: Path, pattern: re.Pattern[str]) -> bool:
    try:
        if file.is_symlink() or file.stat().st_size > _SIZE:
            return False
        return pattern.search(file.read_text("utf-8", "replace")) is not None
    except OSError:
        return False


def _is_script(path: str) -> bool:
    return splitext(path)[1].lower() in {".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"}
