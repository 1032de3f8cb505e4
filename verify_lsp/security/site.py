"""Calls and bindings as values: the places in program text that rules speak of."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from tree_sitter import Node


@attrs.frozen(eq=False)
class CallSite:
    """A call. `named` holds keyword arguments, the properties of objects passed, or a Go literal's fields.

    Attributes:
        callee: Dotted, imports resolved.
        callee_node: The last part of its name.
        open: True when unpacking may bring further names.
    """

    node: "Node"
    callee: str
    callee_node: "Node"
    positional: tuple["Node", ...]
    named: Mapping[str, "Node"]
    open: bool


@attrs.frozen(eq=False)
class BindSite:
    """A value bound to a name."""

    node: "Node"
    name: str
    name_node: "Node"
    value: "Node"
