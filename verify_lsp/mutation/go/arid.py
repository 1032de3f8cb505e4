"""Go in which a fault would tell nothing about the tests: what is for people, for the compiler, or for waiting."""

import re
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_SPEAKING = re.compile(
    r"(?:.*\.)?(?:log|logger|slog|logrus|zap|klog|glog|zerolog)(?:\(\))?\.\w+|(?:.*\.)?[lL]og(?:ger)?\(\)\.\w+"
    r"|(?:.*\.)?(?:Debug|Info|Warn|Warning|Trace|Fatal|Print)(?:f|ln|w|Context)?|fmt\.Print\w*|print(?:ln)?|panic"
    r"|(?:t|tb|b)\.(?:Helper|Logf?|Errorf?|Fatal\w*|Skip\w*|Cleanup)"
    r"|(?:.*\.)?(?:metrics?|stats|statsd|telemetry|tracer|span|counter|histogram|gauge)\.\w+"
    r"|errors\.(?:New|Errorf|Wrapf?|WithMessagef?)|fmt\.Errorf|xerrors\.\w+|runtime\.(?:GC|Gosched|KeepAlive)",
)
_WAITING = re.compile(
    r"time\.(?:Sleep|After|AfterFunc|NewTimer|NewTicker|Tick)|context\.With(?:Timeout|Deadline)\w*"
    r"|.*\.(?:Set(?:Read|Write)?Deadline|SetTimeout|R?Lock|R?Unlock|TryLock|Done|Wait|Signal|Broadcast|Close|Stop)|close"
    r"|(?:.*\.)?(?:wg|\w*W[gG]|\w*[wW]aitGroup)\.Add|(?:\w*[cC])ancel\w*",
)
_LIMIT_NAME = re.compile(
    r"\w*(?:timeouts?|delay|interval|backoff|ttl|maxsize|cachesize|buffersize|bufsize|chunksize|retries|deadline|poll\w*|sleep\w*)",
    re.IGNORECASE,
)
_UNIT = re.compile(r"time\.(?:Nanosecond|Microsecond|Millisecond|Second|Minute|Hour|Duration\(.*\))", re.DOTALL)
_FOR_PEOPLE = frozenset({"String", "GoString", "Error", "LogValue", "Format", "MarshalZerologObject"})

_NEVER = frozenset(
    {
        "comment",
        "package_clause",
        "import_declaration",
        "const_declaration",
        "type_declaration",
        "parameter_list",
        "type_parameter_list",
        "type_arguments",
        "array_type",
        "implicit_length_array_type",
        "slice_type",
        "map_type",
        "channel_type",
        "struct_type",
        "interface_type",
        "function_type",
        "pointer_type",
        "generic_type",
        "qualified_type",
        "interpreted_string_literal",
        "raw_string_literal",
        "rune_literal",
        "ERROR",
    }
)
_PLAIN = frozenset(
    {
        "int_literal",
        "float_literal",
        "imaginary_literal",
        "rune_literal",
        "interpreted_string_literal",
        "raw_string_literal",
        "true",
        "false",
        "nil",
        "unary_expression",
    }
)


def is_arid(node: "Node", *, at_import: bool) -> bool:
    """Say whether a fault at this node or below it would tell nothing about the tests."""
    if node.type in _NEVER:
        return True
    rule = _RULES.get(node.type)
    return rule is not None and rule(node, at_import)


def _is_for_people(node: "Node", _at_import: bool) -> bool:  # noqa: FBT001  # one shape for all rules
    called = text_of(node.child_by_field_name("function"))
    return (
        _SPEAKING.fullmatch(called) is not None or _WAITING.fullmatch(called) is not None or _speaks_aloud(node, called)
    )


def _speaks_aloud(node: "Node", called: str) -> bool:
    """What is printed to a given writer is a result, unless the writer is the terminal."""
    given = text_of(node.child_by_field_name("arguments"))
    return called.startswith("fmt.Fprint") and re.match(r"\(\s*os\.Std(?:err|out)\b", given) is not None


def _describes_itself(node: "Node", _at_import: bool) -> bool:  # noqa: FBT001  # one shape for all rules
    return text_of(node.child_by_field_name("name")) in _FOR_PEOPLE


def _asks_for_short_tests(node: "Node", _at_import: bool) -> bool:  # noqa: FBT001  # one shape for all rules
    return "testing.Short()" in text_of(node.child_by_field_name("condition"))


def _is_duration(node: "Node", _at_import: bool) -> bool:  # noqa: FBT001  # one shape for all rules
    return text_of(node.child_by_field_name("operator")) == "*" and any(
        _UNIT.fullmatch(text_of(child)) for child in node.named_children
    )


def _is_plain_variable(node: "Node", at_import: bool) -> bool:  # noqa: FBT001  # one shape for all rules
    """A constant's value is its own definition; `var _ T = x` is a question to the compiler."""
    names = [text_of(name) for name in node.children_by_field_name("name")]
    values = node.child_by_field_name("value")
    if values is None or any(_LIMIT_NAME.fullmatch(name) for name in names) or set(names) == {"_"}:
        return True
    return at_import and all(value.type in _PLAIN for value in values.named_children)


def _is_limit(node: "Node", _at_import: bool) -> bool:  # noqa: FBT001  # one shape for all rules
    """Time limits and sizes by their names, and what only keeps the compiler quiet (`_ = x`)."""
    left = node.child_by_field_name("left")
    names = [text_of(name).rpartition(".")[2] for name in left.named_children] if left is not None else []
    return any(_LIMIT_NAME.fullmatch(name) for name in names) or set(names) == {"_"}


def _is_limit_field(node: "Node", _at_import: bool) -> bool:  # noqa: FBT001  # one shape for all rules
    key = node.child_by_field_name("key")
    return bool(_LIMIT_NAME.fullmatch(text_of(key)))


def _is_data(node: "Node", at_import: bool) -> bool:  # noqa: FBT001  # one shape for all rules
    """A table of plain values outside of functions is its own definition, too."""
    return at_import and all(child.type in _PLAIN for child in node.named_children)


_RULES = {
    "literal_element": _is_data,
    "call_expression": _is_for_people,
    "method_declaration": _describes_itself,
    "if_statement": _asks_for_short_tests,
    "binary_expression": _is_duration,
    "var_spec": _is_plain_variable,
    "short_var_declaration": _is_limit,
    "assignment_statement": _is_limit,
    "keyed_element": _is_limit_field,
}
