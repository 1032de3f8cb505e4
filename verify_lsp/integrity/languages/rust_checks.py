"""What a Rust assertion says: `assert!`, `assert_eq!` and their like. What a macro is given is parsed as an expression."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from verify_lsp.integrity.cases import Strength
from verify_lsp.integrity.nodes import field, is_literal, named, normal, number, text
from verify_lsp.integrity.said import NOTHING, Said, equal, of, together, truth

if TYPE_CHECKING:
    from tree_sitter import Node

_EQUAL = re.compile(r"^(?:debug_)?(?:prop_)?assert_(?:str_|cmd_)?eq$|^(?:eqnice|assert_equal|assert_data_eq)$")
_TRUE = re.compile(r"^(?:debug_)?(?:prop_)?assert$")
_DIFFERENT = re.compile(r"^(?:debug_)?(?:prop_)?assert_ne$")
_OTHER = re.compile(r"^(?:assert|check|expect|verify|eq|nice|snapshot)\w*$")
_OWNED = frozenset(
    {"to_string", "to_owned", "into", "to_vec", "clone", "as_str", "as_bytes", "as_slice", "iter", "to_vec()"}
)
_EMPTINESS = frozenset({"is_empty"})
_PARTS = frozenset({"contains", "starts_with", "ends_with", "contains_key", "is_match", "eq_ignore_ascii_case"})
_KINDS = frozenset({"is_ok", "is_err", "is_some", "is_none"})


def said_by_macro(macro: "Node") -> tuple[tuple[Said, str], ...] | None:
    """Return what a macro asserts, a part each with its normal form; None when it is no assertion."""
    name_node = field(macro, "macro")
    name = text(name_node).rpartition("::")[2] if name_node is not None else ""
    if not _OTHER.match(name):
        return None
    given = arguments(macro)
    if given is None:
        return ((Said({normal(macro): Strength.EXACT}), normal(macro)),)
    if _TRUE.match(name) and given:
        return tuple((said_by(part), normal(part)) for part in conditions(given[0]))
    if len(given) > 1 and (_EQUAL.match(name) or _DIFFERENT.match(name)):
        return (_of_two(given[0], given[1], same=_EQUAL.match(name) is not None),)
    strength = Strength.BOUND if name == "assert_matches" else Strength.EXACT
    told = given[:1] if name == "assert_matches" or "snapshot" in name else given
    claims = {key: known for each in told if not is_literal(each) for key, known in of(each, strength).items()}
    return ((Said(claims), normal(macro)),)


def _of_two(one: "Node", other: "Node", *, same: bool) -> tuple[Said, str]:
    if same:
        return _equal(one, other), f"{normal(one)}=={normal(other)}"
    return equal(_bare(one), _bare(other), Strength.TRUTH), f"{normal(one)}!={normal(other)}"


def arguments(macro: "Node") -> "list[Node] | None":
    """Return what a macro is given, as expressions; None where that is no list of expressions."""
    from verify_lsp.syntax.trees import parse

    tokens = next((child for child in named(macro) if child.type == "token_tree"), None)
    if tokens is None:
        return None
    inner = text(tokens)[1:-1]
    root = parse("rust", f"fn f() {{ g({inner}); }}".encode()).root_node
    call = next((node for node in _descend(root) if node.type == "call_expression"), None)
    given = field(call, "arguments") if call is not None else None
    return None if given is None or root.has_error else named(given)


def conditions(node: "Node") -> Iterator["Node"]:
    """Yield the parts of a condition that all have to hold."""
    node = _unwrapped(node)
    if node.type == "binary_expression" and _sign(node) == "&&":
        for part in named(node):
            yield from conditions(part)
    else:
        yield node


def said_by(node: "Node") -> Said:
    """Return what a condition says."""
    node = _unwrapped(node)
    match node.type:
        case "binary_expression":
            return _binary(node)
        case "unary_expression" if text(node).startswith("!"):
            inner = said_by(named(node)[0])
            return Said({name: min(strength, Strength.TRUTH) for name, strength in inner.claims.items()}, "!")
        case "macro_invocation" if text(node).startswith("matches!"):
            given = next((child for child in named(node) if child.type == "token_tree"), None)
            subject = text(given)[1:-1].partition(",")[0] if given is not None else normal(node)
            return Said({re.sub(r"\s+", "", subject).lstrip("&"): Strength.BOUND}, normal(node))
        case "call_expression":
            return _call(node)
        case _:
            return truth(node)


def _call(node: "Node") -> Said:
    function, given = field(node, "function"), field(node, "arguments")
    name, value = (field(function, "field"), field(function, "value")) if function is not None else (None, None)
    if name is None or value is None:
        return truth(node)
    called, value = text(name), _bare(value)
    if called in _EMPTINESS:
        return Said({f"{normal(value)}.len()": Strength.EXACT, normal(value): Strength.TRUTH}, "0")
    if called in _KINDS:
        return Said({normal(node): Strength.TRUTH, normal(value): Strength.TYPE})
    if called in _PARTS and given is not None and named(given):
        return Said({normal(node): Strength.TRUTH, **of(value, Strength.BOUND)}, normal(named(given)[0]), literal=True)
    return truth(node)


def _binary(node: "Node") -> Said:
    operands = named(node)
    match _sign(node):
        case "==":
            return _equal(operands[0], operands[1])
        case "!=":
            return equal(_bare(operands[0]), _bare(operands[1]), Strength.TRUTH)
        case "<" | "<=" | ">" | ">=" as sign:
            value = number(operands[1])
            limit = {} if value is None else {"<": value} if sign.startswith("<") else {">": -value}
            return attrs.evolve(equal(operands[0], operands[1], Strength.BOUND), tolerance=limit)
        case "||":
            return together([said_by(part) for part in operands], Strength.BOUND)
        case "&&":
            return Said({name: known for part in operands for name, known in said_by(part).claims.items()})
        case _:
            return truth(node)


def _equal(left: "Node", right: "Node") -> Said:
    one, other = _bare(left), _bare(right)
    if is_literal(one) and is_literal(other):
        return NOTHING
    return _without_wrapper(one, other) or equal(one, other)


def _without_wrapper(one: "Node", other: "Node") -> Said | None:
    """`x == Ok(3)` knows x, and so does `x.unwrap() == 3`."""
    for value, expected in ((one, other), (other, one)):
        function = field(expected, "function") if expected.type == "call_expression" else None
        if function is not None and text(function) in {"Ok", "Some", "Err"}:
            return Said(
                {normal(value): Strength.EXACT, f"{normal(value)}.unwrap()": Strength.EXACT},
                normal(expected),
                literal=True,
            )
    return None


def _bare(node: "Node") -> "Node":
    """Return a value without what only makes it owned or borrowed."""
    node = _unwrapped(node)
    if node.type == "reference_expression" and (value := field(node, "value")) is not None:
        return _bare(value)
    function = field(node, "function") if node.type == "call_expression" else None
    if function is not None and function.type == "field_expression":
        name, value = field(function, "field"), field(function, "value")
        if name is not None and value is not None and text(name) in _OWNED:
            return _bare(value)
    return node


def _unwrapped(node: "Node") -> "Node":
    while node.type == "parenthesized_expression" and len(named(node)) == 1:
        node = named(node)[0]
    return node


def _descend(node: "Node") -> Iterator["Node"]:
    yield node
    for child in node.children:
        yield from _descend(child)


def _sign(node: "Node") -> str:
    operator = field(node, "operator")
    return text(operator) if operator is not None else ""
