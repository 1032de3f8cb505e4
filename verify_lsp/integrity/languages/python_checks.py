"""What a Python assertion says: `assert`, unittest's methods, `pytest.raises`, mocks and numpy."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import attrs

from verify_lsp.integrity.cases import Strength
from verify_lsp.integrity.nodes import field, is_literal, named, normal, number, text
from verify_lsp.integrity.said import NOTHING, Said, equal, of, together, truth

if TYPE_CHECKING:
    from tree_sitter import Node

_EXACT = frozenset({
    *("assertEqual", "assertEquals", "assertIs", "assertListEqual", "assertDictEqual", "assertTupleEqual"),
    *("assertSetEqual", "assertSequenceEqual", "assertMultiLineEqual", "assertCountEqual", "assertItemsEqual"),
    *("assert_equal", "assert_array_equal", "assert_frame_equal", "assert_series_equal", "assertHTMLEqual"),
    *("assertJSONEqual", "assertQuerySetEqual", "eq_"),
})  # fmt: skip
_NEAR = frozenset({"assertAlmostEqual", "assertAlmostEquals", "assert_allclose", "assert_almost_equal", "assertApprox"})
_BOUNDS = frozenset({
    *("assertGreater", "assertGreaterEqual", "assertLess", "assertLessEqual", "assertRegex", "assertRegexpMatches"),
    *("assertDictContainsSubset", "assertContains", "assertStartsWith", "assertEndsWith"),
})  # fmt: skip
_STRENGTHS: Mapping[str, Strength] = {
    **dict.fromkeys(_EXACT, Strength.EXACT),
    **dict.fromkeys(_NEAR | _BOUNDS, Strength.BOUND),
    **dict.fromkeys(("assertNotEqual", "assertIsNot"), Strength.TRUTH),
}
_MOCKS: Mapping[str, Strength] = {
    "assert_called_once_with": Strength.EXACT,
    "assert_called_with": Strength.EXACT,
    "assert_has_calls": Strength.EXACT,
    "assert_any_call": Strength.BOUND,
    "assert_called_once": Strength.BOUND,
    "assert_not_called": Strength.EXACT,
    "assert_called": Strength.TRUTH,
}
_RAISES = frozenset({"raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp", "assertWarns", "warns"})
_ANYTHING = frozenset({"Exception", "BaseException", "", "None", "Warning"})
_CLOSE = frozenset({"approx", "isclose", "allclose"})
_TOLERANCES = frozenset({"rel", "abs", "rel_tol", "abs_tol", "rtol", "atol", "delta"})
_BOOL_CALLS = re.compile(r"^(?:startswith|endswith|match|search|fullmatch|issubset|issuperset)$")
_CUSTOM = re.compile(r"^_?(?:assert|verify|expect|check)(?:_\w+|[A-Z]\w*)$")


def last_name(function: "Node | None") -> str:
    """Return the name that is called: `c` of `a.b.c`."""
    if function is None:
        return ""
    if function.type == "attribute":
        function = field(function, "attribute")
    return text(function) if function is not None and function.type == "identifier" else ""


def conditions(node: "Node") -> Iterator["Node"]:
    """Yield the parts of a condition that all have to hold."""
    while node.type == "parenthesized_expression" and len(named(node)) == 1:
        node = named(node)[0]
    if node.type == "boolean_operator" and _operator(node) == "and":
        for side in ("left", "right"):
            part = field(node, side)
            if part is not None:
                yield from conditions(part)
    else:
        yield node


def said_by(node: "Node") -> Said:
    """Return what a condition says."""
    match node.type:
        case "comparison_operator":
            return _comparison(node)
        case "not_operator":
            inner = field(node, "argument")
            return attrs.evolve(_negated(inner), expected="not") if inner is not None else NOTHING
        case "boolean_operator":
            parts = [said_by(part) for part in named(node)]
            return together(parts, Strength.BOUND)
        case "call":
            return _call(node)
        case "parenthesized_expression" if len(named(node)) == 1:
            return said_by(named(node)[0])
        case _:
            # A tuple is true whatever is in it.
            return NOTHING if node.type == "tuple" else truth(node)


def said_by_call(call: "Node") -> Said | None:
    """Return what a call asserts; None when it is no assertion."""
    name = last_name(field(call, "function"))
    arguments = _positional(call)
    if name in _MOCKS and (function := field(call, "function")) is not None and function.type == "attribute":
        owner = field(function, "object")
        given = field(call, "arguments")
        return Said({normal(owner): _MOCKS[name]}, normal(given) if given else "") if owner is not None else None
    if name in _RAISES:
        return _raises(call, name)
    found = _unittest(name, call, arguments) if arguments else None
    if found is None and _CUSTOM.match(name) and call.parent is not None and call.parent.type == "expression_statement":
        values = [value for value in arguments if not is_literal(value)]
        return Said({key: strength for value in values for key, strength in of(value, Strength.EXACT).items()})
    return found


def _unittest(name: str, call: "Node", arguments: "list[Node]") -> Said | None:
    first, second = arguments[0], arguments[1] if len(arguments) > 1 else None
    if name in {"assertTrue", "assert_", "assertFalse", "ok_", "assertIsNotNone"}:
        return said_by(first) if name != "assertFalse" else _negated(first)
    if name == "assertIsNone":
        return Said(of(first, Strength.EXACT), "None", literal=True)
    return _of_two(name, call, first, second) if second is not None else None


def _of_two(name: str, call: "Node", first: "Node", second: "Node") -> Said | None:
    if name in {"assertIn", "assertNotIn"}:
        return Said(of(second, Strength.BOUND), normal(first), is_literal(first))
    if name in {"assertIsInstance", "assertNotIsInstance"}:
        return Said(of(first, Strength.TYPE), normal(second))
    strength = _STRENGTHS.get(name)
    if strength is None:
        return None
    tolerance = _tolerance(call) if name in _NEAR else {}
    return attrs.evolve(equal(first, second, strength), tolerance=tolerance)


def _comparison(node: "Node") -> Said:
    operands = named(node)
    operators = [child.type for child in node.children if not child.is_named or child.type in {"is not", "not in"}]
    if len(operands) != 2 or len(operators) != 1:
        values = [operand for operand in operands if not is_literal(operand)]
        strength = Strength.EXACT if set(operators) == {"=="} else Strength.BOUND
        return Said({name: strength for value in values for name in of(value, strength)}, normal(node), literal=True)
    (left, right), operator = operands, operators[0]
    match operator:
        case "==" | "is":
            return _equality(left, right)
        case "!=" | "<>" | "is not":
            return equal(left, right, Strength.TRUTH)
        case "in" | "not in":
            if is_literal(right):
                return Said(of(left, Strength.BOUND), normal(right), literal=True)
            return Said(of(right, Strength.BOUND), normal(left), is_literal(left))
        case _:
            return attrs.evolve(equal(left, right, Strength.BOUND), tolerance=_limit(right, operator))


def _equality(left: "Node", right: "Node") -> Said:
    for value, other in ((left, right), (right, left)):
        if other.type == "call" and last_name(field(other, "function")) == "approx" and (given := _positional(other)):
            return Said(of(value, Strength.BOUND), normal(given[0]), is_literal(given[0]), _tolerance(other))
    return equal(left, right)


def _limit(right: "Node", operator: str) -> Mapping[str, float]:
    """For `abs(a - b) < 0.1` and `x < 10`, the number, as it grows where more passes."""
    value = number(right)
    if value is not None and operator in {"<", "<="}:
        return {"<": value}
    if value is not None and operator in {">", ">="}:
        return {">": -value}
    return {}


def _negated(node: "Node") -> Said:
    said = said_by(node)
    return Said({name: min(strength, Strength.TRUTH) for name, strength in said.claims.items()}, said.expected)


def _call(node: "Node") -> Said:
    name, arguments = last_name(field(node, "function")), _positional(node)
    function = field(node, "function")
    if name in {"isinstance", "issubclass"} and len(arguments) == 2:
        return Said(of(arguments[0], Strength.TYPE), normal(arguments[1]))
    if name in {"hasattr", "callable", "any", "all", "bool"} and arguments:
        return Said({normal(node): Strength.TRUTH, **of(arguments[0], Strength.TRUTH)})
    if name in _CLOSE and len(arguments) >= 2:
        return attrs.evolve(equal(arguments[0], arguments[1], Strength.BOUND), tolerance=_tolerance(node))
    if _BOOL_CALLS.match(name) and function is not None and (owner := field(function, "object")) is not None:
        value = arguments[-1] if text(owner) == "re" and arguments else owner
        expected = arguments[0] if arguments else None
        written = normal(expected) if expected is not None else ""
        return Said({normal(node): Strength.TRUTH, **of(value, Strength.BOUND)}, written)
    return truth(node)


def _raises(call: "Node", name: str) -> Said:
    arguments = _positional(call)
    kind = normal(arguments[0]) if arguments else ""
    matched = any(key in {"match", "check"} for key in _keywords(call)) or (name.endswith(("Regex", "RegexpMatches")))
    matched = matched or name == "assertRaisesRegexp"
    strength = Strength.TRUTH if kind in _ANYTHING else Strength.EXACT if matched else Strength.BOUND
    return Said({"raises": strength}, kind)


def _tolerance(call: "Node") -> Mapping[str, float]:
    found: dict[str, float] = {}
    for key, value in _keywords(call).items():
        known = number(value)
        if known is not None and key in _TOLERANCES:
            found[key] = known
        elif known is not None and key in {"places", "decimal"}:
            found["places"] = -known
    arguments = _positional(call)
    if last_name(field(call, "function")) == "assertAlmostEqual" and len(arguments) > 2:
        places = number(arguments[2])
        found.update({"places": -places} if places is not None else {})
    return found


def _positional(call: "Node") -> "list[Node]":
    arguments = field(call, "arguments")
    return [each for each in named(arguments) if each.type != "keyword_argument"] if arguments is not None else []


def _keywords(call: "Node") -> "dict[str, Node]":
    arguments = field(call, "arguments")
    found: dict[str, Node] = {}
    for each in named(arguments) if arguments is not None else ():
        name, value = field(each, "name"), field(each, "value")
        if each.type == "keyword_argument" and name is not None and value is not None:
            found[text(name)] = value
    return found


def _operator(node: "Node") -> str:
    operator = field(node, "operator")
    return text(operator) if operator is not None else ""
