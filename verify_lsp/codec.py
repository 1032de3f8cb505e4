"""The one converter between the model (snake_case) and the wire (camelCase), strict both ways.

Nothing is coerced: a number is not a string, a string is not a flag, and an unknown key is an error.
"""

import functools
import json
import math
import re
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, TypeVar

import attrs
import cattrs
from cattrs import AttributeValidationNote, ClassValidationError, IterableValidationError, IterableValidationNote
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from verify_lsp.model.errors import UsageError
from verify_lsp.model.report import SCHEMA_VERSION, Report
from verify_lsp.model.scope import FileText

T = TypeVar("T")

_SHOWN_COMPLAINTS = 5
_SHOWN_VALUE = 60
# Valid inside a JSON string, yet a terminal acts on them or an encoder refuses them: delete and C1 controls,
# line separators, direction marks, and lone surrogates of file names that are not UTF-8.
_ESCAPED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def to_wire(value: Any) -> Any:
    """Return `value` as JSON-ready dicts, lists and scalars; what is not known (None by default) is left out."""
    return converter().unstructure(value)


def from_wire(data: Any, cls: type[T]) -> T:
    """Return `data`, as `json.loads` gave it, as a `cls`. Fields with a default may be absent.

    Raises:
        UsageError: `data` does not fit; the sentence names each field that is wrong.
    """
    if cls is Report:
        _refuse_other_schema(data)
    try:
        return converter().structure(data, cls)
    except (cattrs.BaseValidationError, TypeError, ValueError) as error:
        raise UsageError(explain(error)) from None


def dumps(value: Any, *, indent: int | None = None) -> str:
    """Return `value` as one JSON document, keys in the order of the model, safe to print and to encode."""
    text = json.dumps(
        to_wire(value), ensure_ascii=False, allow_nan=False, indent=indent, separators=None if indent else (",", ":")
    )
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def explain(error: BaseException) -> str:
    """Say in one line what is wrong with some data: `files[0].path: expected a string, got a number`."""
    complaints = [f"{path}: {text}" if path else text for path, text in _complaints(error, "")]
    shown = complaints[:_SHOWN_COMPLAINTS]
    if hidden := len(complaints) - len(shown):
        shown.append(f"and {hidden} more")
    return "; ".join(shown)


@functools.cache
def converter() -> cattrs.Converter:
    """Return the converter, built on first use."""
    built = cattrs.Converter(forbid_extra_keys=True, detailed_validation=True)
    for plain in (str, int, bool):
        built.register_structure_hook(plain, _exactly(plain))
    built.register_structure_hook(float, _structure_number)
    built.register_unstructure_hook(float, _unstructure_number)
    built.register_structure_hook(str | FileText, _structure_file(built))
    built.register_structure_hook_factory(_is_choice, _structure_choice)
    built.register_structure_hook_factory(_is_list, functools.partial(_structure_list, built))
    built.register_unstructure_hook_factory(_is_list, functools.partial(_unstructure_list, built))
    built.register_structure_hook_factory(_is_mapping, functools.partial(_structure_mapping, built))
    built.register_structure_hook_factory(_is_wire_class, functools.partial(_structure_object, built))
    built.register_unstructure_hook_factory(_is_wire_class, functools.partial(_unstructure_object, built))
    return built


def camel_case(name: str) -> str:
    """Return `name` in camelCase: `created_at` becomes `createdAt`."""
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def choices(literal: Any) -> tuple[Any, ...]:
    """Return the values that a `Literal`, or a union of them, allows."""
    if typing.get_origin(literal) is Literal:
        return typing.get_args(literal)
    return tuple(value for member in typing.get_args(literal) for value in choices(member))


def json_kind(value: Any) -> str:
    """Name the JSON kind of `value` for an error message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, (list, tuple)) else "an object"


def _refuse_other_schema(data: Any) -> None:
    version = data.get("schemaVersion", SCHEMA_VERSION) if isinstance(data, dict) else SCHEMA_VERSION
    if version != SCHEMA_VERSION or type(version) is not int:
        raise UsageError(f"schemaVersion {_shown(version)} is not known here: reports of schemaVersion 1 can be read")


_Structure = Callable[[Any, Any], Any]
_NAMES = {str: "a string", int: "a whole number", bool: "true or false"}


def _exactly(expected: type[Any]) -> _Structure:
    def structure(value: Any, _: Any) -> Any:
        if type(value) is not expected:
            raise TypeError(f"expected {_NAMES[expected]}, got {json_kind(value)}")
        return value

    return structure


def _structure_number(value: Any, _: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"expected a number, got {json_kind(value)}")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"expected a number, got {value}")
    return value


def _unstructure_number(value: float) -> float | None:
    """JSON knows no infinity and no "not a number"; both are a number that is not known."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _structure_file(built: cattrs.Converter) -> _Structure:
    def structure(value: Any, _: Any) -> str | FileText:
        if not isinstance(value, (str, dict)):
            raise TypeError(f"expected a string or an object, got {json_kind(value)}")
        return value if isinstance(value, str) else built.structure(value, FileText)

    return structure


def _is_choice(candidate: Any) -> bool:
    members = typing.get_args(candidate) if typing.get_origin(candidate) is typing.Union else (candidate,)
    return all(typing.get_origin(member) is Literal for member in members)


def _structure_choice(literal: Any) -> _Structure:
    allowed = choices(literal)

    def structure(value: Any, _: Any) -> Any:
        # `True == 1` in Python, so the kind is compared too.
        if not any(value == choice and type(value) is type(choice) for choice in allowed):
            raise ValueError(f"{_shown(value)} is not one of {', '.join(map(str, allowed))}")
        return value

    return structure


def _is_list(candidate: Any) -> bool:
    return typing.get_origin(candidate) is tuple and typing.get_args(candidate)[1:] == (Ellipsis,)


def _structure_list(built: cattrs.Converter, of: Any) -> _Structure:
    """Lists only: cattrs would take a string for a list of its characters."""
    item_type = typing.get_args(of)[0]
    as_list = list[item_type]  # type: ignore[valid-type]  # a type made at run time
    structure_items = built.get_structure_hook(as_list)

    def structure(value: Any, _: Any) -> tuple[Any, ...]:
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"expected a list, got {json_kind(value)}")
        return tuple(structure_items(value, as_list))

    return structure


def _unstructure_list(built: cattrs.Converter, of: Any) -> Callable[[Any], Any]:
    unstructure_item = built.get_unstructure_hook(typing.get_args(of)[0])
    return lambda items: [unstructure_item(item) for item in items]


def _is_mapping(candidate: Any) -> bool:
    return typing.get_origin(candidate) is Mapping


def _structure_mapping(built: cattrs.Converter, of: Any) -> _Structure:
    key_type, value_type = typing.get_args(of)
    as_dict = dict[key_type, value_type]  # type: ignore[valid-type]  # as above
    structure_items = built.get_structure_hook(as_dict)

    def structure(value: Any, _: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise TypeError(f"expected an object, got {json_kind(value)}")
        return dict(structure_items(value, as_dict))

    return structure


def _is_wire_class(cls: Any) -> bool:
    return isinstance(cls, type) and attrs.has(cls)


def _structure_object(built: cattrs.Converter, cls: Any) -> _Structure:
    overrides: dict[str, Any] = {field.name: override(rename=camel_case(field.name)) for field in attrs.fields(cls)}
    structure_fields = make_dict_structure_fn(cls, built, _cattrs_forbid_extra_keys=True, **overrides)

    def structure(value: Any, _: Any) -> Any:
        if not isinstance(value, dict):
            raise TypeError(f"expected an object, got {json_kind(value)}")
        return structure_fields(value, cls)

    return structure


def _unstructure_object(built: cattrs.Converter, cls: Any) -> Callable[[Any], Any]:
    overrides: dict[str, Any] = {
        field.name: override(rename=camel_case(field.name), omit_if_default=field.default is None)
        for field in attrs.fields(cls)
    }
    return make_dict_unstructure_fn(cls, built, **overrides)


def _complaints(error: BaseException, path: str) -> Iterator[tuple[str, str]]:
    """Walk what cattrs raised: groups of errors whose notes say where each one stands."""
    if isinstance(error, (ClassValidationError, IterableValidationError)):
        for inner in error.exceptions:
            yield from _complaints(inner, path + _step(inner, path))
    elif isinstance(error, KeyError):
        parent, _, name = path.rpartition(".")
        yield parent, f"missing field {name!r}"
    elif isinstance(error, cattrs.ForbiddenExtraKeysError):
        yield path, "unknown field " + ", ".join(sorted(_shown(key) for key in error.extra_fields))
    else:
        yield path, str(error) or type(error).__name__


def _step(error: BaseException, path: str) -> str:
    for note in reversed(getattr(error, "__notes__", ())):
        if isinstance(note, AttributeValidationNote):
            return ("." if path else "") + camel_case(note.name)
        if isinstance(note, IterableValidationNote):
            return f"[{note.index}]" if isinstance(note.index, int) else f"[{_shown(note.index)}]"
    return ""


def _shown(value: Any) -> str:
    """Quote a value of foreign data for a sentence: short, and on one line."""
    text = ascii(value) if isinstance(value, (str, bytes)) else json.dumps(value, default=repr)
    return text if len(text) <= _SHOWN_VALUE else text[: _SHOWN_VALUE - 1] + "…"
