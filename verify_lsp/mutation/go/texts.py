"""Which expressions are texts, as far as one file tells."""

import re
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import first_child, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_MAKERS = (
    r"(?:string|fmt\.Sprint\w*|strings\.(?:Join|Repeat|Replace(?:All)?|To\w+|Trim\w*|Title|Map|Clone)"
    r"|strconv\.(?:Itoa|Quote\w*|Format\w+)|(?:file)?path\.(?:Join|Base|Dir|Clean|Ext|ToSlash|FromSlash)|os\.Getenv"
    r"|html\.\w+|url\.\w+Escape|hex\.EncodeToString|[\w.\[\]()]+\.(?:String|Error|Name|EncodeToString))"
)
_LITERALS = frozenset({"interpreted_string_literal", "raw_string_literal"})
_FUNCTIONS = frozenset({"function_declaration", "method_declaration"})
_TOP = frozenset({"var_declaration", "const_declaration"})


def is_text(node: "Node") -> bool:
    """Say whether an expression is surely, or by all signs, a text. Its type is not known."""
    rule = _RULES.get(node.type)
    return node.type in _LITERALS or (rule is not None and rule(node))


def _only_one_is(node: "Node") -> bool:
    only = first_child(node)
    return only is not None and is_text(only)


def _is_joined(node: "Node") -> bool:
    return text_of(node.child_by_field_name("operator")) == "+" and any(map(is_text, node.named_children))


def _is_made(node: "Node") -> bool:
    """What some functions of Go's own return, and those that the file declares."""
    called = text_of(node.child_by_field_name("function"))
    if re.fullmatch(_MAKERS, called):
        return True
    name = re.escape(called.rpartition(".")[2])
    return re.search(rf"(?m)^func (?:\([^)\n]*\) )?{name}\([^\n]*\) string \{{", text_of(_root(node))) is not None


def _is_named(node: "Node") -> bool:
    """A name that its function, or the file outside of functions, declares as one."""
    around = node
    while around.parent is not None and around.type not in _FUNCTIONS:
        around = around.parent
    root = around.parent or around
    outside = (text_of(child) for child in root.named_children if child.type in _TOP)
    name = re.escape(text_of(node))
    begun = rf"\b{name}(?:\s+string)?\s*:?=\s*(?:[\"`]|{_MAKERS}\()"
    return any(re.search(rf"{_typed(name)}|{begun}", text) for text in (text_of(around), *outside))


def _is_field(node: "Node") -> bool:
    name = re.escape(text_of(node.child_by_field_name("field")))
    types = (text_of(child) for child in _root(node).named_children if child.type == "type_declaration")
    return any(re.search(_typed(name), text) for text in types)


def _root(node: "Node") -> "Node":
    while node.parent is not None:
        node = node.parent
    return node


def _typed(name: str) -> str:
    return rf"\b{name}\b(?:[ \t]*,[ \t]*\w+)*[ \t]+string\b"


_RULES = {
    "parenthesized_expression": _only_one_is,
    "expression_list": _only_one_is,
    "slice_expression": _only_one_is,
    "binary_expression": _is_joined,
    "call_expression": _is_made,
    "identifier": _is_named,
    "selector_expression": _is_field,
}
