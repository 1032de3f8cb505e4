"""The faults of `break` and `continue`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import Fault, text_of
from verify_lsp.mutation.javascript.nodes import FUNCTIONS, LOOPS, around, inner

if TYPE_CHECKING:
    from tree_sitter import Node

_LANDINGS = LOOPS | FUNCTIONS | {"switch_statement"}


def other_jump(node: "Node") -> Iterator[Fault]:
    """Return the fault of a jump out of a loop, or on to its next round; those out of a `switch` are left alone."""
    keyword = node.children[0]
    landing = around(node, _LANDINGS)
    if landing is None or landing.type not in LOOPS:
        return
    if node.type == "continue_statement":
        yield Fault(keyword, "loop", "break")
    elif node.child_by_field_name("label") is None and not _never_ends(landing):
        yield Fault(keyword, "loop", "continue")


def _never_ends(loop: "Node") -> bool:
    """Without its `break` such a loop would only run into the time limit."""
    if loop.type == "for_in_statement":
        return False
    condition = inner(loop.child_by_field_name("condition"))
    return condition is None or text_of(condition) in {"true", "1", ";", "", "!0"}
