"""What a Rust function could return instead, where its declared type leaves no doubt that this compiles."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import Fault, first_child, text_of
from verify_lsp.mutation.rust.places import last_name, returned_type

if TYPE_CHECKING:
    from tree_sitter import Node

_INTEGERS = frozenset(f"{sign}{width}" for sign in "iu" for width in ("8", "16", "32", "64", "128", "size"))
_EMPTY = {"Option": "None", "Vec": "Vec::new()"}
_WHOLE = {"String": "String::new()", "f32": "0.0", "f64": "0.0", "()": "()"}
_PLAIN = frozenset(
    {
        "identifier",
        "field_expression",
        "call_expression",
        "index_expression",
        "parenthesized_expression",
        "try_expression",
        "await_expression",
        "macro_invocation",
    }
)
_VALUES = _PLAIN | {
    "reference_expression",
    "unary_expression",
    "binary_expression",
    "type_cast_expression",
    "string_literal",
    "raw_string_literal",
    "integer_literal",
    "float_literal",
    "scoped_identifier",
    "self",
}
_MACROS = re.compile(r"(?:std::|core::|alloc::)?(?:matches|format|vec)")


def returned(value: "Node") -> Iterator[Fault]:
    """Return the faults of an expression that a function returns; none of one that is no such expression."""
    if value.type not in _VALUES or (
        value.type == "macro_invocation" and not _MACROS.fullmatch(text_of(value.child_by_field_name("macro")))
    ):
        return
    kind = returned_type(value)
    if kind is None:
        return
    if (inner := _inside(value, kind)) is not None:
        value, kind = inner
    if text_of(kind) == "bool":
        if value.type in _PLAIN:
            yield Fault(value, "return", f"!{text_of(value)}")
        return
    other = _other(kind)
    if other is not None and not _is_same(text_of(value), other):
        yield Fault(value, "return", other)


def _inside(value: "Node", kind: "Node") -> "tuple[Node, Node] | None":
    """Of `Ok(x)` in a function that returns `Result<T, E>`, return `x` and `T`."""
    arguments = value.child_by_field_name("arguments") if value.type == "call_expression" else None
    wraps = {"Result": "Ok"}.get(last_name(kind))
    inner = _first_type(kind)
    if arguments is None or inner is None or text_of(value.child_by_field_name("function")) != wraps:
        return None
    only = first_child(arguments)
    return (only, inner) if only is not None and arguments.named_child_count == 1 else None


def _other(kind: "Node") -> str | None:
    """Return a value of this type: nothing, zero, an empty text; None where none is sure to be one."""
    text, name = text_of(kind), last_name(kind) or text_of(kind)
    if kind.type == "reference_type":
        return '""' if re.fullmatch(r"&\s*(?:'\w+\s+)?str", text) else None
    if kind.type == "generic_type":
        inner = _other(first) if name == "Result" and (first := _first_type(kind)) is not None else None
        return _EMPTY.get(name) if inner is None else f"Ok({inner})"
    return "0" if text in _INTEGERS else _WHOLE.get(name)


def _first_type(kind: "Node") -> "Node | None":
    arguments = kind.child_by_field_name("type_arguments") if kind.type == "generic_type" else None
    return next((child for child in arguments.named_children if child.type != "lifetime"), None) if arguments else None


def _is_same(text: str, other: str) -> bool:
    plain = re.sub(r"_?(?:[iu](?:8|16|32|64|128|size)|f(?:32|64))$", "", text)
    return plain in {other, {"0.0": "0."}.get(other), {"Vec::new()": "vec![]", '""': 'r""'}.get(other)}
