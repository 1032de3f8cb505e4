"""What nobody tests, and nobody should: texts for people, types, time limits, code for other tools."""

import re
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import first_child, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_SPEAKING = re.compile(
    r"(?:.*\.)?(?:_?log(?:ger|ging)?\d?|_?LOG(?:GER)?)\.(?:trace|debug|info|warn|warning|error|exception|critical|fatal|log|success)"
    r"|(?:.*\.)?(?:log|logger)(?:\(\))?\.\w+|print|pprint|(?:\w+\.)?warn(?:ings)?\.warn|warn|(?:click|typer)\.(?:echo|secho)"
    r"|(?:.*\.)?(?:metrics?|statsd|telemetry|tracer|span|counter|histogram|gauge)\.\w+",
)
_WAITING = re.compile(r"(?:.*\.)?(?:sleep|setdefaulttimeout|settimeout|wait_for|move_on_after|fail_after|lru_cache)")
_LIMIT_NAME = re.compile(
    r"(?:.*_)?(?:timeouts?|time_?out_?(?:s|ms|sec|secs|seconds)?|delay|interval|backoff|ttl|max_?size|maxlen|cache_?size|buffer_?size"
    r"|chunk_?size|buf_?size|bufsize|stacklevel|retries|max_?retries|poll\w*|sleep\w*)(?:_\w{1,3})?",
    re.IGNORECASE,
)
_TYPE_MAKERS = frozenset(
    {"TypeVar", "NewType", "ParamSpec", "TypeVarTuple", "NamedTuple", "TypedDict", "cast", "namedtuple"}
)
_TYPE_BASES = frozenset({"Protocol", "TypedDict", "NamedTuple", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_BODILESS = frozenset({"overload", "abstractmethod", "abstractproperty"})
_FOR_PEOPLE = frozenset(
    {"__repr__", "__rich_repr__", "__version__", "__all__", "__slots__", "__author__", "__match_args__"}
)

_NEVER = frozenset(
    {
        "type",
        "decorator",
        "comment",
        "import_statement",
        "import_from_statement",
        "future_import_statement",
        "type_alias_statement",
        "global_statement",
        "nonlocal_statement",
        "case_pattern",
        "concatenated_string",
        "ERROR",
    }
)


def is_arid(node: "Node", *, at_import: bool) -> bool:
    """Say whether a fault at this node or below it would tell nothing about the tests."""
    if node.type in _NEVER:
        return True
    rule = _RULES.get(node.type)
    return rule is not None and rule(node, at_import)


def is_type_checking_block(node: "Node") -> bool:
    """Say whether this `if` asks for a type checker, or whether the file is run as a program."""
    condition = text_of(node.child_by_field_name("condition"))
    return bool(re.fullmatch(r"(?:\w+\.)?TYPE_CHECKING|.*__name__\s*==.*|.*==\s*__name__.*", condition, re.DOTALL))


def _is_for_people(node: "Node", _at_import: bool) -> bool:  # noqa: FBT001  # one shape for all rules
    return _name_of(node.child_by_field_name("function")) in _TYPE_MAKERS or bool(
        _SPEAKING.fullmatch(function := text_of(node.child_by_field_name("function"))) or _WAITING.fullmatch(function)
    )


def _is_type_only_class(node: "Node", _at_import: bool) -> bool:  # noqa: FBT001  # one shape for all rules
    bases = node.child_by_field_name("superclasses")
    return bases is not None and any(_name_of(base) in _TYPE_BASES for base in bases.named_children)


def _is_repr(node: "Node", _at_import: bool) -> bool:  # noqa: FBT001  # one shape for all rules
    return text_of(node.child_by_field_name("name")) in _FOR_PEOPLE


def _is_bodiless(node: "Node", _at_import: bool) -> bool:  # noqa: FBT001  # one shape for all rules
    decorators = (first_child(child) for child in node.named_children if child.type == "decorator")
    return any(_name_of(each) in _BODILESS for each in decorators)


def _is_limit(node: "Node", _at_import: bool) -> bool:  # noqa: FBT001  # one shape for all rules
    return bool(_LIMIT_NAME.fullmatch(text_of(node.child_by_field_name("name"))))


def _is_plain_constant(node: "Node", at_import: bool) -> bool:  # noqa: FBT001  # one shape for all rules
    """A constant's value is its own definition; a test could only repeat it."""
    name, value = text_of(node.child_by_field_name("left")), node.child_by_field_name("right")
    if _LIMIT_NAME.fullmatch(name.rpartition(".")[2]) or name in _FOR_PEOPLE or value is None:
        return True
    return at_import and value.type in {
        "integer",
        "float",
        "string",
        "true",
        "false",
        "none",
        "tuple",
        "list",
        "set",
        "dictionary",
        "unary_operator",
    }


def _is_for_tools(node: "Node", _at_import: bool) -> bool:  # noqa: FBT001  # one shape for all rules
    return text_of(node.child_by_field_name("left")) in _FOR_PEOPLE


def _has_message(node: "Node", _at_import: bool) -> bool:  # noqa: FBT001  # one shape for all rules
    raised = first_child(node)
    arguments = raised.child_by_field_name("arguments") if raised is not None and raised.type == "call" else None
    return arguments is not None and arguments.named_child_count > 0


def _joins_types(node: "Node", at_import: bool) -> bool:  # noqa: FBT001  # one shape for all rules
    """`int | None` outside of an annotation: as an alias, or asked about by `isinstance`."""
    if text_of(node.child_by_field_name("operator")) != "|":
        return False
    call = node.parent.parent if node.parent is not None else None
    return at_import or (
        call is not None and text_of(call.child_by_field_name("function")) in {"isinstance", "issubclass"}
    )


def _name_of(node: "Node | None") -> str:
    """Return the last name of `a.b.C[T](…)`: "C"."""
    return re.split(r"[\[(]", text_of(node), maxsplit=1)[0].rpartition(".")[2].strip()


_RULES = {
    "call": _is_for_people,
    "class_definition": _is_type_only_class,
    "function_definition": _is_repr,
    "decorated_definition": _is_bodiless,
    "keyword_argument": _is_limit,
    "default_parameter": _is_limit,
    "typed_default_parameter": _is_limit,
    "assignment": _is_plain_constant,
    "augmented_assignment": _is_for_tools,
    "raise_statement": _has_message,
    "binary_operator": _joins_types,
}
