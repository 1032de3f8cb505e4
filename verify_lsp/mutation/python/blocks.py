"""Blocks of Python that can be left out as a whole: what handles an exception, and what is done otherwise."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import Fault, first_child, text_of
from verify_lsp.mutation.python.arid import is_arid

if TYPE_CHECKING:
    from tree_sitter import Node


def handled(node: "Node") -> Iterator[Fault]:
    """An exception is passed over."""
    body = next((child for child in node.named_children if child.type == "block"), None)
    if body is not None and _does_something(body):
        yield Fault(body, "handler", "pass")


def otherwise(node: "Node") -> Iterator[Fault]:
    """Nothing is done where the conditions of an `if` do not hold."""
    body = node.child_by_field_name("body")
    if body is not None and node.parent is not None and node.parent.type == "if_statement" and _does_something(body):
        yield Fault(body, "branch", "pass")


def _does_something(body: "Node") -> bool:
    return not all(_is_idle(statement) for statement in body.named_children)


def _is_idle(statement: "Node") -> bool:
    """`return` alone may be what comes next anyway, and what is only said to people has no tests."""
    if statement.type in {"comment", "pass_statement"} or text_of(statement) in {"return", "return None"}:
        return True
    only = first_child(statement)
    if statement.type != "expression_statement" or only is None:
        return False
    return only.type in {"string", "ellipsis"} or is_arid(only, at_import=False)
