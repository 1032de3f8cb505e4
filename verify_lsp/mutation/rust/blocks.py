"""Blocks of Rust that can be left out as a whole: what is done otherwise."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import Fault, first_child
from verify_lsp.mutation.rust.places import last_of

if TYPE_CHECKING:
    from tree_sitter import Node

_ENDS = frozenset({"return_expression", "break_expression", "continue_expression", "macro_invocation"})
_IDLE = frozenset({"macro_invocation", "unsafe_block"})
"""What is mostly said to people, and what may go wrong in ways that show nothing."""


def otherwise(node: "Node") -> Iterator[Fault]:
    """Nothing is done where the conditions of an `if` do not hold, for one that has no value."""
    body = first_child(node)
    last = last_of(body) if body is not None and body.type == "block" else None
    if body is None or last is None or last.type != "expression_statement" or not _is_statement(node):
        return
    ends = (inner := first_child(last)) is not None and inner.type in _ENDS
    # Without an end there, a value may be missed at the end of the function.
    if not ends and any(_does_something(child) for child in body.named_children) and not _gives_first_values(node):
        yield Fault(body, "branch", "{}")


def _is_statement(clause: "Node") -> bool:
    """Say whether the `if`, with all that it goes on with, stands where a statement does."""
    at = clause.parent
    while at is not None and at.parent is not None and at.parent.type == "else_clause":
        at = at.parent.parent
    return at is not None and at.parent is not None and at.parent.type == "expression_statement"


def _does_something(statement: "Node") -> bool:
    only = first_child(statement)
    return statement.type == "expression_statement" and only is not None and only.type not in _IDLE


def _gives_first_values(clause: "Node") -> bool:
    """Say whether a name around may get its only value there: `let x; if … { x = 1 } else { x = 2 }`."""
    function = clause.parent
    while function is not None and function.type not in {"function_item", "closure_expression"}:
        function = function.parent
    waiting = [function] if function is not None else []
    while waiting:
        node = waiting.pop()
        if node.type == "let_declaration" and node.child_by_field_name("value") is None:
            return True
        waiting.extend(node.named_children)
    return False
