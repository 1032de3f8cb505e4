"""What the grammars of JavaScript and TypeScript call things."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

GENERATORS = frozenset({"generator_function", "generator_function_declaration"})
FUNCTIONS = GENERATORS | {"function_declaration", "function_expression", "arrow_function", "method_definition"}
CLASSES = frozenset({"class", "class_declaration", "abstract_class_declaration"})
LOOPS = frozenset({"for_statement", "for_in_statement", "while_statement", "do_statement"})
MARKUP = frozenset({"jsx_element", "jsx_self_closing_element", "jsx_fragment"})
FIELDS = frozenset({"field_definition", "public_field_definition"})
TEXTS = frozenset({"string", "template_string"})

PRECEDENCE: Mapping[str, int] = {
    operator: level
    for level, operators in enumerate(
        ("?? ||", "&&", "|", "^", "&", "== != === !==", "< <= > >= in instanceof", "<< >> >>>", "+ -", "* / %", "**")
    )
    for operator in operators.split()
}
"""Operators between two operands by how closely they bind."""


def told(node: "Node") -> list["Node"]:
    """Return the named nodes right below one, without comments."""
    return [child for child in node.named_children if child.type != "comment"]


def inner(node: "Node | None") -> "Node | None":
    """Return what stands in a node's parentheses, however many."""
    while node is not None and node.type == "parenthesized_expression" and len(parts := told(node)) == 1:
        node = parts[0]
    return node


def operator_of(node: "Node") -> str:
    """Return the operator of an expression; empty for a node that has none."""
    return text_of(node.child_by_field_name("operator"))


def called(node: "Node") -> str:
    """Return what a call or `new` names, on one line and without optional chaining: "a.b"."""
    function = node.child_by_field_name("function") or node.child_by_field_name("constructor")
    return "".join(text_of(function).split()).replace("?.", ".")


def arguments_of(node: "Node") -> list["Node"]:
    """Return the arguments of a call or `new`."""
    arguments = node.child_by_field_name("arguments")
    return [] if arguments is None else told(arguments)


def around(node: "Node", kinds: frozenset[str]) -> "Node | None":
    """Return the nearest node of one of these kinds that this one lies in."""
    above = node.parent
    while above is not None and above.type not in kinds:
        above = above.parent
    return above
