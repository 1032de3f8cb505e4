"""What a Python function could return instead of what it does."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import Fault, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_DECIDES_ITSELF = frozenset({"comparison_operator", "boolean_operator", "not_operator"})
_NOTHING_OF = {
    "int": "0",
    "float": "0.0",
    "str": '""',
    "bytes": 'b""',
    "list": "[]",
    "List": "[]",
    "dict": "{}",
    "Dict": "{}",
}
_PLAIN_TYPE = re.compile(r"(?:t\.|typing\.)?(\w+)(?:\[.*\])?", re.DOTALL)


def other_result(node: "Node") -> Iterator[Fault]:
    """Return nothing, in the form that the function's declared type has for it; of two truths, the other one."""
    value = next((child for child in node.named_children if child.type != "comment"), None)
    if value is None or value.type in {"none", "true", "false"} or text_of(value) in {"self", "cls"}:
        return
    declared = _declared(node)
    if declared == "bool" and value.type in _DECIDES_ITSELF:
        return  # Its operators have faults of their own, which say more.
    nothing = f"not ({text_of(value)})" if declared == "bool" else _NOTHING_OF.get(declared, "None")
    yield Fault(value, "return", "None" if nothing == text_of(value) else nothing)


def _declared(node: "Node") -> str:
    """Return the plain name of the type that the function around declares; "" where none is, or it is no plain one."""
    above = node.parent
    while above is not None and above.type != "function_definition":
        above = above.parent
    told = text_of(above.child_by_field_name("return_type")).strip("\"' ") if above is not None else ""
    found = _PLAIN_TYPE.fullmatch(told)
    return found[1] if found else ""
