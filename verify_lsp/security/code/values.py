"""What an expression is: the same on every run, put together from parts, or somebody else's."""

import re
from typing import TYPE_CHECKING

from verify_lsp.security.code.bindings import added_to, bound_value
from verify_lsp.security.code.routes import ROUTE, is_route_parameter
from verify_lsp.security.code.sites import Code, unwrapped
from verify_lsp.security.patterns import found, matches_whole
from verify_lsp.security.rule import Kind

if TYPE_CHECKING:
    from tree_sitter import Node

    from verify_lsp.security.site import CallSite

_DEPTH = 6
_LITERALS = frozenset(
    {
        *("integer", "float", "true", "false", "none", "null", "undefined", "number", "regex", "nil", "int_literal"),
        *("float_literal", "rune_literal", "boolean_literal", "integer_literal", "char_literal", "raw_string_literal"),
        *("interpreted_string_literal", "string_literal", "iota", "type_identifier"),
    }
)
_CONTAINERS = frozenset(
    {
        *("list", "tuple", "dictionary", "set", "pair", "array", "object", "concatenated_string", "binary_operator"),
        *(
            "binary_expression",
            "unary_operator",
            "literal_value",
            "literal_element",
            "keyed_element",
            "expression_list",
        ),
        *("composite_literal", "boolean_operator"),
    }
)
_CHOICES = frozenset({"conditional_expression", "ternary_expression"})
_DEFAULTS = frozenset({"default_parameter", "typed_default_parameter"})
_TEXT_METHODS = (".format", ".concat", ".join", ".to_string", ".as_str", ".into", ".as_ref", ".strip", ".trim")
_NAMES = frozenset({"identifier", "shorthand_property_identifier"})
_CONSTANT = re.compile(r"^(?:[\w.]*\.)?_?[A-Z][A-Z0-9_]{1,}$")
_HARMLESS = (
    r"(?:.*\.)?(?:quote|int|float|bool|len|id|hash|parseInt|parseFloat|Number|Boolean|Itoa|FormatInt|Quote|quote_ident|"
    r"quote_identifier|quote_name|escape|escapeId|escapeIdentifier|escapeHTML|escapeHtml|EscapeString|HTMLEscapeString|Identifier|Literal|SQL|"
    r"uuid4|encodeURIComponent|sanitize|basename|Base|secure_filename|escape_string|getpid|placeholders?|join_placeholders|"
    r"quotemeta|shellquote|shell_quote|shlex_join)|shlex\.join"
)
_CLEANERS = r"\b(?:secure_filename|basename|escape|int|quote|url_for|encodeURIComponent|parseInt|Number|sanitize\w*)\("
_SOURCES = {
    "python": r"\b(?:self\.)?request\.(?:args|form|values|json|data|files|headers|cookies|GET|POST|FILES|META|body|params|"
    r"query_params|path_params|get_json|query_string|stream|match_info|rel_url|query|get_argument)\b|\bself\.get_argument\(|"
    + ROUTE,
    "script": r"\b(?:req|request)\??\.(?:query|body|params|headers|cookies|url|originalUrl)\b|\bctx\.(?:query|params|request\.(?:query|body))\b|"
    r"\bevent\.(?:queryStringParameters|pathParameters|body)\b|\blocation\.(?:hash|search|href)\b|\bdocument\.(?:URL|referrer)\b|"
    r"\bsearchParams\.get\(|\b(?:req|request)\.(?:json|formData)\(\)",
    "go": r"\.(?:FormValue|PostFormValue|QueryParam|PathValue|PostForm)\(|\.URL\.Query\(\)|\.URL\.Path\b|\bmux\.Vars\(|\bc\.(?:Query|Param|DefaultQuery)\(|"
    r"\.Header\.Get\(",
}


def is_kind(code: Code, node: "Node", kind: Kind) -> bool:
    """Say whether an expression is of a kind."""
    match kind:
        case "literal":
            return is_literal(code, node)
        case "dynamic":
            return not is_literal(code, node)
        case "built":
            return is_built(code, node)
        case "tainted":
            return is_tainted(code, node)


def is_literal(code: Code, node: "Node", depth: int = _DEPTH) -> bool:  # noqa: PLR0911  # one answer a kind of node
    """Say whether an expression is the same on every run: literals, constants by their name, and what is made of them."""
    node = unwrapped(node)
    if depth <= 0:
        return False
    kind = node.type
    if kind in _LITERALS:
        return True
    if kind in {"string", "template_string"}:
        return all(is_literal(code, part, depth - 1) for part in _holes(node))
    if kind in _CHOICES:
        return all(is_literal(code, child, depth - 1) for child in _choices(node))
    if kind in _CONTAINERS:
        return all(is_literal(code, child, depth - 1) for child in node.named_children if child.type != "comment")
    if _CONSTANT.match(code.text(node)):
        return True
    bound = bound_value(code, node) if kind in _NAMES else None
    return bound is not None and all(
        is_literal(code, part, depth - 1) for part in (bound, *added_to(code, node, bound))
    )


def is_built(code: Code, node: "Node", depth: int = _DEPTH) -> bool:  # noqa: PLR0911  # one answer a kind of node
    """Say whether an expression is a text put together with parts that somebody else may choose."""
    node = unwrapped(node)
    if depth <= 0:
        return False
    match node.type:
        case "string" | "template_string" | "encapsed_string":
            return any(not _is_harmless(code, part) for part in _holes(node))
        case "concatenated_string":
            return any(is_built(code, part, depth - 1) for part in node.named_children)
        case "binary_operator" | "binary_expression":
            return _is_built_sum(code, node, depth)
        case "call" | "call_expression":
            return _is_formatted(code, node, depth)
        case "macro_invocation":
            return _is_format_macro(code, node)
        case "conditional_expression" | "ternary_expression":
            return any(is_built(code, part, depth - 1) for part in _choices(node))
        case "identifier" | "shorthand_property_identifier":
            return _is_built_name(code, node, depth)
    return False


def is_tainted(code: Code, node: "Node", depth: int = 5) -> bool:
    """Say whether an expression holds what a request brought, and nothing made it harmless."""
    asked = (node.id, depth)
    if asked not in code.tainted:
        code.tainted[asked] = _is_tainted(code, unwrapped(node), depth)
    return code.tainted[asked]


def _is_tainted(code: Code, node: "Node", depth: int) -> bool:
    site = code.call(node)
    if depth <= 0 or (site is not None and matches_whole(_HARMLESS, site.callee)):
        return False
    if node.type in _NAMES:
        return _is_tainted_name(code, node, depth)
    if node.type in _CHOICES:
        # Which of two values is chosen may well hang on a request; what counts is the values.
        return any(is_tainted(code, part, depth - 1) for part in _choices(node))
    pattern = sources_pattern(code.source.language or "")
    if pattern is None or is_literal(code, node):
        return False
    text = code.text(node)
    if found(pattern, text):
        return not found(_CLEANERS, text)
    return any(is_tainted(code, part, depth - 1) for part in node.named_children[:12])


def _is_tainted_name(code: Code, name: "Node", depth: int) -> bool:
    bound = bound_value(code, name)
    if bound is None or (bound.parent is not None and bound.parent.type in _DEFAULTS):
        return is_route_parameter(code, name)
    return is_tainted(code, bound, depth - 1)


def sources_pattern(language: str) -> str | None:
    """Return what a file must hold for anything in it to come from a request; None where that is not known."""
    return _SOURCES.get("script" if language in {"javascript", "typescript", "tsx"} else language)


def _holes(node: "Node") -> list["Node"]:
    parts = [child for child in node.named_children if child.type in {"interpolation", "template_substitution"}]
    return [unwrapped(part.named_children[0]) for part in parts if part.named_child_count]


def _choices(node: "Node") -> list["Node"]:
    """The two values that a condition chooses from; Python writes the condition between them."""
    children = [child for child in node.named_children if child.type != "comment"]
    return [children[0], children[-1]] if node.type == "conditional_expression" else children[1:]


def _is_harmless(code: Code, node: "Node") -> bool:
    node = unwrapped(node)
    if is_literal(code, node):
        return True
    site = code.call(node)
    if site is not None:
        if matches_whole(_HARMLESS, site.callee):
            return True
        return site.callee.endswith(".join") and _joins_marks(code, node)
    if node.type in _NAMES:
        if matches_whole(
            r"(?:place_?holders?|qmarks|param_?marks|\w*_(?:id|count|num|size|port|pid))", code.text(node)
        ):
            return True
        bound = bound_value(code, node)
        return bound is not None and bound is not node and _is_harmless_value(code, bound)
    return False


def _is_harmless_value(code: Code, bound: "Node") -> bool:
    site = code.call(bound)
    if site is None:
        return False
    return matches_whole(_HARMLESS, site.callee) or (site.callee.endswith(".join") and _joins_marks(code, bound))


def _joins_marks(code: Code, node: "Node") -> bool:
    """Whether a join puts marks for values in a row: `",".join(["?"] * len(rows))`."""
    return found(r"""['"](?:\?|%s|\$\d?|:\w+)['"]""", code.text(node))


def _is_built_sum(code: Code, node: "Node", depth: int) -> bool:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return False
    sign = code.text(operator)
    if sign == "%":
        return unwrapped(left).type in {"string", "concatenated_string"} and not _all_harmless(code, right)
    if sign != "+":
        return False
    sides = (left, right)
    if any(is_built(code, side, depth - 1) for side in sides):
        return True
    texts = [side for side in sides if _is_text(code, side, depth - 1)]
    return bool(texts) and any(side not in texts and not _is_harmless(code, side) for side in sides)


def _all_harmless(code: Code, node: "Node") -> bool:
    node = unwrapped(node)
    parts = node.named_children if node.type == "tuple" else [node]
    return all(_is_harmless(code, part) for part in parts)


def _is_built_name(code: Code, name: "Node", depth: int) -> bool:
    """Whether what a name was bound to is built, or became so by what was added to it since."""
    bound = bound_value(code, name)
    if bound is None:
        return False
    if is_built(code, bound, depth - 1):
        return True
    added = added_to(code, name, bound)
    return bool(added) and _is_text(code, bound, depth) and any(not _is_harmless(code, part) for part in added)


def _is_text(code: Code, node: "Node", depth: int) -> bool:
    node = unwrapped(node)
    if node.type in {"binary_operator", "binary_expression"} and depth > 0:
        return any(_is_text(code, child, depth - 1) for child in node.named_children)
    return "string" in node.type


def _is_formatted(code: Code, node: "Node", depth: int) -> bool:
    site, function = code.call(node), node.child_by_field_name("function")
    if site is None:
        return False
    if site.callee in {"fmt.Sprintf", "util.format"} and site.positional:
        return _is_print_formatted(code, site)
    if function is None or not site.callee.endswith(_TEXT_METHODS):
        return False
    receiver = function.named_children[0]
    if site.callee.endswith(".join"):
        return not _joins_marks(code, node) and (
            any(is_built(code, each, depth - 1) for each in _joined(code, site)) or _is_built_row(code, site)
        )
    if site.callee.endswith((".format", ".concat")):
        parts = (*site.positional, *site.named.values())
        return _is_text(code, receiver, depth) and any(not _is_harmless(code, part) for part in parts)
    return is_built(code, receiver, depth - 1)


def _is_print_formatted(code: Code, site: "CallSite") -> bool:
    first = site.positional[0]
    if unwrapped(first).type in _NAMES and not is_literal(code, first):
        return False
    return found(r"%[+#]?[svq]", code.text(first)) and any(not _is_harmless(code, part) for part in site.positional[1:])


def _is_built_row(code: Code, site: "CallSite") -> bool:
    """Whether a join puts texts and parts that are not harmless in a row: `" ".join(["tar", "xf", name])`."""
    if code.source.language != "python" or not site.positional:
        return False
    first = site.positional[0]
    row = bound_value(code, first) if first.type in _NAMES else first
    if row is None or row.type not in {"list", "tuple"}:
        return False
    parts = [part for part in row.named_children if part.type not in {"comment", "list_splat"}]
    texts = [part for part in parts if _is_text(code, part, 1)]
    return bool(texts) and any(part not in texts and not _is_harmless(code, part) for part in parts)


def _joined(code: Code, site: "CallSite") -> list["Node"]:
    """Return what each part of a join is made by: `"".join(f"…" for …)`, `rows.map((row) => `…`).join("")`."""
    if code.source.language == "python":
        makers = [part for part in site.positional if part.type in {"generator_expression", "list_comprehension"}]
        bodies = [maker.child_by_field_name("body") for maker in makers]
    else:
        function = site.node.child_by_field_name("function")
        mapped = None if function is None else code.call(function.named_children[0])
        makers = list(mapped.positional[:1]) if mapped is not None and mapped.callee.endswith(".map") else []
        bodies = [maker.child_by_field_name("body") for maker in makers if maker.type == "arrow_function"]
    return [body for body in bodies if body is not None]


def _is_format_macro(code: Code, node: "Node") -> bool:
    text = code.text(node)
    if not text.startswith(("format!", "concat!")):
        return False
    return found(r"\{[a-z_]\w*(?::[^}]*)?\}", text) or (
        found(r"\{(?::[^}]*)?\}", text) and found(r'"\s*,\s*[^A-Z\s]', text)
    )
