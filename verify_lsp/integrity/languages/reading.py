"""Chooses the reader of a test file by its language."""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from verify_lsp.integrity.cases import Reading
from verify_lsp.integrity.languages import go_tests, python_tests, rust_tests, script_tests
from verify_lsp.syntax.languages import Language, language_of

if TYPE_CHECKING:
    from tree_sitter import Node

_STR_MACRO = re.compile(r"\bstr!(?=\s*[\[({])")
_READERS: Mapping[Language, Callable[[str, "Node"], Reading]] = {
    "python": python_tests.read,
    "javascript": script_tests.read,
    "typescript": script_tests.read,
    "tsx": script_tests.read,
    "go": go_tests.read,
    "rust": rust_tests.read,
}


def reads(path: str) -> bool:
    """Say whether the tests of such a file can be told one by one."""
    return language_of(path) in _READERS


def read(path: str, text: str | None) -> Reading | None:
    """Return the tests of a text; None where it does not parse. A text that is absent has none."""
    from verify_lsp.syntax.trees import parse

    language = language_of(path)
    if text is None or language is None:
        return Reading(())
    if language == "rust":
        # The grammar takes `str` for a type wherever it stands; a macro of that name is common in tests.
        text = _STR_MACRO.sub("Str!", text)
    root = parse(language, text.encode("utf-8", "surrogatepass")).root_node
    return None if root.has_error else _READERS[language](path, root)
