"""Values that are written down rather than worked out."""

from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import text_of
from verify_lsp.mutation.javascript.nodes import arguments_of, called, told

if TYPE_CHECKING:
    from tree_sitter import Node

_PLAIN = frozenset(
    {
        "number",
        "string",
        "true",
        "false",
        "null",
        "undefined",
        "regex",
        "identifier",
        "member_expression",
        "shorthand_property_identifier",
    }
)
_OPENED = frozenset({"array", "object", "parenthesized_expression", "spread_element"})
_TYPED = frozenset({"as_expression", "satisfies_expression", "non_null_expression"})
_KEEPERS = frozenset({"Object.freeze", "Set", "Map", "WeakMap", "WeakSet", "RegExp", "Symbol", "Symbol.for"})


def is_constant(node: "Node") -> bool:
    """Say whether a value is made of literals and names alone: `[1, -2]`, `60 * 1000`, `new Set(["a"])`."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        parts = _parts(each)
        if parts is None:
            return False
        waiting += parts
    return True


def _parts(node: "Node") -> "list[Node] | None":
    """What must be constant too for this node to be; None where it is none anyway."""
    kind = node.type
    if kind in _PLAIN:
        return []
    if kind in _OPENED:
        return told(node)
    if kind in _TYPED:
        return told(node)[:1]
    if kind in {"call_expression", "new_expression"} and called(node) in _KEEPERS:
        return arguments_of(node)
    if kind == "template_string":
        return [] if not any(child.type == "template_substitution" for child in node.children) else None
    return _parts_of_operation(node)


def _parts_of_operation(node: "Node") -> "list[Node] | None":
    match node.type:
        case "pair":
            value = node.child_by_field_name("value")
            return [] if value is None else [value]
        case "unary_expression" if text_of(node.child_by_field_name("operator")) in {"-", "+"}:
            return told(node)
        case "binary_expression" if all(part.type in {"number", "binary_expression"} for part in told(node)):
            return told(node)
        case _:
            return None
