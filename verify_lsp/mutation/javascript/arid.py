"""What nobody tests, and nobody should: texts for people, types, time limits, code for other tools."""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import text_of
from verify_lsp.mutation.javascript.constants import is_constant
from verify_lsp.mutation.javascript.nodes import CLASSES, FUNCTIONS, arguments_of, called, operator_of, told

if TYPE_CHECKING:
    from tree_sitter import Node

_LEVELS = "trace|debug|verbose|silly|info|notice|log|warn|warning|warnOnce|error|fatal|critical|success|exception|time|timeEnd|table|group|groupEnd"
_SPEAKING = re.compile(
    r"console\.\w+"
    rf"|(?:.*[._])?_?(?:log(?:ger|ging)?|winston|pino|consola|reporter)(?:\(\))?\.(?:{_LEVELS})"
    rf"|(?:.*\.)?\w*Logger(?:\(\))?\.(?:{_LEVELS})"
    r"|(?:.*\.)?(?:debug(?:log)?|warnOnce|emitWarning|deprecate)"
    r"|(?:.*\.)?(?:metrics?|statsd|telemetry|tracer|span|analytics|Sentry|posthog|mixpanel|amplitude|newrelic|datadog\w*|counter|histogram|gauge)\.\w+"
    r"|gtag|track(?:Event)?|logEvent|captureException|captureMessage|performance\.(?:mark|measure)"
    r"|process\.(?:stdout|stderr)\.write|process\.exit"
)
_SPEAKING_ALONE = re.compile(rf"(?:{_LEVELS}|print)")
_WAITING = re.compile(
    r"(?:.*\.)?(?:sleep|delay|wait|clear(?:Timeout|Interval|Immediate)|unref|debounce|throttle)|AbortSignal\.timeout"
)
_TIMERS = re.compile(r"(?:.*\.)?set(?:Timeout|Interval)")
_ASSERTING = re.compile(r"(?:.*\.)?(?:assert\w*|invariant|tinyInvariant|precondition)(?:\.\w+)?")
_ERRORS = re.compile(r"(?:.*\.)?(?:\w*(?:Error|Exception|Failure))")
_LIMIT_NAME = re.compile(
    r"(?:.*_)?(?:timeouts?|time_?out|delay|interval|backoff|ttl|max_size|cache_size|max_cache\w*|buffer_size|chunk_size|high_water_mark"
    r"|retries|max_retries|retry_count|poll\w*|sleep\w*|debounce\w*|throttle\w*|stack_trace_limit)(?:_(?:ms|s|sec|secs|seconds|minutes|hours))?"
)
_FOR_PEOPLE = frozenset({"inspect", "toString", "displayName", "propTypes", "[Symbol.toStringTag]", "version"})
_INSPECTS = re.compile(r"\[.*(?:inspect\.custom|nodejs\.util\.inspect\.custom|Symbol\.toStringTag).*\]")
_LOOKS = re.compile(
    r"class|className|style|sx|css|key|id|title|alt|placeholder|role|label|tabIndex|aria-[\w-]+|data-[\w-]+|width|height|size|color"
    r"|variant|d|viewBox|fill|stroke\w*|x\d?|y\d?|cx|cy|r|rx|ry|points|transform|xmlns"
)
_FLAGS = frozenset({"enumerable", "configurable", "writable", "__esModule"})
_IGNORED = re.compile(r"\b(?:istanbul|[cv]8)\s+ignore\s+next\b|\bStryker disable next-line\b", re.IGNORECASE)

_NEVER = frozenset(
    {
        "comment",
        "ERROR",
        "hash_bang_line",
        "import_statement",
        "import_alias",
        "decorator",
        "class_heritage",
        "extends_clause",
        "implements_clause",
        "interface_declaration",
        "type_alias_declaration",
        "ambient_declaration",
        "enum_declaration",
        "function_signature",
        "method_signature",
        "abstract_method_signature",
        "property_signature",
        "index_signature",
        "type_annotation",
        "type_predicate_annotation",
        "asserts_annotation",
        "type_arguments",
        "type_parameters",
        "export_clause",
        "regex",
    }
)


def is_arid(node: "Node", *, at_import: bool) -> bool:
    """Say whether a fault at this node or below it would tell nothing about the tests."""
    if node.type in _NEVER or (node.type.endswith(_STATEMENTS) and _is_ignored(node)):
        return True
    rule = _RULES.get(node.type)
    return rule(node) if rule is not None else _is_plain(node, at_import=at_import)


_STATEMENTS = ("_statement", "_declaration", "method_definition", "pair", "field_definition")


def checks_first_argument(node: "Node") -> bool:
    """Say whether a call is about its first argument, beside which there are messages or pauses."""
    name = called(node) if node.type == "call_expression" else ""
    return bool(_ASSERTING.fullmatch(name) or _TIMERS.fullmatch(name))


def is_assertion(node: "Node") -> bool:
    """Say whether a call asserts something, which is not left out, as a condition is turned around instead."""
    return node.type == "call_expression" and _ASSERTING.fullmatch(called(node)) is not None


def _is_ignored(node: "Node") -> bool:
    before = node.prev_sibling
    return before is not None and before.type == "comment" and _IGNORED.search(text_of(before)) is not None


def _is_for_people(call: "Node", *, alone: bool = False) -> bool:
    name = called(call)
    if _SPEAKING.fullmatch(name) or _WAITING.fullmatch(name) or name == "require":
        return True
    if (alone or _stands_alone(call)) and _SPEAKING_ALONE.fullmatch(name):
        return True
    first = next(iter(arguments_of(call)), None)
    return name == "Object.defineProperty" and text_of(first) == "exports"


def _stands_alone(call: "Node") -> bool:
    return call.parent is not None and call.parent.type in {"expression_statement", "await_expression"}


def _only_speaks(node: "Node | None") -> bool:
    """A branch that does nothing but tell people something."""
    if node is None:
        return False
    statements = told(node) if node.type == "statement_block" else [node]
    calls = [told(each)[0] for each in statements if each.type == "expression_statement" and told(each)]
    return 0 < len(statements) == len(calls) and all(
        call.type == "call_expression" and (_is_for_people(call) and called(call) != "process.exit") for call in calls
    )


def _has_message(node: "Node") -> bool:
    thrown = told(node)[0] if told(node) else None
    return thrown is not None and thrown.type in {"new_expression", "call_expression"} and bool(arguments_of(thrown))


def _is_member_for_people(node: "Node") -> bool:
    name = text_of(node.child_by_field_name("name") or node.child_by_field_name("property"))
    if name in _FOR_PEOPLE or _INSPECTS.fullmatch(name):
        return True
    value = node.child_by_field_name("value")
    is_static = any(child.type == "static" for child in node.children)
    return value is not None and (_is_limit(name, value) or (is_static and is_constant(value)))


def _is_plain(node: "Node", *, at_import: bool) -> bool:
    """A constant's value is its own definition; a test could only repeat it."""
    fields = _NAMED.get(node.type)
    if fields is None:
        return False
    name, value = text_of(node.child_by_field_name(fields[0])), node.child_by_field_name(fields[1])
    last = name.rpartition(".")[2].strip("'\"")
    if value is None or value.type == "ERROR":
        return False
    if last in _FOR_PEOPLE or (node.type == "pair" and last in _FLAGS) or _is_limit(last, value):
        return True
    is_parameter = node.type in _PARAMETERS
    return not is_parameter and (at_import or _is_upper(last)) and is_constant(value)


_PARAMETERS = frozenset({"assignment_pattern", "object_assignment_pattern", "required_parameter", "optional_parameter"})
_NAMED = {
    "variable_declarator": ("name", "value"),
    "assignment_expression": ("left", "right"),
    "pair": ("key", "value"),
    "assignment_pattern": ("left", "right"),
    "object_assignment_pattern": ("left", "right"),
    "required_parameter": ("pattern", "value"),
    "optional_parameter": ("pattern", "value"),
}


def _is_upper(name: str) -> bool:
    return len(name) > 1 and name.upper() == name and name[0].isalpha()


def _is_limit(name: str, value: "Node") -> bool:
    """`timeoutMs = 30`, but not `delay = (ms) => …`."""
    if value.type in FUNCTIONS or value.type in CLASSES:
        return False
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.lstrip("#_")).lower()
    return _LIMIT_NAME.fullmatch(snake) is not None


def _is_awaited_for_people(node: "Node") -> bool:
    return bool(told(node)) and told(node)[0].type == "call_expression" and _is_for_people(told(node)[0])


def _is_error(node: "Node") -> bool:
    return _ERRORS.fullmatch(called(node)) is not None


def _only_for_people(node: "Node") -> bool:
    consequence = node.child_by_field_name("consequence")
    return node.child_by_field_name("alternative") is None and _only_speaks(consequence)


def _only_looks(node: "Node") -> bool:
    return _LOOKS.fullmatch(text_of(told(node)[0])) is not None


def _is_no_operation(node: "Node") -> bool:
    """What is done for people on a condition, and a call's type arguments that the grammar took for comparisons."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if right is not None and right.type == "call_expression" and _is_for_people(right, alone=True):
        return True
    return operator_of(node) == ">" and left is not None and operator_of(left) == "<"


_RULES: "Mapping[str, Callable[[Node], bool]]" = {
    "call_expression": _is_for_people,
    "new_expression": _is_error,
    "await_expression": _is_awaited_for_people,
    "throw_statement": _has_message,
    "if_statement": _only_for_people,
    "jsx_attribute": _only_looks,
    "method_definition": _is_member_for_people,
    "field_definition": _is_member_for_people,
    "public_field_definition": _is_member_for_people,
    "binary_expression": _is_no_operation,
}
