"""The faults that are put into Go: for a node of its syntax tree, what its text would be replaced by."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import SIGNS_OF_LOGIC, SWAPS, Fault, first_child, text_of
from verify_lsp.mutation.go.blocks import otherwise
from verify_lsp.mutation.go.jumps import other_jump
from verify_lsp.mutation.go.returned import other_result
from verify_lsp.mutation.go.texts import is_text

if TYPE_CHECKING:
    from tree_sitter import Node

_SWAPS: Mapping[str, tuple[str, str]] = {
    **SWAPS,
    **SIGNS_OF_LOGIC,
    "&^": ("bits", "&"),
    "&^=": ("assignment", "&="),
    "++": ("assignment", "--"),
    "--": ("assignment", "++"),
}
BOOLEAN = frozenset({"<", "<=", ">", ">=", "==", "!=", "&&", "||"})
"""Operators whose result is true or false."""
_LITERALS = frozenset({"int_literal", "float_literal", "rune_literal"})


def faults(node: "Node") -> Iterator[Fault]:
    """Return the faults that can be put in at this node itself, not below it."""
    make = _MAKERS.get(node.type)
    if make is not None:
        yield from make(node)


def decides_itself(node: "Node") -> bool:
    """Say whether a condition has an operator or a literal of its own that a fault can be put into."""
    while node.type == "parenthesized_expression" and (inner := first_child(node)) is not None:
        node = inner
    operator = text_of(node.child_by_field_name("operator"))
    return (
        node.type in {"true", "false"} or (node.type == "unary_expression" and operator == "!") or operator in BOOLEAN
    )


def _swapped(node: "Node") -> Iterator[Fault]:
    """Swap the operator between two operands. Texts are joined by `+`, and know no other operator."""
    token = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if token is None or left is None or right is None or text_of(token) not in _SWAPS:
        return
    operator, replacement = _SWAPS[text_of(token)]
    if operator in {"arithmetic", "bits"} and left.type in _LITERALS and right.type in _LITERALS:
        return
    if text_of(token) not in {"+", "+="} or not (is_text(left) or is_text(right)):
        yield Fault(token, operator, replacement)


def _stepped(node: "Node") -> Iterator[Fault]:
    """`i++`, except where it drives a loop, which would then not end."""
    token = node.children[-1]
    if node.parent is not None and node.parent.type != "for_clause" and text_of(token) in _SWAPS:
        operator, replacement = _SWAPS[text_of(token)]
        yield Fault(token, operator, replacement)


def _unary(node: "Node") -> Iterator[Fault]:
    operand, operator = node.child_by_field_name("operand"), text_of(node.child_by_field_name("operator"))
    if operand is None:
        return
    if operator == "!":
        yield Fault(node, "negation", text_of(operand))
    elif operator == "-" and operand.type not in _LITERALS:
        yield Fault(node, "sign", text_of(operand))


def _negated_condition(node: "Node") -> Iterator[Fault]:
    condition = node.child_by_field_name("condition")
    if node.type == "for_statement":
        kept = {"for_clause", "range_clause", "block", "comment"}
        condition = next((child for child in node.named_children if child.type not in kept), None)
    if condition is not None and not decides_itself(condition):
        yield Fault(condition, "condition", f"!({text_of(condition)})")


def _of_if(node: "Node") -> Iterator[Fault]:
    yield from _negated_condition(node)
    yield from otherwise(node)


def _moved_bounds(node: "Node") -> Iterator[Fault]:
    """One later; the numbers among the bounds have a fault of their own."""
    for name in ("start", "end"):
        bound = node.child_by_field_name(name)
        if bound is not None and bound.type not in _LITERALS and bound.type != "unary_expression":
            yield Fault(bound, "slice", f"{text_of(bound)} + 1")


def _left_out(node: "Node") -> Iterator[Fault]:
    """A call for its effect alone, now or at the function's end."""
    only = first_child(node)
    if node.named_child_count != 1 or only is None or only.type != "call_expression":
        return
    called = only.child_by_field_name("function")
    among_others = node.parent is not None and node.parent.type == "statement_list"
    if among_others and called is not None and called.type != "func_literal":
        yield Fault(only if node.type == "expression_statement" else node, "call", "{}")


def _flipped(node: "Node") -> Iterator[Fault]:
    yield Fault(node, "truth", "false" if node.type == "true" else "true")


def _next_number(node: "Node") -> Iterator[Fault]:
    """One more, or one less than what fills its bits. Base eight is for permissions; no two cases may have one number."""
    text = text_of(node).replace("_", "")
    around = node.parent.parent if node.parent is not None else None
    octal = len(text) > 1 and text[0] == "0" and text[1] not in "xXbB"
    if octal or (around is not None and around.type == "expression_case"):
        return
    try:
        value = int(text, 0)
    except ValueError:
        return
    fills = value >= 127 and value & (value + 1) == 0
    yield Fault(node, "number", str(value - 1 if fills else value + 1))


def _next_fraction(node: "Node") -> Iterator[Fault]:
    try:
        value = float(text_of(node).replace("_", ""))
    except ValueError:
        return
    if value + 1 != value:
        yield Fault(node, "number", repr(value + 1))


_MAKERS = {
    "binary_expression": _swapped,
    "assignment_statement": _swapped,
    "inc_statement": _stepped,
    "dec_statement": _stepped,
    "unary_expression": _unary,
    "if_statement": _of_if,
    "slice_expression": _moved_bounds,
    "for_statement": _negated_condition,
    "for_clause": _negated_condition,
    "return_statement": other_result,
    "expression_statement": _left_out,
    "defer_statement": _left_out,
    "true": _flipped,
    "false": _flipped,
    "break_statement": other_jump,
    "continue_statement": other_jump,
    "int_literal": _next_number,
    "float_literal": _next_fraction,
}
