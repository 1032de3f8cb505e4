"""The JSON Schema of a report as it is written, made from the model so that the two cannot differ."""

import inspect
import re
import typing
from collections.abc import Mapping
from typing import Any, Literal

import attrs

from verify_lsp.codec import camel_case, choices
from verify_lsp.model.report import Report

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of `Report`. Fields that are always written are required.

    `from_wire` is a little kinder: a field with a default may be absent, and null may stand for an absent one.
    """
    definitions: dict[str, Any] = {}
    root = _object(Report, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:verify-lsp:report:1",
        "title": "Report",
        **root,
        "$defs": dict(sorted(definitions.items())),
    }


def _object(cls: type, definitions: dict[str, Any]) -> dict[str, Any]:
    about, fields = _described(cls)
    properties: dict[str, Any] = {}
    for field in attrs.fields(cls):
        described = {"description": fields[field.name]} if field.name in fields else {}
        properties[camel_case(field.name)] = {**_without_null(_schema(field.type, definitions), field), **described}
    return {
        "description": about,
        "type": "object",
        "properties": properties,
        "required": [camel_case(field.name) for field in attrs.fields(cls) if field.default is not None],
        "additionalProperties": False,
    }


def _schema(of: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    if of is Any:
        return {}
    if of in _PLAIN:
        return {"type": _PLAIN[of]}
    if isinstance(of, type) and attrs.has(of):
        if of.__name__ not in definitions:
            definitions[of.__name__] = {}  # Keeps a class that holds itself from being described for ever.
            definitions[of.__name__] = _object(of, definitions)
        return {"$ref": f"#/$defs/{of.__name__}"}
    return _composed(of, definitions)


def _composed(of: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    origin, arguments = typing.get_origin(of), typing.get_args(of)
    if origin is Literal:
        allowed = choices(of)
        return {"const": allowed[0]} if len(allowed) == 1 else {"enum": list(allowed)}
    if origin is tuple:
        return {"type": "array", "items": _schema(arguments[0], definitions)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _schema(arguments[1], definitions)}
    members = [_schema(member, definitions) for member in arguments]
    if all(member.keys() == {"type"} for member in members):
        return {"type": [member["type"] for member in members]}
    return {"anyOf": members}


def _without_null(schema: dict[str, Any], field: "attrs.Attribute[Any]") -> dict[str, Any]:
    """A field that is None by default is absent then, never null."""
    if field.default is not None:
        return schema
    if "anyOf" in schema:
        members = [member for member in schema["anyOf"] if member != {"type": "null"}]
        return members[0] if len(members) == 1 else {"anyOf": members}
    kinds = [kind for kind in schema["type"] if kind != "null"]
    return {"type": kinds[0] if len(kinds) == 1 else kinds}


def _described(cls: type) -> tuple[str, dict[str, str]]:
    """Split a class docstring into its prose and what it says about each attribute, by public names."""
    docstring = inspect.cleandoc(cls.__doc__ or "")
    for field in attrs.fields(cls):
        docstring = docstring.replace(f"`{field.name}`", f"`{camel_case(field.name)}`")
    prose, _, attributes = docstring.partition("\nAttributes:\n")
    items = re.findall(r"^    (\w+): (.+(?:\n {8}.+)*)", attributes, re.MULTILINE)
    return " ".join(prose.split()), {name: " ".join(text.split()) for name, text in items}
