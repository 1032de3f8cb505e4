"""What a name stands for: what it was last bound to, and what was added to that since."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verify_lsp.security.code.sites import Code, unwrapped
from verify_lsp.security.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_BACK = 20_000
_BEYOND = 400
_PARTS = 40
_BOUND = re.compile(
    rb"\b(?:\s*(?::[^=\n]{1,80})?(?::=|=(?!=))|\s+in\b"  # a = …, a: T = …, a := …, for a in …
    rb"|\s*,[^=\n;()]{1,100}?(?::=|=(?![=>]))|\s*[,}][^=;()]{0,150}?\}\s*=(?![=>])|\s*\}\s*=(?![=>]))"  # a, b = …, { a, b } = …
)
_AS, _AFTER_AS = re.compile(rb"(?<=\sas )"), re.compile(rb"\s*[:,)]")
_APART, _ADDED = re.compile(rb"(?<![\w.])"), re.compile(rb"\s*\+=")
_UNPACKED = frozenset(
    {"pattern_list", "tuple_pattern", "list_pattern", "expression_list", "object_pattern", "array_pattern"}
)
_ROWS = frozenset({"expression_list", "tuple", "list", "array"})
_FUNCTIONS = frozenset(
    {
        *("function_definition", "lambda", "function_declaration", "function_expression", "arrow_function"),
        *("method_definition", "method_declaration", "func_literal", "function_item", "closure_expression"),
    }
)


def bound_value(code: Code, name: "Node") -> "Node | None":
    """Return what a name was last bound to above, in this function or around it; None where that is not seen."""
    if name.id not in code.bound:
        code.bound[name.id] = _bound_value(code, name)
    return code.bound[name.id]


def _bound_value(code: Code, name: "Node") -> "Node | None":
    wanted = code.text(name)
    known = [place for place in places_of(code.source, wanted, name.start_byte) if place < name.start_byte]
    scope = name
    for _ in range(4 if known else 0):
        if scope.id not in code.scopes:
            code.scopes[scope.id] = _scope_around(scope)
        outer = code.scopes[scope.id]
        if outer is None:
            return None
        scope = outer
        earliest = max(scope.start_byte, name.start_byte - _BACK)
        places = [place for place in known if earliest <= place]
        for place in reversed(places[-20:]):
            value = _bound_at(code, place, wanted, name)
            if value is not None:
                return value
    return None


def places_of(source: Source, wanted: str, before: int) -> list[int]:
    """Return where a name seems to be bound, in the stretch that holds a place and in the one before it.

    Each stretch is searched once for a name, however often the name stands in it.
    """
    stretches = range(max(before // _BACK - 1, 0), before // _BACK + 1)
    for stretch in stretches:
        if (wanted, stretch) not in source.bound_places:
            source.bound_places[wanted, stretch] = list(_places_in(source.data, wanted.encode(), stretch * _BACK))
    return [place for stretch in stretches for place in source.bound_places[wanted, stretch]]


def _places_in(data: bytes, wanted: bytes, start: int) -> Iterator[int]:
    end = start + _BACK
    for place in _standing(data, wanted, start, end):
        after = place + len(wanted)
        if (_APART.match(data, place) and _BOUND.match(data, after, end + _BEYOND)) or (
            _AS.match(data, place) and _AFTER_AS.match(data, after, end + _BEYOND)
        ):
            yield place


def _standing(data: bytes, wanted: bytes, start: int, end: int) -> Iterator[int]:
    """Yield where some bytes begin from `start` on and before `end`; no pattern finds them as fast."""
    place = data.find(wanted, start, end + len(wanted) - 1)
    while place >= 0:
        yield place
        place = data.find(wanted, place + 1, end + len(wanted) - 1)


def _bound_at(code: Code, place: int, wanted: str, name: "Node") -> "Node | None":
    for node in code.around(place, 1):
        if node.type == "as_pattern":
            return unwrapped(node.named_children[0])
        if node.type in _UNPACKED:
            return _unpacked(code, node, wanted, name)
        if node.type in {"for_statement", "for_in_clause", "for_in_statement"}:
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            return right if left is not None and right is not None and code.text(left) == wanted else None
        site = code.bind(node)
        if site is not None:
            holds = site.name == wanted and node.type not in {"keyword_argument", "pair"} and not _holds(node, name)
            return site.value if holds else None
    return None


def _holds(outer: "Node", inner: "Node") -> bool:
    return outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte


def _scope_around(node: "Node") -> "Node | None":
    current = node.parent
    while current is not None and current.parent is not None:
        if current.type in _FUNCTIONS and (current.type == "lambda" or current.child_by_field_name("body") is not None):
            return current
        current = current.parent
    return current


def added_to(code: Code, name: "Node", bound: "Node") -> list["Node"]:
    """Return what `name += …` added to what a name was bound to, up to where the name stands."""
    data, wanted = code.source.data, code.text(name).encode()
    added = []
    earliest, latest = max(bound.end_byte, name.start_byte - _BACK), name.start_byte
    places = [
        (place, sign.end())
        for place in _standing(data, wanted, earliest, latest)
        if _APART.match(data, place) and (sign := _ADDED.match(data, place + len(wanted), latest))
    ]
    for place, end in places[-_PARTS:]:
        node = next((each for each in code.around(place, 1) if each.child_by_field_name("right")), None)
        right = None if node is None else node.child_by_field_name("right")
        if right is not None and right.start_byte >= end:
            added.append(unwrapped(right.named_children[0] if right.type == "expression_list" else right))
    return added


def _unpacked(code: Code, pattern: "Node", wanted: str, name: "Node") -> "Node | None":
    """Return what one of several names is bound to: its own part, or the whole that it was taken out of."""
    holder = pattern.parent
    if holder is None or _holds(holder, name):
        return None
    left = holder.child_by_field_name("left") or holder.child_by_field_name("name")
    right = holder.child_by_field_name("right") or holder.child_by_field_name("value")
    if left != pattern or right is None:
        return None
    names = [code.text(child) for child in pattern.named_children]
    if right.type in _ROWS and right.named_child_count == len(names) and wanted in names:
        return unwrapped(right.named_children[names.index(wanted)])
    return unwrapped(right.named_children[0] if right.type in _ROWS and right.named_child_count == 1 else right)
