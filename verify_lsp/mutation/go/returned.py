"""What a function could return instead, by the types that it declares."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import Fault, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = frozenset({"func_literal", "function_declaration", "method_declaration"})
_NUMBERS = re.compile(r"u?int(?:8|16|32|64)?|uintptr|byte|rune|float(?:32|64)")
_NILABLE = frozenset({"pointer_type", "slice_type", "map_type", "channel_type", "function_type", "interface_type"})
_LITERALS = frozenset(
    {"nil", "true", "false", "int_literal", "float_literal", "imaginary_literal", "rune_literal", "iota"}
)
_DECIDE = frozenset({"!", "&&", "||", "==", "!=", "<", "<=", ">", ">="})


def other_result(node: "Node") -> Iterator[Fault]:
    """Return the fault of a `return`: no error, the other truth, or nothing in the place of a value.

    Of several values the error is the most telling one. A value that is nothing already stays, and so do those of types
    that the function does not name here.
    """
    values = next((child for child in node.named_children if child.type == "expression_list"), None)
    if values is None:
        return
    given = [child for child in values.named_children if child.type != "comment"]
    function = _function(node)
    types = _result_types(function)
    if len(given) != len(types) or text_of(given[0]) == _receiver(function):
        return
    found = [
        (_order(kind), at, other) for at, kind in enumerate(types) if (other := _other(kind, given[at])) is not None
    ]
    if found:
        _, at, other = min(found)
        texts = [text_of(value) for value in given]
        yield Fault(values, "return", ", ".join([*texts[:at], other, *texts[at + 1 :]]))


def _order(kind: "Node") -> int:
    return {"error": 0, "bool": 1}.get(text_of(kind), 2)


def _other(kind: "Node", value: "Node") -> str | None:
    name, text = text_of(kind), text_of(value)
    if value.type in _LITERALS:
        return None
    if name == "bool":
        decides = text_of(value.child_by_field_name("operator")) in _DECIDE
        return None if decides else f"!({text})"
    if name == "string":
        return None if text in {'""', "``"} else '""'
    if _NUMBERS.fullmatch(name):
        return "0"
    return "nil" if name in {"error", "any"} or kind.type in _NILABLE else None


def _function(node: "Node") -> "Node | None":
    function = node.parent
    while function is not None and function.type not in _FUNCTIONS:
        function = function.parent
    return function


def _receiver(function: "Node | None") -> str | None:
    """Return the name by which a method calls what it belongs to; what gives itself back is there to be called on."""
    receiver = function.child_by_field_name("receiver") if function is not None else None
    names = receiver.named_children[0].children_by_field_name("name") if receiver and receiver.named_children else []
    return text_of(names[0]) if names else None


def _result_types(function: "Node | None") -> list["Node"]:
    result = function.child_by_field_name("result") if function is not None else None
    if result is None:
        return []
    if result.type != "parameter_list":
        return [result]
    types: list[Node] = []
    for each in result.named_children:
        kind = each.child_by_field_name("type")
        if kind is not None:
            types += [kind] * max(1, len(each.children_by_field_name("name")))
    return types
