"""Blocks of JavaScript that can be left out as a whole: what handles an exception, and what is done otherwise."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import Fault, text_of
from verify_lsp.mutation.javascript.arid import is_arid
from verify_lsp.mutation.javascript.nodes import told

if TYPE_CHECKING:
    from tree_sitter import Node


def handled(node: "Node") -> Iterator[Fault]:
    """An exception is passed over."""
    body = node.child_by_field_name("body")
    if body is not None and _does_something(body):
        yield Fault(body, "handler", "{}")


def otherwise(node: "Node") -> Iterator[Fault]:
    """Nothing is done where the conditions of an `if` do not hold."""
    body = told(node)[0] if told(node) else None
    if body is not None and body.type == "statement_block" and _does_something(body):
        yield Fault(body, "branch", "{}")


def _does_something(body: "Node") -> bool:
    return not all(_is_idle(statement) for statement in told(body))


def _is_idle(statement: "Node") -> bool:
    """`return` alone may be what comes next anyway, and what is only said to people has no tests."""
    if statement.type == "empty_statement" or text_of(statement).rstrip(";") in {"return", "return undefined"}:
        return True
    parts = told(statement)
    return statement.type == "expression_statement" and len(parts) == 1 and is_arid(parts[0], at_import=False)
