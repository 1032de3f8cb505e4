"""Parses a text into a tree-sitter tree. This file alone meets tree-sitter's packages."""

from functools import cache
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING

from verify_lsp.syntax.languages import Language

if TYPE_CHECKING:
    from tree_sitter import Parser, Tree

# One parser a language serves all threads, and must not be used by two at once.
_PARSING = Lock()
_GRAMMARS: dict[Language, tuple[str, str]] = {
    "python": ("tree_sitter_python", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "go": ("tree_sitter_go", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "shell": ("tree_sitter_bash", "language"),
}


def parse(language: Language, data: bytes, old: "Tree | None" = None) -> "Tree":
    """Return the tree of a text in UTF-8.

    Rows are 0-based and end at a line feed; columns and offsets count bytes. A text that is not the language still
    has a tree, with ERROR and missing nodes in it.

    Args:
        old: The tree of a text that differs by edits which this tree was told of; what they did not touch is not
            parsed again.
    """
    with _PARSING:
        parser = _parser(language)
        return parser.parse(data) if old is None else parser.parse(data, old)


@cache
def _parser(language: Language) -> "Parser":
    import tree_sitter

    module, function = _GRAMMARS[language]
    return tree_sitter.Parser(tree_sitter.Language(getattr(import_module(module), function)()))
