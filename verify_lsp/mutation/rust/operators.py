"""The faults that are put into Rust: for a node of its syntax tree, what its text would be replaced by."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import SIGNS_OF_LOGIC, SWAPS, Fault, first_child, text_of
from verify_lsp.mutation.rust.blocks import otherwise
from verify_lsp.mutation.rust.numbers import next_fraction, next_number
from verify_lsp.mutation.rust.places import last_name, last_of
from verify_lsp.mutation.rust.returns import returned

if TYPE_CHECKING:
    from tree_sitter import Node

_SWAPS: Mapping[str, tuple[str, str]] = {**SWAPS, **SIGNS_OF_LOGIC}
_DECIDING = frozenset({"<", "<=", ">", ">=", "==", "!=", "&&", "||"})
_COUNTS = frozenset(
    {"identifier", "field_expression", "call_expression", "index_expression", "parenthesized_expression"}
)
_TEXTUAL = re.compile(
    r'^(?:&|[bcr]?r?#*"|format!|String::|.*\.(?:to_string|to_owned|as_str|to_lowercase|trim)\(\)$)', re.DOTALL
)
_SPEAKING = re.compile(
    r"drop|forget|flush|assert\w*|(?:e?print|log|warn|info|debug|trace|error)\w*|abort|exit|panic\w*"
)


def faults(node: "Node") -> Iterator[Fault]:
    """Return the faults that can be put in at this node itself, not below it."""
    make = _MAKERS.get(node.type)
    if make is not None:
        yield from make(node)


def _swapped(node: "Node") -> Iterator[Fault]:
    token = node.child_by_field_name("operator")
    word = text_of(token)
    if token is None or word not in _SWAPS:
        return
    operator, replacement = _SWAPS[word]
    if word in {"+", "+="} and _joins_texts(node):
        return
    if operator == "logic" and node.parent is not None and node.parent.type == "let_chain":
        return  # Beside a `let`, only `&&` may stand.
    left = node.child_by_field_name("left")
    if replacement.startswith("<") and left is not None and left.type == "type_cast_expression":
        return  # `a as u8 << 1` does not parse.
    yield Fault(token, operator, replacement)


def _joins_texts(node: "Node") -> bool:
    """Texts are joined by `+`: any other operator does not compile."""
    sides = [side for name in ("left", "right") if (side := node.child_by_field_name(name)) is not None]
    return any(
        _TEXTUAL.match(text_of(side)) is not None or (side.type == "binary_expression" and _joins_texts(side))
        for side in sides
    )


def _without_sign(node: "Node") -> Iterator[Fault]:
    inner = first_child(node)
    sign = text_of(node.children[0])
    if inner is None or sign not in {"!", "-"}:
        return
    if sign == "!":
        yield Fault(node, "negation", text_of(inner))
    elif inner.type not in {"integer_literal", "float_literal"}:
        yield Fault(node, "sign", text_of(inner))


def _turned_around(node: "Node") -> Iterator[Fault]:
    condition = node.child_by_field_name("condition")
    inner = condition
    while inner is not None and inner.type == "parenthesized_expression":
        inner = first_child(inner)
    if condition is None or inner is None or _decides_itself(inner):
        return
    yield Fault(condition, "condition", f"!({text_of(condition)})")


def _decides_itself(node: "Node") -> bool:
    if node.type in {"let_condition", "let_chain", "boolean_literal", "block", "unsafe_block"}:
        return True
    if node.type == "unary_expression":
        return text_of(node.children[0]) == "!"
    return node.type == "binary_expression" and text_of(node.child_by_field_name("operator")) in _DECIDING


def _other_jump(node: "Node") -> Iterator[Fault]:
    """A `loop` that is not left would run for ever: there, `break` stays."""
    label = next((child for child in node.children if child.type == "label"), None)
    if any(child.type != "label" for child in node.named_children):
        return
    loop = _loop_around(node, text_of(label))
    if loop is None or loop.type not in {"for_expression", "while_expression", "loop_expression"}:
        return
    word = f" {text_of(label)}" if label is not None else ""
    if node.type == "continue_expression":
        yield Fault(node, "loop", f"break{word}")
    elif loop.type != "loop_expression":
        yield Fault(node, "loop", f"continue{word}")


def _loop_around(node: "Node", label: str) -> "Node | None":
    above = node.parent
    while above is not None and above.type not in {"function_item", "closure_expression", "async_block"}:
        named = text_of(next((child for child in above.children if child.type == "label"), None))
        is_loop = above.type in {"for_expression", "while_expression", "loop_expression"}
        if (label and named == label and above.type != "break_expression") or (not label and is_loop):
            return above
        above = above.parent
    return None


def _flipped(node: "Node") -> Iterator[Fault]:
    yield Fault(node, "truth", "false" if text_of(node) == "true" else "true")


def _left_out(node: "Node") -> Iterator[Fault]:
    """A call for its effect alone."""
    only = first_child(node)
    call = only
    while call is not None and call.type in {"try_expression", "await_expression"}:
        call = first_child(call)
    if only is None or call is None or call.type != "call_expression" or not text_of(node).endswith(";"):
        return
    if _SPEAKING.fullmatch(last_name(call.child_by_field_name("function"))) is None:
        yield Fault(only, "call", "()")


def _of_return(node: "Node") -> Iterator[Fault]:
    value = first_child(node)
    return returned(value) if value is not None else iter(())


def _of_block(node: "Node") -> Iterator[Fault]:
    value = last_of(node)
    return returned(value) if value is not None else iter(())


def _of_arm(node: "Node") -> Iterator[Fault]:
    value = node.child_by_field_name("value")
    return returned(value) if value is not None else iter(())


def _next_number(node: "Node") -> Iterator[Fault]:
    text = next_number(text_of(node))
    if text is not None:
        yield Fault(node, "number", text)


def _next_fraction(node: "Node") -> Iterator[Fault]:
    text = next_fraction(text_of(node))
    if text is not None:
        yield Fault(node, "number", text)


def _moved_bounds(node: "Node") -> Iterator[Fault]:
    """Where a piece of a slice begins or ends: one later. Numbers have a fault of their own."""
    bounds = node.named_children[-1] if node.named_children else None
    if bounds is not None and bounds.type == "range_expression":
        for bound in bounds.named_children:
            if bound.type in _COUNTS:
                yield Fault(bound, "slice", f"{text_of(bound)} + 1")


_MAKERS: "Mapping[str, Callable[[Node], Iterator[Fault]]]" = {
    "binary_expression": _swapped,
    "compound_assignment_expr": _swapped,
    "unary_expression": _without_sign,
    "if_expression": _turned_around,
    "while_expression": _turned_around,
    "match_pattern": _turned_around,
    "break_expression": _other_jump,
    "continue_expression": _other_jump,
    "boolean_literal": _flipped,
    "expression_statement": _left_out,
    "return_expression": _of_return,
    "block": _of_block,
    "match_arm": _of_arm,
    "else_clause": otherwise,
    "index_expression": _moved_bounds,
    "integer_literal": _next_number,
    "float_literal": _next_fraction,
}
