"""The settings as an editor's extension declares them, generated from the one place where settings are declared."""

import types
from collections.abc import Mapping
from typing import Any, Literal, Union, get_args, get_origin

import attrs

from verify_lsp.settings.options import NEEDS_TRUST, RANGES
from verify_lsp.settings.settings import Settings

SECTION = "verify"


def editor_properties() -> dict[str, Any]:
    """Return the JSON Schema of each setting by its full name, in the order in which they are declared."""
    return {f"{SECTION}.{field.metadata['key']}": _property(field) for field in attrs.fields(Settings)}


def restricted_settings() -> list[str]:
    """Return the full names of the settings that a workspace's own file may set only once it is trusted."""
    return sorted(f"{SECTION}.{key}" for key in NEEDS_TRUST)


def _property(field: "attrs.Attribute[Any]") -> dict[str, Any]:
    default = getattr(Settings(), field.name)
    shown = list(default) if isinstance(default, tuple) else dict(default) if isinstance(default, Mapping) else default
    least, most = RANGES.get(field.name, (None, None))
    limits = {} if least is None else {"minimum": least, "maximum": most}
    return {
        **_schema(field.type),
        **limits,
        "default": shown,
        "scope": "resource",
        "markdownDescription": field.metadata["about"],
    }


def _schema(annotation: Any) -> dict[str, Any]:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin in {Union, types.UnionType}:
        return _either([_schema(each) for each in arguments])
    if origin is tuple:
        return {"type": "array", "items": _schema(arguments[0])}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema(arguments[1])}
    return {"type": {bool: "boolean", int: "integer", str: "string", type(None): "null"}[annotation]}


def _either(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    if all("enum" in schema for schema in schemas):
        return {"type": "string", "enum": [value for schema in schemas for value in schema["enum"]]}
    return {"type": [schema["type"] for schema in schemas]}
