"""A failing test in JavaScript and TypeScript, by the function that the nearest test file makes its tests with."""

import re
from posixpath import basename, dirname, join
from typing import TYPE_CHECKING

from verify_lsp.model.mutant import TriedMutant
from verify_lsp.mutation.skeletons.base import (
    Ground,
    Skeleton,
    comments_on,
    complaint_on,
    inserted,
    quoted,
    stem_of,
    words_of,
)
from verify_lsp.mutation.skeletons.nearest import is_near, nearest
from verify_lsp.syntax.languages import language_of
from verify_lsp.syntax.trees import parse

if TYPE_CHECKING:
    from tree_sitter import Node

_INDENT = re.compile(r"^(\t| {2,8})\S", re.MULTILINE)
_NAMES = ("test", "it")
_BRINGING = frozenset({"import_statement", "lexical_declaration", "variable_declaration"})
_RUNNERS = re.compile(r"""['"](?:node:test|vitest|@jest/globals|mocha|bun:test)['"]""")
_WITH_GLOBALS = frozenset({"jest", "react-scripts", "mocha", "vitest"})


def skeleton(mutant: TriedMutant, ground: Ground) -> Skeleton | None:
    """Return the test, in the nearest file about the mutant's, else in a new one called like the others."""
    texts = {path: text for path in nearest(mutant, ground)[:50] if (text := ground.read(path)) is not None}
    made_by = {path: name for path, text in texts.items() if (name := _maker(path, text)) is not None}
    for path, name in made_by.items():
        if is_near(mutant, ground, path):
            text = texts[path]
            place = inserted(text, len(text), _test(mutant, name, _indent_of(text)))
            return Skeleton(path, text, *place, _title(mutant))
    for path, name in made_by.items():
        heading = _heading(ground, path, texts[path], name)
        if heading is not None:
            text = heading + _test(mutant, name, _indent_of(texts[path]))
            return Skeleton(_new_path(mutant, ground, path), None, 0, text, _title(mutant))
    return None


def _maker(path: str, text: str) -> str | None:
    """Return the name of the function that makes a file's tests, where it is one that stands at the file's level."""
    language = language_of(path)
    if language is None:
        return None
    called = _called(parse(language, text.encode("utf-8", "surrogatepass")).root_node)
    return next((name for name in _NAMES if name in called), None)


def _called(root: "Node") -> set[str]:
    found, waiting = set[str](), [root]
    while waiting:
        each = waiting.pop()
        callee = each.child_by_field_name("function") if each.type == "call_expression" else None
        if callee is not None and callee.type == "identifier":
            found.add((callee.text or b"").decode())
        waiting += each.children
    return found


def _heading(ground: Ground, path: str, text: str, name: str) -> str | None:
    """Return what a new file must begin with so that `name` is there as it is in the file `path` that it is like."""
    language = language_of(path)
    statements = parse(language, text.encode("utf-8", "surrogatepass")).root_node.children if language else []
    for statement in statements:
        line = (statement.text or b"").decode()
        if statement.type in _BRINGING and re.search(rf"\b{name}\b", line) and _RUNNERS.search(line):
            return f"{_narrowed(line, name)}\n\n"
    # Who brings no name takes what the runner puts there for all.
    return "" if ground.runner in _WITH_GLOBALS else None


def _narrowed(line: str, name: str) -> str:
    """Leave of `import { describe, test } from …` what is needed."""
    if re.search(rf"\b(?:import|const|let|var)\s+{name}\b", line):
        return re.sub(rf"\bimport\s+{name}\s*,\s*\{{[^}}]*\}}", f"import {name}", line)
    return re.sub(r"\{[^}]*\}", f"{{ {name} }}", line, count=1)


def _new_path(mutant: TriedMutant, ground: Ground, model: str) -> str:
    """Call a file like the one that it is like, and put it where that stands to its code."""
    name = basename(model)
    stem, ending = stem_of(model), name[len(stem_of(model)) :]
    beside = any(dirname(path) == dirname(model) and stem_of(path) == stem and path != model for path in ground.paths)
    folder = dirname(mutant.path) if beside else dirname(model)
    own = stem_of(mutant.path)
    for called in (own, f"{own}-survivors", *(f"{own}-survivors-{number}" for number in range(2, 99))):
        path = join(folder, called + ending)
        if path not in ground.paths:
            break
    return path


def _indent_of(text: str) -> str:
    found = _INDENT.search(text)
    return found[1] if found else "  "


def _title(mutant: TriedMutant) -> str:
    *function, operator = words_of(mutant)
    called = mutant.function or "-".join(function)
    return f"{called}, {mutant.path} line {mutant.line}: {operator}"


def _test(mutant: TriedMutant, name: str, indent: str) -> str:
    body = [*(f"// {line}" for line in comments_on(mutant)), f"throw new Error({quoted(complaint_on(mutant))});"]
    inside = "".join(f"{indent}{line}\n" for line in body)
    return f"{name}({quoted(_title(mutant))}, () => {{\n{inside}}});\n"
