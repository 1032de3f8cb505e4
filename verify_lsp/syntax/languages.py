"""Which grammar reads a file, by its name."""

from posixpath import basename, splitext
from typing import Literal

Language = Literal["python", "javascript", "typescript", "tsx", "go", "rust", "shell"]

_BY_EXTENSION: dict[str, Language] = {
    ".py": "python",
    ".pyi": "python",
    ".pyw": "python",
    ".js": "javascript",
    ".jsx": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".go": "go",
    ".rs": "rust",
    ".sh": "shell",
    ".bash": "shell",
}


def language_of(path: str) -> Language | None:
    """Return the language of a file by its extension; None for one that we have no grammar for."""
    return _BY_EXTENSION.get(splitext(basename(path))[1].lower())
