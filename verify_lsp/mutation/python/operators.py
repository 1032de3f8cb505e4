"""The faults that are put into Python: for a node of its syntax tree, what its text would be replaced by."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import SWAPS, Fault, first_child, text_of
from verify_lsp.mutation.python.blocks import handled, otherwise
from verify_lsp.mutation.python.returned import other_result

if TYPE_CHECKING:
    from tree_sitter import Node

_SWAPS: Mapping[str, tuple[str, str]] = {
    **SWAPS,
    "is": ("equality", "is not"),
    "is not": ("equality", "is"),
    "in": ("membership", "not in"),
    "not in": ("membership", "in"),
    "and": ("logic", "or"),
    "or": ("logic", "and"),
    "//": ("arithmetic", "*"),
    "**": ("arithmetic", "*"),
    "//=": ("assignment", "*="),
}
_TEXTUAL = frozenset({"string", "concatenated_string", "list", "dictionary", "tuple", "list_comprehension"})
_VALUES = frozenset({"default_parameter", "typed_default_parameter", "conditional_expression"})
_COUNTS = frozenset({"identifier", "attribute", "call", "subscript", "parenthesized_expression", "binary_operator"})
_FALLBACK_AT: Mapping[str, int] = {"get": 2, "pop": 2, "setdefault": 2, "getenv": 2, "next": 2, "getattr": 3}
"""Functions whose last argument, if there are so many, is what they give where they find nothing."""
_DECIDES_ITSELF = frozenset({"comparison_operator", "boolean_operator", "not_operator", "true", "false", "integer"})


def faults(node: "Node") -> Iterator[Fault]:
    """Return the faults that can be put in at this node itself, not below it."""
    make = _MAKERS.get(node.type)
    if make is not None:
        yield from make(node)


def _swapped(node: "Node") -> Iterator[Fault]:
    """Swap each operator that stands between this node's operands."""
    for child in node.children:
        word = " ".join(text_of(child).split())
        if not _is_operator(child) or word not in _SWAPS:
            continue
        operator, replacement = _SWAPS[word]
        if operator not in {"arithmetic", "assignment"} or not _joins_texts(node):
            yield Fault(child, operator, replacement)


def _is_operator(child: "Node") -> bool:
    return not child.is_named or child.type in {"is not", "not in"}


def _joins_texts(node: "Node") -> bool:
    """Texts and lists are joined by `+` and formatted by `%`: any other operator is an error at once."""
    if any(child.type in _TEXTUAL for child in node.named_children):
        return True
    return any(
        child.type in {"binary_operator", "parenthesized_expression"} and _joins_texts(child)
        for child in node.named_children
    )


def _without_not(node: "Node") -> Iterator[Fault]:
    argument = node.child_by_field_name("argument")
    if argument is not None:
        yield Fault(node, "negation", text_of(argument))


def _negated_condition(node: "Node") -> Iterator[Fault]:
    condition = node.child_by_field_name("condition")
    inner = condition
    while inner is not None and inner.type == "parenthesized_expression" and inner.named_child_count == 1:
        inner = first_child(inner)
    if condition is not None and inner is not None and inner.type not in _DECIDES_ITSELF:
        yield Fault(condition, "condition", f"not ({text_of(condition)})")


def _chosen_otherwise(node: "Node") -> Iterator[Fault]:
    parts = [child for child in node.named_children if child.type != "comment"]
    if len(parts) == 3 and parts[1].type not in _DECIDES_ITSELF:
        yield Fault(parts[1], "condition", f"not ({text_of(parts[1])})")


def _without_sign(node: "Node") -> Iterator[Fault]:
    argument = node.child_by_field_name("argument")
    operator = node.child_by_field_name("operator")
    if argument is not None and text_of(operator) == "-" and argument.type not in {"integer", "float"}:
        yield Fault(node, "sign", text_of(argument))


def _left_out(node: "Node") -> Iterator[Fault]:
    """A call for its effect alone."""
    only = first_child(node)
    if node.named_child_count == 1 and only is not None and only.type == "call" and ":=" not in text_of(only):
        yield Fault(only, "call", "pass")


def _not_raised(node: "Node") -> Iterator[Fault]:
    """An exception without a message; where there is one, the condition above is what tests should notice."""
    raised = first_child(node)
    arguments = raised.child_by_field_name("arguments") if raised is not None and raised.type == "call" else None
    if arguments is None or arguments.named_child_count == 0:
        yield Fault(node, "raise", "pass")


def _flipped(node: "Node") -> Iterator[Fault]:
    yield Fault(node, "truth", "False" if node.type == "true" else "True")


def _other_jump(node: "Node") -> Iterator[Fault]:
    yield Fault(node, "loop", "continue" if node.type == "break_statement" else "break")


def _next_number(node: "Node") -> Iterator[Fault]:
    text = text_of(node)
    try:
        value = int(text, 0)
    except ValueError:
        return
    yield Fault(node, "number", str(value + 1))


def _next_fraction(node: "Node") -> Iterator[Fault]:
    try:
        value = float(text_of(node))
    except ValueError:
        return
    if value + 1 != value:
        yield Fault(node, "number", repr(value + 1))


def _moved_bounds(node: "Node") -> Iterator[Fault]:
    """One later; numbers have a fault of their own, nothing lies past the end, and a step is no bound."""
    colons = 0
    for child in node.children:
        colons += child.type == ":"
        if colons < 2 and child.type in _COUNTS and not text_of(child).startswith("len("):
            yield Fault(child, "slice", f"{text_of(child)} + 1")


def _other_text(node: "Node") -> Iterator[Fault]:
    """A text that is given as a value; keys, messages and formats stay."""
    parent = node.parent
    if parent is None or not (parent.type in _VALUES or _is_fallback(node, parent)):
        return
    kinds = [child.type for child in node.children]
    prefix = text_of(node.children[0]).lower()
    if "interpolation" not in kinds and "f" not in prefix:
        empty = "string_content" not in kinds
        replacement = '"x"' if empty else '""'
        yield Fault(node, "text", ("b" if "b" in prefix else "") + replacement)


def _is_fallback(node: "Node", arguments: "Node") -> bool:
    """`settings.get(key, "x")`: what is taken where nothing is found."""
    call = arguments.parent
    if arguments.type != "argument_list" or call is None or call.type != "call":
        return False
    named = text_of(call.child_by_field_name("function")).rpartition(".")[2]
    return arguments.named_child_count >= _FALLBACK_AT.get(named, 9) and arguments.named_children[-1] == node


_MAKERS = {
    "comparison_operator": _swapped,
    "boolean_operator": _swapped,
    "binary_operator": _swapped,
    "augmented_assignment": _swapped,
    "not_operator": _without_not,
    "if_statement": _negated_condition,
    "elif_clause": _negated_condition,
    "while_statement": _negated_condition,
    "conditional_expression": _chosen_otherwise,
    "unary_operator": _without_sign,
    "return_statement": other_result,
    "expression_statement": _left_out,
    "raise_statement": _not_raised,
    "true": _flipped,
    "false": _flipped,
    "break_statement": _other_jump,
    "continue_statement": _other_jump,
    "integer": _next_number,
    "float": _next_fraction,
    "string": _other_text,
    "slice": _moved_bounds,
    "except_clause": handled,
    "except_group_clause": handled,
    "else_clause": otherwise,
}
