"""Every mutant that a JavaScript or TypeScript text has room for on some of its lines."""

import re
from collections.abc import Collection, Iterator
from posixpath import basename
from typing import TYPE_CHECKING

import attrs

from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.candidates import Grammar, Where, mutants_by
from verify_lsp.mutation.faults import Fault, text_of
from verify_lsp.mutation.javascript.arid import checks_first_argument, is_arid, is_assertion
from verify_lsp.mutation.javascript.guards import asked_of_build, asked_of_platform, is_comparison
from verify_lsp.mutation.javascript.nodes import CLASSES, FIELDS, FUNCTIONS, arguments_of, told
from verify_lsp.mutation.javascript.operators import faults
from verify_lsp.mutation.javascript.reading import read
from verify_lsp.syntax.languages import Language, language_of

if TYPE_CHECKING:
    from tree_sitter import Node

_NOT_RUN_BY_TESTS = re.compile(r".*\.(?:d(?:\.\w+)?|stories|story|bench|benchmark|test-d)\.[cm]?[jt]sx?")
_IGNORED = re.compile(r"\b(?:istanbul|[cv]8)\s+ignore\s+file\b", re.IGNORECASE)
_LONG_ROW, _LONG_ON_AVERAGE = 400, 160
"""Rows of more characters were written by a program; so was a text whose rows are that long on average."""


def mutants_of(path: str, text: str, lines: Collection[int]) -> tuple[Mutant, ...]:
    """Return the mutants of `text` that begin on one of `lines` (1-based), in the order of the text."""
    language = language_of(path)
    rows = text.split("\n")
    if language is None or _NOT_RUN_BY_TESTS.fullmatch(basename(path)) or _IGNORED.search(text):
        return ()
    if len(text) > _LONG_ON_AVERAGE * (len(rows) + 2):
        return ()
    wanted = {line for line in lines if line <= len(rows) and len(rows[line - 1]) <= _LONG_ROW}
    return mutants_by(_grammar(language), path, text, wanted)


def _grammar(language: Language) -> Grammar:
    return Grammar(
        language=language,
        faults=_faults,
        is_arid=_is_arid,
        worth_visiting=_worth_visiting,
        where_below=_where_below,
        read=read,
    )


def _is_arid(node: "Node", where: Where) -> bool:
    if is_comparison(node) and (asked_of_build(node) or asked_of_platform(node)):
        return True
    return is_arid(node, at_import=where.at_import)


def _faults(node: "Node") -> Iterator[Fault]:
    """What asks where the program runs is no condition of the program; an assertion is its first argument."""
    if asked_of_build(node) or asked_of_platform(node):
        return
    if node.type == "expression_statement" and told(node) and is_assertion(told(node)[0]):
        return
    yield from faults(node)


def _worth_visiting(node: "Node") -> list["Node"]:
    if asked_of_build(node):
        return node.children_by_field_name("alternative") if node.type == "if_statement" else []
    if asked_of_platform(node):
        return [child for child in node.named_children if child != node.child_by_field_name("condition")]
    if checks_first_argument(node):
        return arguments_of(node)[:1]
    part = _PARTS.get(node.type)
    if part is not None:
        return told(node)[part]
    if node.type in _KEYED:
        return [child for child in node.named_children if child.type not in _KEYS or _is_value(node, child)]
    return node.named_children


_PARTS = {
    "string": slice(0),
    "as_expression": slice(1),
    "satisfies_expression": slice(1),
    "type_assertion": slice(-1, None),
}
"""What of a node's children is program, where the rest is text or types."""
_KEYED = FIELDS | {"pair", "pair_pattern", "method_definition"}
_KEYS = frozenset({"number", "string"})


def _is_value(node: "Node", child: "Node") -> bool:
    return child == node.child_by_field_name("value")


def _where_below(node: "Node", child: "Node", where: Where) -> Where:
    """Defaults of parameters belong to what is around a function, its body to the function."""
    if node.type in CLASSES:
        names = _names(node, where)
        return attrs.evolve(where, names=names) if child == node.child_by_field_name("body") else where
    if node.type in FIELDS:
        is_static = any(each.type == "static" for each in node.children)
        is_value = _is_value(node, child)
        return attrs.evolve(where, at_import=where.at_import and (is_static or not is_value))
    if node.type not in FUNCTIONS:
        return where
    is_body = child == node.child_by_field_name("body")
    return Where(_names(node, where), at_import=where.at_import and not is_body, function=where.function or node)


def _names(node: "Node", where: Where) -> tuple[str, ...]:
    """A function without a name goes by that of what it is assigned to."""
    name = text_of(node.child_by_field_name("name"))
    above = node.parent
    if not name and above is not None:
        for field in ("name", "key", "property", "left"):
            if above.child_by_field_name(field) not in {None, node}:
                name = text_of(above.child_by_field_name(field))
                break
    return (*where.names, name) if name and len(name) <= 80 and "\n" not in name else where.names
