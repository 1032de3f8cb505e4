"""Every mutant that a Rust text has room for on some of its lines."""

from collections.abc import Collection
from typing import TYPE_CHECKING

import attrs

from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.candidates import Grammar, Where, mutants_by
from verify_lsp.mutation.faults import text_of
from verify_lsp.mutation.rust.arid import is_arid
from verify_lsp.mutation.rust.operators import faults
from verify_lsp.mutation.rust.places import has_modifier, last_name

if TYPE_CHECKING:
    from tree_sitter import Node

_FOLDERS = frozenset({"benches", "examples", "fuzz"})
_TESTS = frozenset({"tests.rs", "test.rs", "testutil.rs", "test_util.rs", "test_utils.rs", "tests_util.rs"})
_WITHIN = {
    "function_item": ("body",),
    "closure_expression": ("body",),
    "mod_item": ("body",),
    "impl_item": ("body",),
    "trait_item": ("body",),
    "let_declaration": ("value", "alternative"),
    "let_condition": ("value",),
    "for_expression": ("value", "body"),
    "match_pattern": ("condition",),
    "field_expression": ("value",),
    "field_initializer": ("value",),
    "struct_expression": ("body",),
    "generic_function": ("function",),
    "type_cast_expression": ("value",),
    "call_expression": ("function", "arguments"),
    "macro_invocation": (),
    "string_literal": (),
}
"""Of these nodes only the named parts hold code that runs; the others are patterns, types and names."""


def mutants_of(path: str, text: str, lines: Collection[int]) -> tuple[Mutant, ...]:
    """Return the mutants of `text` that begin on one of `lines` (1-based), in the order of the text."""
    *folders, name = path.split("/")
    if name in _TESTS or _FOLDERS.intersection(folders):
        return ()
    return mutants_by(_GRAMMAR, path, text, lines)


def _worth_visiting(node: "Node") -> list["Node"]:
    fields = _WITHIN.get(node.type)
    if fields is None:
        length = node.child_by_field_name("length") if node.type == "array_expression" else None
        return [child for child in node.named_children if child != length]
    return [child for field in fields if (child := node.child_by_field_name(field)) is not None]


def _where_below(node: "Node", child: "Node", where: Where) -> Where:
    """What is inside of a `const fn` counts as loaded early: it cannot be chosen while the program runs."""
    if node.type == "function_item":
        names = (*where.names, text_of(node.child_by_field_name("name")))
        return Where(names, at_import=has_modifier(node, "const"), function=where.function or node)
    if node.type == "closure_expression" or child.type != "declaration_list":
        return where
    name = last_name(node.child_by_field_name("type")) or text_of(node.child_by_field_name("name"))
    return attrs.evolve(where, names=(*where.names, name)) if name else where


_GRAMMAR = Grammar(
    language="rust",
    faults=faults,
    is_arid=lambda node, _where: is_arid(node),
    worth_visiting=_worth_visiting,
    where_below=_where_below,
)
