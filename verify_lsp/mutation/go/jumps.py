"""`break` in the place of `continue` and the other way round, where Go allows both and they mean the same loop."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import Fault, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_LEFT_BY_BREAK = frozenset(
    {"for_statement", "expression_switch_statement", "type_switch_statement", "select_statement"}
)
_FUNCTIONS = frozenset({"func_literal", "function_declaration", "method_declaration"})


def other_jump(node: "Node") -> Iterator[Fault]:
    """Return the fault of a jump out of, or on in, a loop that has an end of its own.

    A loop without one would not end, or a function that ends in it would lack a `return`.
    """
    loop = _target(node)
    word = node.children[0]
    if loop is None or loop.type != "for_statement" or not _ends(loop):
        return
    yield Fault(word, "loop", "continue" if text_of(word) == "break" else "break")


def _target(node: "Node") -> "Node | None":
    label = next((text_of(child) for child in node.named_children if child.type == "label_name"), None)
    above = node.parent
    while above is not None and above.type not in _FUNCTIONS:
        if label is None and above.type in _LEFT_BY_BREAK:
            return above
        if label is not None and above.type == "labeled_statement":
            name = above.child_by_field_name("label")
            if text_of(name) == label:
                return above.named_children[-1]
        above = above.parent
    return None


def _ends(loop: "Node") -> bool:
    """Say whether a loop has a condition or a range."""
    head = next((child for child in loop.named_children if child.type not in {"block", "comment"}), None)
    return head is not None and (head.type != "for_clause" or head.child_by_field_name("condition") is not None)
