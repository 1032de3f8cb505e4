"""The one converter between the model (snake_case) and the wire (camelCase), strict both ways.

Nothing is coerced: a number is not a string, a string is not a flag, and an unknown key is an error.
"""

import functools
import json
from typing import Any, TypeVar

import attrs
import cattrs
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from verify_lsp.model.errors import UsageError
from verify_lsp.model.scope import FileText

T = TypeVar("T")


def camel_case(name: str) -> str:
    """Return `name` in camelCase: `created_at` becomes `createdAt`."""
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def _exactly(expected: type[Any]) -> Any:
    def structure(value: Any, _: type) -> Any:
        if type(value) is not expected:
            raise TypeError(f"expected {_NAMES[expected]}, got {json_kind(value)}")
        return value

    return structure


_NAMES = {str: "a string", int: "a whole number", bool: "true or false", float: "a number"}


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


def _structure_number(value: Any, _: type) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"expected a number, got {json_kind(value)}")
    return value


def _structure_tuple(converter: cattrs.Converter) -> Any:
    """Lists only: cattrs would take a string for a list of its characters."""

    def factory(tuple_type: Any) -> Any:
        (item_type, _) = tuple_type.__args__

        def structure(value: Any, _: Any) -> tuple[Any, ...]:
            if not isinstance(value, (list, tuple)):
                raise TypeError(f"expected a list, got {json_kind(value)}")
            return tuple(converter.structure(item, item_type) for item in value)

        return structure

    return factory


def _optional_names(cls: type) -> frozenset[str]:
    return frozenset(field.name for field in attrs.fields(cls) if field.default is None)


def _is_wire_class(cls: Any) -> bool:
    return isinstance(cls, type) and attrs.has(cls)


@functools.cache
def converter() -> cattrs.Converter:
    """Return the converter, built on first use."""
    built = cattrs.Converter(forbid_extra_keys=True, detailed_validation=True)
    for plain in (str, int, bool):
        built.register_structure_hook(plain, _exactly(plain))
    built.register_structure_hook(float, _structure_number)
    built.register_structure_hook(str | FileText, _structure_file(built))
    built.register_structure_hook_factory(_is_string_tuple, _structure_tuple(built))

    def unstructure_factory(cls: Any) -> Any:
        absent = _optional_names(cls)
        return make_dict_unstructure_fn(
            cls,
            built,
            **{  # type: ignore[arg-type]  # one override a field, and no other option
                field.name: override(rename=camel_case(field.name), omit_if_default=field.name in absent)
                for field in attrs.fields(cls)
            },
        )

    def structure_factory(cls: Any) -> Any:
        return make_dict_structure_fn(
            cls,
            built,
            _cattrs_forbid_extra_keys=True,
            **{  # type: ignore[arg-type]  # as above
                field.name: override(rename=camel_case(field.name)) for field in attrs.fields(cls)
            },
        )

    built.register_unstructure_hook_factory(_is_wire_class, unstructure_factory)
    built.register_structure_hook_factory(_is_wire_class, structure_factory)
    return built


def _is_string_tuple(candidate: Any) -> bool:
    args = getattr(candidate, "__args__", ())
    return getattr(candidate, "__origin__", None) is tuple and len(args) == 2 and args[1] is Ellipsis


def _structure_file(built: cattrs.Converter) -> Any:
    def structure(value: Any, _: Any) -> str | FileText:
        return value if isinstance(value, str) else built.structure(value, FileText)

    return structure


def to_wire(value: Any) -> Any:
    """Return `value` as JSON-ready dicts, lists and scalars."""
    return converter().unstructure(value)


def from_wire(data: Any, cls: type[T]) -> T:
    """Return `data` as a `cls`.

    Raises:
        UsageError: `data` does not fit; the sentence names the field.
    """
    if _is_wire_class(cls) and not isinstance(data, dict):
        raise UsageError(f"expected an object, got {json_kind(data)}")
    try:
        return converter().structure(data, cls)
    except (cattrs.BaseValidationError, TypeError, ValueError, KeyError) as error:
        raise UsageError(explain(error)) from None


def explain(error: BaseException) -> str:
    """Say in one line what is wrong with some data, naming each field."""
    lines = cattrs.transform_error(error, path="$", format_exception=_one_line)
    return "; ".join(line.replace(" @ $.", " at ").replace(" @ $", "") for line in lines)


def _one_line(error: BaseException, _: type | None) -> str:
    if isinstance(error, KeyError):
        return f"missing field {camel_case(str(error.args[0]))!r}"
    if isinstance(error, cattrs.ForbiddenExtraKeysError):
        return "unknown field " + ", ".join(sorted(repr(key) for key in error.extra_fields))
    return str(error) or type(error).__name__


def dumps(value: Any, *, indent: int | None = None) -> str:
    """Return `value` as one JSON document, keys in the order of the model."""
    return json.dumps(to_wire(value), ensure_ascii=False, indent=indent, separators=None if indent else (",", ":"))
