"""What a JavaScript or TypeScript assertion says: `expect` of Jest, Vitest and Chai, `assert`, ava's `t`, supertest."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from verify_lsp.integrity.cases import Strength
from verify_lsp.integrity.nodes import field, is_literal, named, normal, number, text
from verify_lsp.integrity.said import NOTHING, Said, equal, of, together, truth

if TYPE_CHECKING:
    from tree_sitter import Node


def _table(strength: Strength, names: str) -> dict[str, Strength]:
    return dict.fromkeys(names.split(), strength)


_MATCHERS: Mapping[str, Strength] = {
    **_table(
        Strength.EXACT,
        "toBe toEqual toStrictEqual equal equals eql eq deepEqual strictEqual deepStrictEqual same is toBeNull null "
        "toBeUndefined undefined toBeNaN toMatchSnapshot toMatchInlineSnapshot snapshot toHaveBeenCalledWith "
        "toHaveBeenNthCalledWith toHaveBeenLastCalledWith toHaveBeenCalledTimes toHaveBeenCalledExactlyOnceWith "
        "calledWith calledOnceWith deepEquals looseEqual strictDeepEqual toHaveTextContent toHaveValue assertEquals "
        "assertStrictEquals members",
    ),
    **_table(
        Strength.BOUND,
        "toContain toContainEqual toMatch toMatchObject toBeGreaterThan toBeGreaterThanOrEqual toBeLessThan "
        "toBeLessThanOrEqual toBeCloseTo include includes contain contains match matches regex like above below least most "
        "within closeTo toHaveProperty property toHaveBeenCalledOnce calledOnce partialDeepStrictEqual oneOf string keys doesNotMatch notMatch notRegex",
    ),
    **_table(Strength.TYPE, "toBeInstanceOf toBeTypeOf instanceof instanceOf a an typeOf isArray isString isObject type"),
    **_table(
        Strength.TRUTH,
        "toBeTruthy toBeFalsy toBeDefined ok notOk exist exists truthy falsy true false isTrue isFalse toHaveBeenCalled "
        "called toBeInTheDocument toBeVisible ifError notEqual notStrictEqual notDeepEqual notDeepStrictEqual not isNot "
        "notSame isDefined isOk assert toReturn notCalled",
    ),
}  # fmt: skip
_THROWS = frozenset({
    *("toThrow", "toThrowError", "throw", "throws", "throwsAsync", "rejects", "rejectedWith", "rejected"),
    *("toThrowErrorMatchingSnapshot", "toThrowErrorMatchingInlineSnapshot"),
})  # fmt: skip
_WORDS = frozenset({
    *("to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "does", "deep", "eventually"),
    *("resolves", "rejects", "own", "any", "all", "still", "also", "soft", "poll", "ordered", "nested", "strict"),
})  # fmt: skip
_LENGTHS = frozenset({"toHaveLength", "lengthOf", "length", "toHaveSize"})
_ASSERTERS = frozenset({"assert", "t", "chai.assert", "assertions", "tap", "should"})
_EQUALITIES: Mapping[str, Strength] = {
    **dict.fromkeys(("===", "=="), Strength.EXACT),
    **dict.fromkeys(("!==", "!="), Strength.TRUTH),
}


@attrs.frozen
class Chain:
    """A chain such as `expect(a).not.toBe(3)`: the call it begins with, the words after it, what the last was given."""

    begin: "Node"
    names: tuple[str, ...]
    given: "tuple[Node, ...]"


def said_by_node(node: "Node") -> Said | None:
    """Return what an expression asserts, a call or Chai's `expect(x).to.be.true`; None when it is no assertion."""
    chain = chain_of(node)
    if chain is not None:
        return _said_by_chain(chain)
    function, given = field(node, "function") if node.type == "call_expression" else None, arguments(node)
    if function is None:
        return None
    return (
        _said_by_function(text(function), given) if function.type == "identifier" else _said_by_method(function, given)
    )


def _said_by_method(function: "Node", given: "list[Node]") -> Said | None:
    owner, name = field(function, "object"), field(function, "property")
    if owner is None or name is None:
        return None
    if normal(owner) in _ASSERTERS:
        return _said_by_assert(text(name), given)
    if text(name) == "expect" and _begins_with_call(owner) and given:
        written = ",".join(normal(each) for each in given if each.type != "identifier")
        return Said({normal(_before_expect(owner)): Strength.EXACT}, written)
    return None


def chain_of(node: "Node") -> Chain | None:
    """Return the chain that ends at a node; None for one that does not begin with `expect` or goes on after it."""
    names: list[str] = []
    given: tuple[Node, ...] = ()
    current: Node | None = node
    if node.type == "call_expression":
        given, current = tuple(arguments(node)), field(node, "function")
    elif node.type != "member_expression":
        return None
    while current is not None and current.type in {"member_expression", "call_expression"}:
        if current.type == "call_expression":
            function = field(current, "function")
            if function is not None and normal(function) in {"expect", "expect.soft", "expect.poll", "expectTypeOf"}:
                return Chain(current, tuple(reversed(names)), given) if names else None
            current = function
            continue
        name, owner = field(current, "property"), field(current, "object")
        if name is None or owner is None:
            return None
        if text(name) == "should" and names:
            return Chain(owner, tuple(reversed(names)), given)
        names.append(text(name))
        current = owner
    return None


def arguments(call: "Node") -> "list[Node]":
    """Return what a call is given."""
    given = field(call, "arguments")
    return named(given) if given is not None and given.type == "arguments" else []


def condition_parts(node: "Node") -> "list[Node]":
    """Return the parts of a condition that all have to hold."""
    while node.type == "parenthesized_expression" and len(named(node)) == 1:
        node = named(node)[0]
    operator = field(node, "operator")
    if node.type == "binary_expression" and operator is not None and text(operator) == "&&":
        return [part for side in named(node) for part in condition_parts(side)]
    return [node]


def said_by(node: "Node") -> Said:
    """Return what a condition says."""
    while node.type == "parenthesized_expression" and len(named(node)) == 1:
        node = named(node)[0]
    operator, operands = field(node, "operator"), named(node)
    sign = text(operator) if operator is not None else ""
    if node.type == "unary_expression" and sign == "!" and operands:
        inner = said_by(operands[0])
        claims = {name: min(strength, Strength.TRUTH) for name, strength in inner.claims.items()}
        return Said(claims, "!")
    if node.type != "binary_expression" or len(operands) != 2:
        return truth(node)
    if sign in {"||", "&&"}:
        return together([said_by(part) for part in operands], Strength.BOUND if sign == "||" else Strength.EXACT)
    if sign in _EQUALITIES:
        return equal(operands[0], operands[1], _EQUALITIES[sign])
    if sign in {"<", ">", "<=", ">="}:
        return attrs.evolve(equal(operands[0], operands[1], Strength.BOUND), tolerance=_limit(operands[1], sign))
    return Said(of(operands[0], Strength.TYPE), normal(operands[1])) if sign == "instanceof" else truth(node)


def _said_by_chain(chain: Chain) -> Said:
    name = chain.names[-1]
    negated = "not" in chain.names
    inner = arguments(chain.begin)
    value = inner[0] if inner else chain.begin
    given = chain.given
    if name in _THROWS and name != "rejects":
        if negated:
            return Said({"throws": Strength.TRUTH}, "not")
        return Said({"throws": Strength.EXACT if given else Strength.TRUTH}, normal(given[0]) if given else "")
    if name in _WORDS or (is_literal(value) and (not given or is_literal(given[0]))):
        return NOTHING
    if name in _LENGTHS and given:
        length = f"{normal(value)}.length"
        strength = Strength.TRUTH if negated else Strength.EXACT
        return Said(
            {length: strength, normal(value): min(strength, Strength.BOUND)}, normal(given[0]), is_literal(given[0])
        )
    strength = _MATCHERS.get(name, Strength.BOUND)
    said = _held_against(value, given[0] if given else None, min(strength, Strength.TRUTH) if negated else strength)
    return attrs.evolve(said, tolerance=_tolerance(name, given))


def _held_against(value: "Node", expected: "Node | None", strength: Strength) -> Said:
    if expected is None:
        return Said(of(value, strength))
    if strength is Strength.TYPE:
        return Said(of(value, strength), normal(expected))
    if is_literal(value) or strength is Strength.EXACT:
        # Of two values, `expect` names the one that is looked at.
        said = equal(value, expected, strength)
        own = {name: known for name, known in said.claims.items() if name != normal(expected) or is_literal(value)}
        return attrs.evolve(said, claims=own or said.claims)
    return Said(of(value, strength), normal(expected), is_literal(expected))


def _tolerance(name: str, given: "tuple[Node, ...]") -> Mapping[str, float]:
    value = number(given[-1]) if given else None
    if value is None:
        return {}
    if name == "toBeCloseTo" and len(given) > 1:
        return {"digits": -value}
    if name == "closeTo" and len(given) > 1:
        return {"delta": value}
    if name in {"toBeLessThan", "toBeLessThanOrEqual", "below", "most"}:
        return {"<": value}
    if name in {"toBeGreaterThan", "toBeGreaterThanOrEqual", "above", "least"}:
        return {">": -value}
    return {}


def _limit(limit: "Node", sign: str) -> Mapping[str, float]:
    value = number(limit)
    if value is None:
        return {}
    return {"<": value} if sign.startswith("<") else {">": -value}


def _said_by_function(name: str, given: "list[Node]") -> Said | None:
    if name in {"assert", "ok", "invariant"} and given:
        return said_by(given[0])
    if name in {"assertEquals", "assertStrictEquals", "deepEqual", "strictEqual", "deepStrictEqual"} and len(given) > 1:
        return equal(given[0], given[1])
    if name in {"assertThrows", "assertRejects", "throws"} and given:
        return _said_by_assert("throws", given)
    if re.match(r"^_?(?:assert|expect|verify|check)[A-Z_]\w*$", name):
        return Said(
            {key: known for each in given if not is_literal(each) for key, known in of(each, Strength.EXACT).items()}
        )
    return None


def _said_by_assert(name: str, given: "list[Node]") -> Said | None:
    if not given:
        return None
    if name in _THROWS or name == "doesNotThrow":
        known = Strength.TRUTH if name == "doesNotThrow" else Strength.EXACT if len(given) > 1 else Strength.TRUTH
        return Said({"throws": known}, normal(given[1]) if len(given) > 1 else "")
    strength = _MATCHERS.get(name)
    if strength is None:
        return None
    if len(given) == 1 or name in {"ok", "true", "false", "truthy", "falsy", "isTrue", "isFalse", "exists", "assert"}:
        return said_by(given[0]) if strength is Strength.TRUTH else Said(of(given[0], strength))
    return attrs.evolve(equal(given[0], given[1], strength), tolerance=_tolerance(name, tuple(given)))


def _begins_with_call(node: "Node") -> bool:
    """Say whether a chain begins with a call, as `request(app).get("/")` does."""
    current: Node | None = node
    while current is not None and current.type in {"member_expression", "call_expression"}:
        if current.type == "call_expression":
            function = field(current, "function")
            if function is not None and function.type == "identifier":
                return True
            current = function
        else:
            current = field(current, "object")
    return False


def _before_expect(node: "Node") -> "Node":
    """Return the part of a chain before its first `.expect(…)`."""
    current: Node | None = node
    base = node
    while current is not None and current.type in {"member_expression", "call_expression"}:
        if current.type == "member_expression":
            name, owner = field(current, "property"), field(current, "object")
            if name is not None and text(name) == "expect" and owner is not None:
                base = owner
            current = owner
        else:
            current = field(current, "function")
    return base
