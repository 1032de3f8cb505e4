"""The shape of a fault, and how telling each kind of fault is, whatever the language."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from tree_sitter import Node

RANK: Mapping[str, int] = {
    "boundary": 1,
    "equality": 1,
    "membership": 1,
    "logic": 2,
    "negation": 2,
    "condition": 3,
    "arithmetic": 3,
    "bits": 3,
    "assignment": 3,
    "slice": 3,
    "handler": 3,
    "sign": 4,
    "loop": 4,
    "truth": 4,
    "branch": 4,
    "return": 5,
    "call": 5,
    "raise": 5,
    "number": 6,
    "text": 7,
}
"""Operators by how much a test that does not notice them leaves open; of a line's mutants the lowest is taken."""


WHOLE = frozenset({"handler", "branch"})
"""Operators that leave out a whole block, for one in which nothing smaller can be changed."""

SWAPS: Mapping[str, tuple[str, str]] = {
    "<": ("boundary", "<="),
    "<=": ("boundary", "<"),
    ">": ("boundary", ">="),
    ">=": ("boundary", ">"),
    "==": ("equality", "!="),
    "!=": ("equality", "=="),
    "+": ("arithmetic", "-"),
    "-": ("arithmetic", "+"),
    "*": ("arithmetic", "/"),
    "/": ("arithmetic", "*"),
    "%": ("arithmetic", "*"),
    "&": ("bits", "|"),
    "|": ("bits", "&"),
    "^": ("bits", "&"),
    "<<": ("bits", ">>"),
    ">>": ("bits", "<<"),
    "+=": ("assignment", "-="),
    "-=": ("assignment", "+="),
    "*=": ("assignment", "/="),
    "/=": ("assignment", "*="),
    "%=": ("assignment", "*="),
    "&=": ("assignment", "|="),
    "|=": ("assignment", "&="),
    "^=": ("assignment", "&="),
    "<<=": ("assignment", ">>="),
    ">>=": ("assignment", "<<="),
}
"""What an operator is swapped for in every language that has it: its text to the kind of fault and the other text."""

SIGNS_OF_LOGIC: Mapping[str, tuple[str, str]] = {"&&": ("logic", "||"), "||": ("logic", "&&")}


@attrs.frozen
class Fault:
    """The text of `node` replaced by `replacement`."""

    node: "Node"
    operator: str
    replacement: str


def text_of(node: "Node | None") -> str:
    """Return a node's text; empty for none."""
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")


def first_child(node: "Node") -> "Node | None":
    """Return the first named node right below; None where there is none."""
    return node.named_children[0] if node.named_children else None
