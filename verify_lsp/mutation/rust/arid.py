"""Places in Rust where a fault would tell nothing about the tests: what is for people, for compilers or for tests."""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import text_of
from verify_lsp.mutation.rust.places import has_modifier, is_file_for_tests, is_for_tests, last_name

if TYPE_CHECKING:
    from tree_sitter import Node

_NEVER = frozenset(
    {
        "attribute_item",
        "inner_attribute_item",
        "use_declaration",
        "extern_crate_declaration",
        "foreign_mod_item",
        "const_item",
        "static_item",
        "const_block",
        "struct_item",
        "enum_item",
        "union_item",
        "type_item",
        "associated_type",
        "function_signature_item",
        "type_arguments",
        "type_parameters",
        "array_type",
        "where_clause",
        "visibility_modifier",
        "macro_definition",
        "line_comment",
        "block_comment",
        "ERROR",
    }
)
# Undefined behaviour may pass any test and fail any other: its outcome says nothing.
_UNSOUND = frozenset({"unsafe_block"})
_FOR_PEOPLE = frozenset(
    {"Debug", "Display", "LowerHex", "UpperHex", "Binary", "Octal", "LowerExp", "UpperExp", "Pointer"}
)
_WAITING = re.compile(
    r"from_(?:secs|millis|micros|nanos|mins|hours|days)\w*|sleep\w*|park_timeout|\w*timeout\w*|\w*deadline\w*|\w*ttl\w*"
    r"|(?:try_)?with_capacity\w*|(?:try_)?reserve\w*|shrink_to\w*|interval\w*|spin_loop|yield_now|likely|unlikely|black_box"
    r"|debug_\w+|trace\w*|span|in_scope|instrument|record|(?:inc|dec)rement_(?:counter|gauge)",
)
_LIMIT_NAME = re.compile(
    r"(?:.*_)?(?:timeouts?|time_?out_?(?:s|ms|secs|seconds)?|delay|interval|backoff|ttl|capacity|cap|max_?size|cache_?size"
    r"|buffer_?size|chunk_?size|buf_?size|retries|max_?retries|poll\w*|sleep\w*|deadline)(?:_\w{1,3})?",
    re.IGNORECASE,
)


def is_arid(node: "Node") -> bool:
    """Say whether a fault at this node or below it would tell nothing about the tests."""
    if node.type in _NEVER or node.type in _UNSOUND:
        return True
    rule = _RULES.get(node.type)
    return rule is not None and rule(node)


def _is_left_alone(function: "Node") -> bool:
    return is_for_tests(function) or has_modifier(function, "unsafe")


def _is_for_people(implementation: "Node") -> bool:
    trait = implementation.child_by_field_name("trait")
    unsafe = any(child.type == "unsafe" for child in implementation.children)
    return unsafe or is_for_tests(implementation) or (trait is not None and last_name(trait) in _FOR_PEOPLE)


def _only_waits(call: "Node") -> bool:
    return _WAITING.fullmatch(last_name(call.child_by_field_name("function"))) is not None


def _is_limit(field: str) -> "Callable[[Node], bool]":
    def rule(node: "Node") -> bool:
        return _LIMIT_NAME.fullmatch(text_of(node.child_by_field_name(field)).rpartition(".")[2]) is not None

    return rule


_RULES: "Mapping[str, Callable[[Node], bool]]" = {
    "source_file": is_file_for_tests,
    "function_item": _is_left_alone,
    "mod_item": is_for_tests,
    "trait_item": is_for_tests,
    "impl_item": _is_for_people,
    "call_expression": _only_waits,
    "let_declaration": _is_limit("pattern"),
    "assignment_expression": _is_limit("left"),
    "field_initializer": _is_limit("field"),
}
