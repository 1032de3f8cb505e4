"""The faults of values that stand in the text: truths, numbers and texts."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import Fault, text_of
from verify_lsp.mutation.javascript.nodes import LOOPS, operator_of

if TYPE_CHECKING:
    from tree_sitter import Node


def flipped(node: "Node") -> Iterator[Fault]:
    """Turn a truth around, unless it is all that a loop goes on for."""
    above = node.parent
    while above is not None and above.type == "parenthesized_expression":
        above = above.parent
    if above is None or above.type not in LOOPS:
        yield Fault(node, "truth", "false" if node.type == "true" else "true")


def next_number(node: "Node") -> Iterator[Fault]:
    """Take one more."""
    above = node.parent
    if above is None or above.type == "member_expression" or operator_of(above) == "void":
        return
    text = text_of(node).replace("_", "")
    big = "n" if text.endswith("n") else ""
    try:
        number = int(text.removesuffix("n"), 0)
    except ValueError:
        yield from _next_fraction(node, text)
        return
    yield Fault(node, "number", f"{number + 1}{big}")


def _next_fraction(node: "Node", text: str) -> Iterator[Fault]:
    try:
        value = float(text)
    except ValueError:
        return
    if value + 1 != value and not re.match(r"0\d", text):
        yield Fault(node, "number", str(int(value + 1)) if value.is_integer() else repr(value + 1))


def other_text(node: "Node") -> Iterator[Fault]:
    """A text that stands in for one that is missing, or is one of two; keys, messages and formats stay."""
    above = node.parent
    if (
        above is None
        or not _is_default(node, above)
        or any(child.type == "template_substitution" for child in node.children)
    ):
        return
    empty = not any(child.is_named for child in node.children)
    yield Fault(node, "text", '"x"' if empty else '""')


def _is_default(node: "Node", above: "Node") -> bool:
    match above.type:
        case "assignment_pattern" | "object_assignment_pattern":
            return node == above.child_by_field_name("right")
        case "required_parameter" | "optional_parameter":
            return node == above.child_by_field_name("value")
        case "ternary_expression":
            return node != above.child_by_field_name("condition")
        case "binary_expression":
            return operator_of(above) in {"||", "??"} and node == above.child_by_field_name("right")
        case _:
            return False
