"""What a Go assertion says: a condition that leads to `t.Error` or `t.Fatal`, and testify's functions."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import attrs

from verify_lsp.integrity.cases import Strength
from verify_lsp.integrity.nodes import field, is_literal, named, normal, number, text
from verify_lsp.integrity.said import NOTHING, Said, equal, of, together, truth

if TYPE_CHECKING:
    from tree_sitter import Node


def _table(strength: Strength, names: str) -> dict[str, Strength]:
    return dict.fromkeys(names.split(), strength)


_TESTIFY: Mapping[str, Strength] = {
    **_table(
        Strength.EXACT,
        "Equal EqualValues EqualExportedValues Exactly JSONEq YAMLEq ElementsMatch EqualError ErrorIs ErrorContains Nil "
        "NoError Same Zero PanicsWithValue PanicsWithError NotPanics DeepEqual DeepEquals Equals Empty NilError",
    ),
    **_table(
        Strength.BOUND,
        "Contains Len Greater GreaterOrEqual Less LessOrEqual InDelta InEpsilon Regexp Subset WithinDuration ErrorAs "
        "InDeltaSlice NotContains Positive Negative HasPrefix ErrorType",
    ),
    **_table(Strength.TYPE, "IsType Implements"),
    **_table(Strength.TRUTH, "True False NotNil NotEmpty NotEqual NotZero Error Panics NotSame NotRegexp FileExists Check Assert"),
}  # fmt: skip
_OF_FIRST: Mapping[str, Strength] = {
    **_table(Strength.EXACT, "Contains NotContains Subset ErrorIs ErrorAs ErrorContains EqualError"),
    **_table(Strength.BOUND, "Len"),
}
_ALONE = frozenset({"Nil", "NoError", "Zero", "Empty", "NotPanics", "NilError"})
_OWNERS = re.compile(r"^(?:assert|require|s|suite|ts|is|a|r|req|c|check|td|Expect|\w+\.(?:Require|Assert)\(\))$")
_TESTING = re.compile(r"^(?:t|tb|b|c|f|st|tt|\w+\.T\(\)|t\d|tc\.t|T)$")
_EQUALS = re.compile(r"(?:^|\.)(?:DeepEqual|Equal|EqualFold|SameElements)$")
_PARTS = re.compile(r"(?:^|\.)(?:Contains|HasPrefix|HasSuffix|MatchString|Match|Is|As|EqualFold)$")
_CUSTOM = re.compile(r"^(?:assert|check|expect|verify|must|require)(?:[A-Z]\w*)?$")
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def said_by_call(call: "Node") -> Said | None:
    """Return what a call asserts; None when it is no assertion."""
    function, given = field(call, "function"), _arguments(call)
    if function is None:
        return None
    if function.type == "identifier":
        if not _CUSTOM.match(text(function)) or call.parent is None or call.parent.type != "expression_statement":
            return None
        values = [value for value in given if not is_literal(value) and not _TESTING.match(normal(value))]
        return Said({key: strength for value in values for key, strength in of(value, Strength.EXACT).items()})
    owner, name_node = field(function, "operand"), field(function, "field")
    if owner is None or name_node is None or not _OWNERS.match(normal(owner)):
        return None
    name = text(name_node)
    strength = _TESTIFY.get(name) or _TESTIFY.get(name.removesuffix("f"))
    if given and _TESTING.match(normal(given[0])):
        given = given[1:]
    return None if strength is None or not given else _testify(name.removesuffix("f"), strength, given)


def _testify(name: str, strength: Strength, given: "list[Node]") -> Said:
    first, second = given[0], given[1] if len(given) > 1 else None
    if name in {"True", "Check", "Assert", "False"}:
        said = said_unless_not(first)
        return _capped(said) if name == "False" else said
    if name in _ALONE:
        return Said(of(first, strength), "nil", literal=True)
    if second is None or strength is Strength.TRUTH:
        return _capped(truth(first)) if second is None or name != "NotEqual" else equal(first, second, Strength.TRUTH)
    if name in _OF_FIRST:
        return Said(of(first, min(strength, _OF_FIRST[name])), normal(second), is_literal(second))
    if strength is Strength.TYPE:
        return Said(of(second, strength), normal(first))
    tolerance = number(given[2]) if name.startswith("In") and len(given) > 2 else None
    said = equal(first, second, strength)
    return attrs.evolve(said, tolerance={"delta": tolerance} if tolerance is not None else _limit(name, first, second))


def _limit(name: str, first: "Node", second: "Node") -> Mapping[str, float]:
    value = number(second)
    if value is None:
        value, name = number(first), {"Less": "Greater", "Greater": "Less"}.get(name.removesuffix("OrEqual"), name)
    if value is None:
        return {}
    return {"<": value} if name.startswith("Less") else {">": -value} if name.startswith("Greater") else {}


def failing_parts(condition: "Node") -> Iterator["Node"]:
    """Yield the parts of a condition each of which lets the test fail."""
    while condition.type == "parenthesized_expression" and len(named(condition)) == 1:
        condition = named(condition)[0]
    if condition.type == "binary_expression" and _sign(condition) == "||":
        for part in named(condition):
            yield from failing_parts(part)
    else:
        yield condition


def said_unless(condition: "Node", names: Mapping[str, str]) -> Said:
    """Return what is known of values where a condition does not hold. `names` are what names stand for."""
    said = _unless(condition)
    claims: dict[str, Strength] = {}
    for name, strength in said.claims.items():
        if name in names:
            claims[names[name]] = strength
        claims[name] = strength
    return attrs.evolve(said, claims=claims)


def said_unless_not(condition: "Node") -> Said:
    """Return what is known of values where a condition holds."""
    while condition.type == "parenthesized_expression" and len(named(condition)) == 1:
        condition = named(condition)[0]
    if condition.type == "binary_expression":
        sign, operands = _sign(condition), named(condition)
        if sign in _OPPOSITE:
            return _compared(operands, sign)
        if sign == "||":
            return together([said_unless_not(part) for part in operands], Strength.BOUND)
        return Said({key: known for part in operands for key, known in said_unless_not(part).claims.items()})
    if condition.type == "unary_expression" and text(condition).startswith("!"):
        return _capped(said_unless_not(named(condition)[0]))
    return _called(condition) if condition.type == "call_expression" else truth(condition)


def _unless(condition: "Node") -> Said:
    if condition.type == "binary_expression":
        sign, operands = _sign(condition), named(condition)
        if sign in _OPPOSITE:
            return _compared(operands, _OPPOSITE[sign])
        return together([_unless(part) for part in operands], Strength.BOUND)
    if condition.type == "unary_expression" and text(condition).startswith("!"):
        return said_unless_not(named(condition)[0])
    return _capped(truth(condition))


def _compared(operands: "list[Node]", sign: str) -> Said:
    left, right = operands
    if sign == "==":
        return equal(left, right)
    if sign == "!=":
        return equal(left, right, Strength.TRUTH)
    value = number(right)
    limit = {} if value is None else {"<": value} if sign.startswith("<") else {">": -value}
    return attrs.evolve(equal(left, right, Strength.BOUND), tolerance=limit)


def _called(call: "Node") -> Said:
    function, given = field(call, "function"), _arguments(call)
    name = normal(function) if function is not None else ""
    if len(given) > 1 and _EQUALS.search(name):
        return equal(given[0], given[1])
    if len(given) > 1 and _PARTS.search(name):
        claims = {normal(call): Strength.TRUTH, **of(given[0], Strength.BOUND)}
        return Said(claims, normal(given[1]), is_literal(given[1]))
    return truth(call)


def _capped(said: Said) -> Said:
    if not said.claims:
        return NOTHING
    return Said({name: min(strength, Strength.TRUTH) for name, strength in said.claims.items()}, said.expected)


def _arguments(call: "Node") -> "list[Node]":
    given = field(call, "arguments")
    return named(given) if given is not None else []


def _sign(node: "Node") -> str:
    operator = field(node, "operator")
    return text(operator) if operator is not None else ""
