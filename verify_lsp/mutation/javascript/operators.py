"""The faults that are put into JavaScript: for a node of its syntax tree, what its text would be replaced by."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import SIGNS_OF_LOGIC, SWAPS, Fault, text_of
from verify_lsp.mutation.javascript.blocks import handled, otherwise
from verify_lsp.mutation.javascript.jumps import other_jump
from verify_lsp.mutation.javascript.nodes import (
    CLASSES,
    FUNCTIONS,
    GENERATORS,
    MARKUP,
    TEXTS,
    arguments_of,
    around,
    called,
    inner,
    operator_of,
    told,
)
from verify_lsp.mutation.javascript.values import flipped, next_number, other_text

if TYPE_CHECKING:
    from tree_sitter import Node

_SWAPS: Mapping[str, tuple[str, str]] = {
    **SWAPS,
    **SIGNS_OF_LOGIC,
    "===": ("equality", "!=="),
    "!==": ("equality", "==="),
    "??": ("logic", "&&"),
    "**": ("arithmetic", "*"),
    ">>>": ("bits", "<<"),
    "**=": ("assignment", "*="),
    ">>>=": ("assignment", "<<="),
    "&&=": ("assignment", "||="),
    "||=": ("assignment", "&&="),
    "??=": ("assignment", "&&="),
}
_DECIDES_ITSELF = frozenset({"binary_expression", "true", "false", "number"})
_NOTHING = frozenset({"undefined", "null", "true", "false", "this", *MARKUP, *FUNCTIONS, *CLASSES})
_MAKES_TEXT = re.compile(
    r"String|(?:.*\.)?(?:toString|join|trim\w*|to(?:Upper|Lower)Case|pad(?:Start|End)|replace(?:All)?|repeat|stringify)"
)
_ASKS = re.compile(
    r"(?:.*\.)?(?:(?:is|has|can|should)[A-Z]\w*|is|has|includes|startsWith|endsWith|test|some|every|equals)"
)
_CUTS = frozenset({"slice", "substring", "substr", "subarray"})
_COUNTS = frozenset(
    {"identifier", "member_expression", "call_expression", "subscript_expression", "parenthesized_expression"}
)
_NOT_LEFT_OUT = frozenset({"super", "import", "require"})


def faults(node: "Node") -> Iterator[Fault]:
    """Return the faults that can be put in at this node itself, not below it."""
    make = _MAKERS.get(node.type)
    if make is not None:
        yield from make(node)


def _swapped(node: "Node") -> Iterator[Fault]:
    """Swap the operator that stands between this node's operands."""
    token = node.child_by_field_name("operator")
    word = text_of(token)
    if word in {"in", "instanceof"}:
        yield Fault(node, "membership", f"!({text_of(node)})")
    if token is None or word not in _SWAPS or (word in {"+", "+="} and _joins_texts(node)):
        return
    operator, replacement = _SWAPS[word]
    if operator == "assignment" and _steps(node):
        return
    if word == "??" and _is_chained(node):
        yield _chained(node)
    else:
        yield Fault(token, operator, _set_apart(node, token, replacement))


def _set_apart(node: "Node", token: "Node", replacement: str) -> str:
    """`a+-b` is JavaScript, `a--b` is not."""
    text, start = node.text or b"", token.start_byte - node.start_byte
    end = token.end_byte - node.start_byte
    ahead = " " if text[start - 1 : start] in _SIGNS else ""
    behind = " " if text[end : end + 1] in _SIGNS else ""
    return ahead + replacement + behind


_SIGNS = frozenset(bytes([sign]) for sign in b"+-*/%=<>&|!")


def _is_chained(node: "Node") -> bool:
    """`a && b ?? c` is no JavaScript."""
    near = (node.parent, node.child_by_field_name("left"), node.child_by_field_name("right"))
    return any(each is not None and each.type == "binary_expression" and operator_of(each) == "??" for each in near)


def _chained(node: "Node") -> Fault:
    left, right = (text_of(node.child_by_field_name(side)) for side in ("left", "right"))
    return Fault(node, "logic", f"(({left}) && ({right}))")


def _joins_texts(node: "Node") -> bool:
    """Texts are joined by `+`: any other operator is an error at once. One text makes all that it is added to one."""
    top = node
    while (above := top.parent) is not None and above.type == "binary_expression" and operator_of(above) == "+":
        top = above
    return _has_text(top)


def _has_text(node: "Node") -> bool:
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if each.type in TEXTS or operator_of(each) == "typeof":
            return True
        if each.type == "call_expression" and _MAKES_TEXT.fullmatch(called(each)):
            return True
        if operator_of(each) in {"+", "+=", "||", "??"}:
            waiting += [child for side in ("left", "right") if (child := each.child_by_field_name(side))]
        elif each.type == "parenthesized_expression":
            waiting += told(each)
        elif each.type == "ternary_expression":
            waiting += told(each)[1:]
    return False


def _steps(node: "Node") -> bool:
    """A loop that steps the other way does not end."""
    above = node.parent
    return above is not None and above.type == "for_statement"


def _without_sign(node: "Node") -> Iterator[Fault]:
    argument = node.child_by_field_name("argument")
    if argument is None:
        return
    if operator_of(node) == "-" and argument.type != "number":
        yield Fault(node, "sign", text_of(argument))
    above = node.parent
    if operator_of(node) == "!" and not (above is not None and operator_of(above) == "!") and not _is_wrapper(argument):
        # What begins a statement must not look as if it went on with the line above.
        begins = (statement := around(node, _STATEMENT)) is not None and statement.start_byte == node.start_byte
        yield Fault(node, "negation", ("!!" if begins else "") + text_of(argument))


_STATEMENT = frozenset({"expression_statement"})


def _negated_condition(node: "Node") -> Iterator[Fault]:
    condition = inner(node.child_by_field_name("condition"))
    if condition is None or not condition.is_named or condition.type in {*_DECIDES_ITSELF, "empty_statement"}:
        return
    if operator_of(condition) != "!":
        yield Fault(condition, "condition", f"!({text_of(condition)})")


def _returned(node: "Node") -> Iterator[Fault]:
    """What a function gives back; what a generator does is hardly ever read."""
    value = told(node)[0] if told(node) else None
    function = around(node, FUNCTIONS)
    if function is not None and (function.type in GENERATORS or any(child.type == "*" for child in function.children)):
        return
    if value is not None:
        yield from _nothing_for(value)


def _gives(node: "Node") -> Iterator[Fault]:
    """An arrow function that is one expression."""
    body = node.child_by_field_name("body")
    if body is not None and body.type != "statement_block":
        yield from _nothing_for(body)


def _nothing_for(value: "Node") -> Iterator[Fault]:
    plain = inner(value)
    if plain is None or plain.type in _NOTHING or operator_of(plain) == "void" or _is_markup(plain):
        return
    asks = plain.type == "call_expression" and _ASKS.fullmatch(called(plain))
    yield Fault(value, "return", f"!({text_of(value)})" if asks else "undefined")


def _is_markup(node: "Node") -> bool:
    """Markup that is chosen is markup."""
    if node.type in {"ternary_expression", "binary_expression"}:
        return any((each := inner(part)) is not None and each.type in MARKUP for part in told(node))
    return False


def _left_out(node: "Node") -> Iterator[Fault]:
    """A call for its effect alone, or what takes something away."""
    parts = told(node)
    if len(parts) != 1:
        return
    only = parts[0]
    call = told(only)[0] if only.type == "await_expression" and told(only) else only
    if call.type == "call_expression" and called(call) not in _NOT_LEFT_OUT and not _is_wrapper(call):
        yield Fault(only, "call", "void 0")
    if operator_of(only) == "delete":
        yield Fault(only, "call", "void 0")


def _is_wrapper(call: "Node") -> bool:
    """`(function () { … })()` is what a file does, not a call that could be forgotten."""
    function = inner(call.child_by_field_name("function"))
    while function is not None and function.type in {"member_expression", "call_expression"}:
        function = inner(function.child_by_field_name("object") or function.child_by_field_name("function"))
    return function is not None and function.type in FUNCTIONS


def _not_thrown(node: "Node") -> Iterator[Fault]:
    """An error without a message; where there is one, the condition above is what tests should notice."""
    thrown = inner(told(node)[0]) if told(node) else None
    if thrown is not None and not (thrown.type in {"new_expression", "call_expression"} and arguments_of(thrown)):
        yield Fault(node, "raise", ";")


def _moved_bounds(node: "Node") -> Iterator[Fault]:
    """Where a piece of a text or a list begins or ends: one later. Numbers have a fault of their own; nothing lies past the end."""
    if called(node).rpartition(".")[2] in _CUTS and "." in called(node):
        for bound in arguments_of(node)[:2]:
            if bound.type in _COUNTS and not text_of(bound).endswith(".length"):
                yield Fault(bound, "slice", f"{text_of(bound)} + 1")


_MAKERS = {
    "binary_expression": _swapped,
    "augmented_assignment_expression": _swapped,
    "unary_expression": _without_sign,
    "if_statement": _negated_condition,
    "while_statement": _negated_condition,
    "do_statement": _negated_condition,
    "for_statement": _negated_condition,
    "ternary_expression": _negated_condition,
    "return_statement": _returned,
    "arrow_function": _gives,
    "expression_statement": _left_out,
    "throw_statement": _not_thrown,
    "call_expression": _moved_bounds,
    "catch_clause": handled,
    "else_clause": otherwise,
    "true": flipped,
    "false": flipped,
    "break_statement": other_jump,
    "continue_statement": other_jump,
    "number": next_number,
    "string": other_text,
    "template_string": other_text,
}
