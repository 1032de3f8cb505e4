"""Where a node of a Rust text stands: what a compiler works out, what is for tests, what a function returns."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_TEST_ATTRIBUTE = re.compile(
    r"#!?\[\s*(?:cfg\(\s*(?:all\(\s*)?(?:test|kani|loom|fuzzing)\b"
    r"|(?:\w+\s*::\s*)*(?:test|bench|rstest|test_case|quickcheck|proptest|wasm_bindgen_test|test_log)\b"
    r"|automatically_derived\b)"
)
_CONSTANT = frozenset(
    {
        "const_item",
        "static_item",
        "const_block",
        "enum_variant",
        "array_type",
        "type_arguments",
        "type_parameters",
        "const_parameter",
    }
)
_COMMENTS = frozenset({"line_comment", "block_comment"})
_BORDERS = frozenset({"closure_expression", "async_block", "gen_block", "try_block", "const_block"})


def attributes(node: "Node") -> Iterator[str]:
    """Yield the texts of the attributes that stand before an item."""
    before = node.prev_named_sibling
    while before is not None and before.type in _COMMENTS | {"attribute_item"}:
        if before.type == "attribute_item":
            yield text_of(before)
        before = before.prev_named_sibling


def is_for_tests(node: "Node") -> bool:
    """Say whether an item is a test, or compiled for tests only."""
    return any(_TEST_ATTRIBUTE.match(attribute) for attribute in attributes(node))


def is_file_for_tests(root: "Node") -> bool:
    """Say whether a whole file is compiled for tests only: `#![cfg(test)]`."""
    inner = (child for child in root.named_children if child.type == "inner_attribute_item")
    return any(_TEST_ATTRIBUTE.match(text_of(attribute)) for attribute in inner)


def has_modifier(function: "Node", word: str) -> bool:
    """Say whether `const`, `unsafe`, `async` or the like stands before a function."""
    modifiers = next((child for child in function.children if child.type == "function_modifiers"), None)
    return modifiers is not None and any(child.type == word for child in modifiers.children)


def is_worked_out_early(node: "Node") -> bool:
    """Say whether the compiler may work this place out, where a program has nothing to ask."""
    above = node.parent
    while above is not None:
        if above.type in _CONSTANT:
            return True
        if above.type == "function_item":
            return has_modifier(above, "const")
        if above.type == "array_expression" and _is_length(above, node):
            return True
        above = above.parent
    return False


def returned_type(node: "Node") -> "Node | None":
    """Return the declared type of the function whose result this expression is; None where it is no such result."""
    at = node
    while (above := at.parent) is not None:
        if above.type == "return_expression":
            return _type_around(above)
        if above.type == "function_item":
            return above.child_by_field_name("return_type")
        hands_on = _HANDS_ON.get(above.type)
        if hands_on is None or not hands_on(above, at):
            return None
        at = above
    return None


def last_of(block: "Node") -> "Node | None":
    """Return the last part of a block that is no comment."""
    return next((child for child in reversed(block.named_children) if child.type not in _COMMENTS), None)


def last_name(path: "Node | None") -> str:
    """Return the last name of `a::b::C<T>`: "C"."""
    return re.split(r"[<(]", text_of(path), maxsplit=1)[0].rpartition(":")[2].rpartition(".")[2].strip()


def modules_around(node: "Node") -> int:
    """Return how many modules a place stands in within its file."""
    depth, above = 0, node.parent
    while above is not None:
        depth += above.type == "mod_item"
        above = above.parent
    return depth


def _type_around(node: "Node") -> "Node | None":
    above = node.parent
    while above is not None and above.type not in _BORDERS:
        if above.type == "function_item":
            return above.child_by_field_name("return_type")
        above = above.parent
    return None


def _is_length(array: "Node", node: "Node") -> bool:
    length = array.child_by_field_name("length")
    return length is not None and length.start_byte <= node.start_byte < length.end_byte


_HANDS_ON: "Mapping[str, Callable[[Node, Node], bool]]" = {
    "block": lambda block, part: last_of(block) == part,
    "expression_statement": lambda statement, _part: not text_of(statement).endswith(";"),
    "if_expression": lambda choice, part: choice.child_by_field_name("condition") != part,
    "else_clause": lambda _clause, _part: True,
    "match_expression": lambda choice, part: choice.child_by_field_name("body") == part,
    "match_block": lambda _block, _part: True,
    "match_arm": lambda arm, part: arm.child_by_field_name("value") == part,
}
"""Whether the value of a part is the value of the whole."""
