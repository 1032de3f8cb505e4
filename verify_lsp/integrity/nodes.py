"""Reads syntax trees the same way whatever the language: texts, normal forms, words."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
_STRINGS = frozenset({
    *("string", "template_string", "interpreted_string_literal", "raw_string_literal", "string_literal", "char_literal"),
    *("rune_literal", "regex"),
})  # fmt: skip
_NUMBERS = frozenset({"integer", "float", "number", "int_literal", "float_literal", "integer_literal"})
_NAMES = frozenset({
    *("identifier", "property_identifier", "field_identifier", "type_identifier", "shorthand_property_identifier"),
    *("package_identifier", "scoped_identifier"),
})  # fmt: skip
_CONSTANTS = frozenset({"true", "false", "none", "null", "undefined", "nil", "boolean_literal"})
_CONTAINERS = frozenset({
    *("list", "tuple", "dictionary", "set", "pair", "unary_operator", "array", "object", "unary_expression"),
    *("array_expression", "tuple_expression", "reference_expression", "composite_literal", "literal_value"),
    *("keyed_element", "literal_element", "concatenated_string", "parenthesized_expression", "slice_type", "map_type"),
})  # fmt: skip
_TYPES = frozenset(
    {"type_identifier", "slice_type", "map_type", "array_type", "field_identifier", "property_identifier"}
)
_QUOTES = re.compile(r"([A-Za-z]*)(\"\"\"|'''|\"|'|`)(.*)\2", re.DOTALL)
_SHOWN = 110


def text(node: "Node") -> str:
    """Return the source of a node."""
    return (node.text or b"").decode("utf-8", "replace")


def shown(node: "Node") -> str:
    """Return the source of a node on one line, at most some hundred characters of it."""
    line = " ".join(text(node).replace("Str![", "str![").split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1].rstrip() + "…"


def line(node: "Node") -> int:
    """Return the 1-based line on which a node starts."""
    return node.start_point[0] + 1


def end_line(node: "Node") -> int:
    """Return the 1-based line on which a node ends."""
    return node.end_point[0] + 1


def field(node: "Node", name: str) -> "Node | None":
    """Return the child of that name."""
    return node.child_by_field_name(name)


def named(node: "Node") -> "list[Node]":
    """Return the children that are no punctuation and no comment."""
    return [child for child in node.named_children if child.type not in _COMMENTS]


def normal(node: "Node") -> str:
    """Return the text of a node without layout: spaces, comments, trailing commas, outer brackets, kinds of quotes."""
    while node.type == "parenthesized_expression" and len(inner := named(node)) == 1:
        node = inner[0]
    parts: list[str] = []
    for leaf in leaves(node):
        if leaf in ")]}" and parts and parts[-1] in ",;":
            parts.pop()
        if parts and (parts[-1][-1:].isalnum() or parts[-1][-1:] == "_") and (leaf[:1].isalnum() or leaf[:1] == "_"):
            parts.append(" ")
        parts.append(leaf)
    return "".join(parts)


def leaves(node: "Node") -> Iterator[str]:
    """Yield the tokens of a node; a string is one token, whatever its quotes."""
    if node.type in _COMMENTS:
        return
    if node.type in _STRINGS and not _interpolated(node):
        yield _requoted(text(node))
    elif node.child_count == 0:
        token = text(node)
        if token.strip():
            yield token
    else:
        for child in node.children:
            yield from leaves(child)


def words(node: "Node") -> Counter[str]:
    """Return the names and literals of a node."""
    return Counter(token for token in leaves(node) if token[:1].isalnum() or token[:1] in "_\"'`")


def walk(node: "Node") -> "Iterator[Node]":
    """Yield a node and all that is in it, in the order of the text."""
    yield node
    for child in node.children:
        yield from walk(child)


def is_literal(node: "Node") -> bool:
    """Say whether a value is written out: a number, a text, a constant, or a list or table of such."""
    if node.type in _NUMBERS or node.type in _CONSTANTS:
        return True
    if node.type in _STRINGS:
        return not _interpolated(node)
    return node.type in _CONTAINERS and all(child.type in _TYPES or is_literal(child) for child in named(node))


def number(node: "Node | None") -> float | None:
    """Return the value of a number that is written out."""
    if node is None:
        return None
    try:
        return float(text(node).replace("_", ""))
    except ValueError:
        return None


def _interpolated(node: "Node") -> bool:
    return any(child.type in {"interpolation", "template_substitution"} for child in node.children)


def _requoted(source: str) -> str:
    found = _QUOTES.fullmatch(source)
    if found is None or '"' in found[3] or "\n" in found[3] or "r" in found[1].lower():
        return source
    return f'{found[1].lower().replace("u", "")}"{found[3]}"'
