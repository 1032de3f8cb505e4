"""Every mutant that a Go text has room for on some of its lines."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.candidates import Grammar, Where, mutants_by
from verify_lsp.mutation.faults import text_of
from verify_lsp.mutation.go.arid import is_arid
from verify_lsp.mutation.go.operators import faults

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = frozenset({"function_declaration", "method_declaration", "func_literal"})


def mutants_of(path: str, text: str, lines: Collection[int]) -> tuple[Mutant, ...]:
    """Return the mutants of `text` that begin on one of `lines` (1-based), in the order of the text."""
    return mutants_by(_GRAMMAR, path, text, lines)


def _is_arid(node: "Node", where: Where) -> bool:
    if node.type == "defer_statement" and any(is_arid(child, at_import=False) for child in node.named_children):
        return True
    return is_arid(node, at_import=where.at_import)


def _worth_visiting(node: "Node") -> list["Node"]:
    """Of what `make` is given only the length of a slice can be wrong; all else is room that grows by itself."""
    around = node.parent
    if node.type != "argument_list" or around is None or text_of(around.child_by_field_name("function")) != "make":
        return node.named_children
    of_slice = node.named_child_count > 0 and node.named_children[0].type == "slice_type"
    return node.named_children[1:2] if of_slice else []


def _where_below(node: "Node", child: "Node", where: Where) -> Where:
    """What `init` does, and the values of variables outside of functions, runs when the package is loaded."""
    if node.type not in _FUNCTIONS or child != node.child_by_field_name("body"):
        return where
    name = text_of(node.child_by_field_name("name"))
    receiver = _receiver(node)
    names = (*where.names, *([receiver] if receiver else []), *([name] if name else []))
    is_init = node.type == "function_declaration" and name == "init"
    return Where(names, at_import=where.at_import and is_init, function=where.function or node)


def _receiver(node: "Node") -> str:
    """Return the name of the type that a method belongs to: "T" of `(t *T[K])`."""
    receiver = node.child_by_field_name("receiver")
    kind = receiver.named_children[0].child_by_field_name("type") if receiver and receiver.named_children else None
    return text_of(kind).lstrip("*").partition("[")[0]


_GRAMMAR = Grammar(
    language="go", faults=faults, is_arid=_is_arid, worth_visiting=_worth_visiting, where_below=_where_below
)
