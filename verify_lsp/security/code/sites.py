"""Calls and bindings: the places in a syntax tree that rules speak of."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from verify_lsp.security.site import BindSite, CallSite
from verify_lsp.security.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_CALLS = frozenset({"call", "call_expression", "new_expression", "composite_literal", "macro_invocation"})
_BINDINGS: Mapping[str, tuple[str, str]] = {
    "keyword_argument": ("name", "value"),
    "assignment": ("left", "right"),
    "pair": ("key", "value"),
    "default_parameter": ("name", "value"),
    "typed_default_parameter": ("name", "value"),
    "named_expression": ("name", "value"),
    "assignment_expression": ("left", "right"),
    "variable_declarator": ("name", "value"),
    "public_field_definition": ("name", "value"),
    "field_definition": ("property", "value"),
    "keyed_element": ("key", "value"),
    "assignment_statement": ("left", "right"),
    "augmented_assignment_expression": ("left", "right"),
    "augmented_assignment": ("left", "right"),
    "short_var_declaration": ("left", "right"),
    "var_spec": ("name", "value"),
    "const_spec": ("name", "value"),
    "let_declaration": ("pattern", "value"),
    "field_initializer": ("field", "value"),
    "const_item": ("name", "value"),
    "static_item": ("name", "value"),
}
_WRAPPERS = frozenset(
    {
        *("parenthesized_expression", "literal_element", "await", "await_expression", "reference_expression"),
        *("as_expression", "non_null_expression", "type_conversion_expression", "jsx_expression", "unary_expression"),
        *("satisfies_expression", "try_expression"),
    }
)
_DEPTH = 40
_SPLATS = frozenset({"dictionary_splat", "list_splat", "spread_element", "variadic_argument"})
_UNPACKS_NAMES = frozenset({"dictionary_splat", "spread_element", "variadic_argument"})


class Code:
    """A parsed source with what its imports say. All nodes belong to `root`."""

    def __init__(self, source: Source, root: "Node") -> None:
        self.source = source
        self.root = root
        # Many rules ask about the same nodes.
        self._calls: dict[int, CallSite | None] = {}
        self._binds: dict[int, BindSite | None] = {}
        self.bound: dict[int, Node | None] = {}
        """What names were last bound to, by node: kept for `bindings`."""
        self.scopes: dict[int, Node | None] = {}
        """The functions around nodes: kept for `bindings`."""
        self.tainted: dict[tuple[int, int], bool] = {}
        """Whether expressions hold what a request brought, by node and depth: kept for `values`."""
        self.kinds: dict[tuple[int, str], bool] = {}
        """Of what kind expressions were found to be, by node: kept for `matching`."""

    def text(self, node: "Node") -> str:
        """Return the text of a node on one line."""
        return " ".join(self.source.slice(node.start_byte, node.end_byte).split())

    def around(self, offset: int, length: int) -> Iterator["Node"]:
        """Yield the nodes around a place, the innermost first."""
        node = self.root.descendant_for_byte_range(offset, offset + length)
        for _ in range(_DEPTH):
            if node is None:
                return
            yield node
            node = node.parent

    def call(self, node: "Node") -> CallSite | None:
        """Return the call that a node is."""
        if node.type not in _CALLS:
            return None
        if node.id not in self._calls:
            self._calls[node.id] = self._call(node)
        return self._calls[node.id]

    def _call(self, node: "Node") -> CallSite | None:
        callee = next(
            (
                found
                for field in ("function", "constructor", "type", "macro")
                if (found := node.child_by_field_name(field))
            ),
            None,
        )
        if callee is None:
            return None
        arguments = node.child_by_field_name("arguments") or node.child_by_field_name("body")
        if arguments is not None and arguments.type == "template_string":
            return None  # A tagged template: its tag sees the values apart from the text.
        positional: list[Node] = []
        named: dict[str, Node] = {}
        opened = False
        for argument in arguments.named_children if arguments else ():
            opened = self._sort_in(argument, positional, named) or opened
        name = self.dotted(callee) + ("!" if node.type == "macro_invocation" else "")
        return CallSite(node, name, _last_part(callee), tuple(positional), named, opened)

    def _sort_in(self, argument: "Node", positional: list["Node"], named: dict[str, "Node"]) -> bool:
        if argument.type == "comment":
            return False
        if argument.type in {"keyword_argument", "keyed_element"}:
            self._name(argument, named)
            return False
        if argument.type in _SPLATS:
            positional.append(argument)
            return argument.type in _UNPACKS_NAMES
        positional.append(unwrapped(argument))
        opened = False
        if argument.type == "object":
            for pair in argument.named_children:
                self._name(pair, named)
                opened = opened or pair.type == "spread_element"
        return opened

    def _name(self, pair: "Node", named: dict[str, "Node"]) -> None:
        site = self.bind(pair)
        if site is not None:
            named.setdefault(site.name, site.value)

    def bind(self, node: "Node") -> BindSite | None:
        """Return the binding that a node is."""
        if node.type != "jsx_attribute" and node.type not in _BINDINGS:
            return None
        if node.id not in self._binds:
            self._binds[node.id] = self._bind(node)
        return self._binds[node.id]

    def _bind(self, node: "Node") -> BindSite | None:
        if node.type == "jsx_attribute":
            children = node.named_children
            return (
                BindSite(node, self.text(children[0]), children[0], unwrapped(children[1]))
                if len(children) == 2
                else None
            )
        fields = _BINDINGS.get(node.type)
        if fields is None:
            return None
        name, value = (node.child_by_field_name(field) for field in fields)
        if name is None or value is None:
            return None
        return BindSite(node, self.dotted(unwrapped(_only(name))), name, unwrapped(_only(value)))

    def dotted(self, node: "Node", depth: int = 12) -> str:
        """Return a name as `a.b.c`; `?` stands for what is not a name, `()` follows what is called."""
        whole = self._dotted(node, depth)
        first, dot, rest = whole.partition(".")
        return self.source.names.get(first, first) + dot + rest

    def _dotted(self, node: "Node", depth: int) -> str:  # noqa: PLR0911  # one answer a kind of node
        if depth <= 0:
            return "?"
        match node.type:
            case (
                "attribute"
                | "member_expression"
                | "selector_expression"
                | "field_expression"
                | "subscript"
                | "subscript_expression"
            ):
                return f"{self._dotted(node.named_children[0], depth - 1)}.{self._member(node)}"
            case "qualified_type" | "scoped_identifier" | "scoped_type_identifier":
                return ".".join(self._dotted(child, depth - 1) for child in node.named_children)
            case "call" | "call_expression" | "new_expression":
                callee = node.child_by_field_name("function") or node.child_by_field_name("constructor")
                return f"{self._dotted(callee, depth - 1)}()" if callee else "?"
            case "parenthesized_expression" | "await" | "await_expression" | "non_null_expression":
                children = node.named_children
                return self._dotted(children[0], depth - 1) if children else "?"
            case "string" | "interpreted_string_literal" | "string_literal":
                return string_content(self.text(node))
            case "generic_type" | "generic_function":
                return self._dotted(node.named_children[0], depth - 1)
            case kind if kind.endswith("identifier") or kind in {"this", "self", "super", "import"}:
                return self.text(node)
        return "?"

    def _member(self, node: "Node") -> str:
        last = node.named_children[-1]
        if node.type in {"subscript", "subscript_expression"} and "string" not in last.type:
            return "[]"
        return string_content(self.text(last))

    def statement(self, node: "Node") -> "Node":
        """Return the statement around a node."""
        current = node
        while current.parent is not None and not _is_statement(current):
            current = current.parent
        return current

    def function_name(self, node: "Node") -> str:
        """Return the name of the function around a node, or nothing."""
        current = node.parent
        while current is not None:
            if "function" in current.type or "method" in current.type:
                name = current.child_by_field_name("name")
                holder = current.parent
                if name is None and holder is not None and holder.type in {"variable_declarator", "pair"}:
                    name = holder.child_by_field_name("name") or holder.child_by_field_name("key")
                if name is not None:
                    return self.text(name)
            current = current.parent
        return ""


def unwrapped(node: "Node") -> "Node":
    """Return what stands inside of parentheses, `await`, `&`, a type assertion."""
    while node.type in _WRAPPERS and node.named_child_count >= 1:
        if node.type == "unary_expression" and not node.text.startswith(b"&"):  # type: ignore[union-attr]
            break
        node = node.child_by_field_name("operand") or node.named_children[0]  # Go writes a conversion's type first.
    return node


def string_content(text: str) -> str:
    """Return a literal without its quotes."""
    return text.strip("\"'`")


def _only(node: "Node") -> "Node":
    return node.named_children[0] if node.type == "expression_list" and node.named_child_count else node


def _last_part(callee: "Node") -> "Node":
    node = callee
    while node.named_child_count and node.type in {
        "attribute",
        "member_expression",
        "selector_expression",
        "field_expression",
        "scoped_identifier",
        "qualified_type",
    }:
        node = node.named_children[-1]
    return node


def _is_statement(node: "Node") -> bool:
    kind = node.type
    return kind.endswith(("_statement", "_declaration", "_definition", "_item")) or kind in {
        "decorator",
        "const_spec",
        "var_spec",
    }
