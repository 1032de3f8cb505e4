"""Blocks of Go that can be left out as a whole: what is done otherwise."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import Fault, first_child, text_of
from verify_lsp.mutation.go.arid import is_arid

if TYPE_CHECKING:
    from tree_sitter import Node

_ENDS = frozenset({"return_statement", "break_statement", "continue_statement", "goto_statement"})


def otherwise(node: "Node") -> Iterator[Fault]:
    """Nothing is done where the conditions of an `if` do not hold."""
    body = node.child_by_field_name("alternative")
    if body is not None and body.type == "block" and (statements := _statements(body)):
        last = statements[-1]
        ends = last.type in _ENDS or text_of(last).startswith("panic(")
        # Without an end there, Go may miss one for the whole function.
        if not ends and not all(_is_idle(statement) for statement in statements):
            yield Fault(body, "branch", "{}")


def _statements(block: "Node") -> list["Node"]:
    inside = first_child(block)
    listed = inside.named_children if inside is not None and inside.type == "statement_list" else block.named_children
    return [child for child in listed if child.type != "comment"]


def _is_idle(statement: "Node") -> bool:
    """What is only said to people has no tests."""
    only = first_child(statement)
    return statement.type == "expression_statement" and only is not None and is_arid(only, at_import=False)
