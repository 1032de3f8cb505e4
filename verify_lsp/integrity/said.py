"""What an assertion says of which value: the words of all languages come down to these few."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from verify_lsp.integrity.cases import Strength
from verify_lsp.integrity.nodes import is_literal, named, normal, text

if TYPE_CHECKING:
    from tree_sitter import Node

EMPTY = frozenset({"[]", "{}", "()", '""', "``", "0", "set()", "dict()", "list()", "nil", "None", "null"})
"""What is said as well by a value's being false."""
_ANYTHING = frozenset({"mock.ANY", "ANY", "unittest.mock.ANY", "expect.anything()", "mock.Anything"})
_LENGTHS = frozenset({"length", "len", "size", "len()", "is_empty"})


@attrs.frozen
class Said:
    """What one condition says; the attributes are those of `Check`."""

    claims: Mapping[str, Strength]
    expected: str = ""
    literal: bool = False
    tolerance: Mapping[str, float] = attrs.field(factory=dict)


NOTHING = Said({})


def equal(left: "Node", right: "Node", strength: Strength = Strength.EXACT) -> Said:
    """Two values are the same, or one is known as far as `strength` says."""
    values = [node for node in (left, right) if not is_literal(node)]
    if not values or normal(left) == normal(right):
        return NOTHING
    for value, other in ((left, right), (right, left)):
        if normal(other) in _ANYTHING:
            return truth(value)
    expected = right if values[0] is left else left
    written = normal(expected)
    if written in {"True", "False", "true", "false"} and strength is Strength.EXACT:
        return truth(values[0])
    claims: dict[str, Strength] = {}
    for value in values:
        claims.update(of(value, strength))
    return Said(claims, written, is_literal(expected))


def truth(value: "Node") -> Said:
    """A value is true, or false, or there at all."""
    return NOTHING if is_literal(value) else Said(of(value, Strength.TRUTH))


def of(value: "Node", strength: Strength) -> dict[str, Strength]:
    """Return what is known of a value and, less so, of what it was made from: of a list, where its length is known."""
    claims = {normal(value): strength}
    inner = _measured(value)
    if inner is not None:
        claims.setdefault(
            normal(inner), Strength.BOUND if strength is Strength.EXACT else min(strength, Strength.TRUTH)
        )
    return claims


def together(parts: list[Said], strength: Strength) -> Said:
    """Return what is known when only one of several conditions has to hold: of each value, at most `strength`."""
    if any(not part.claims for part in parts):
        return NOTHING
    claims = {name: min(known, strength) for part in parts for name, known in part.claims.items()}
    return Said(claims, " or ".join(part.expected for part in parts), all(part.literal for part in parts))


def _measured(value: "Node") -> "Node | None":
    """Return x for `len(x)`, `x.length`, `x.len()`."""
    if value.type in {"call", "call_expression"}:
        function, arguments = value.child_by_field_name("function"), value.child_by_field_name("arguments")
        given = named(arguments) if arguments is not None else []
        if function is None:
            return None
        if text(function) in {"len", "type", "bool", "sorted", "list", "set", "round", "str", "repr"} and given:
            return given[0]
        return _measured(function) if not given else None
    if value.type in {"member_expression", "field_expression", "attribute", "selector_expression"}:
        children = named(value)
        return children[0] if len(children) == 2 and text(children[1]) in _LENGTHS else None
    return None
