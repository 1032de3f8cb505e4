"""Every mutant that a Python text has room for on some of its lines."""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

import attrs

from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.candidates import Grammar, Where, mutants_by
from verify_lsp.mutation.faults import Fault, text_of
from verify_lsp.mutation.python.arid import is_arid, is_type_checking_block
from verify_lsp.mutation.python.operators import faults

if TYPE_CHECKING:
    from tree_sitter import Node

_SCOPES = frozenset({"function_definition", "class_definition", "lambda"})


def mutants_of(path: str, text: str, lines: Collection[int]) -> tuple[Mutant, ...]:
    """Return the mutants of `text` that begin on one of `lines` (1-based), in the order of the text."""
    return mutants_by(_GRAMMAR, path, text, lines)


def _faults(node: "Node") -> Iterator[Fault]:
    """What asks for a type checker, or whether the file is run as a program, is no condition of the program."""
    if node.type != "if_statement" or not is_type_checking_block(node):
        yield from faults(node)


def _worth_visiting(node: "Node") -> list["Node"]:
    if node.type == "string":
        return []
    if node.type == "if_statement" and is_type_checking_block(node):
        return node.children_by_field_name("alternative")
    if node.type == "assert_statement":
        return node.named_children[:1]
    return node.named_children


def _where_below(node: "Node", child: "Node", where: Where) -> Where:
    """Defaults of parameters belong to what is around a function, its body to the function."""
    if node.type not in _SCOPES:
        return where
    is_body = child == node.child_by_field_name("body")
    name = text_of(node.child_by_field_name("name"))
    names = (*where.names, name) if name else where.names
    if node.type == "class_definition":
        return attrs.evolve(where, names=names) if is_body else where
    return Where(names, at_import=where.at_import and not is_body, function=where.function or node)


_GRAMMAR = Grammar(
    language="python",
    faults=_faults,
    is_arid=lambda node, where: is_arid(node, at_import=where.at_import),
    worth_visiting=_worth_visiting,
    where_below=_where_below,
)
