"""The settings page of the documentation, generated from the one place where settings are declared."""

import types
from collections.abc import Mapping
from typing import Any, Literal, Union, get_args, get_origin

import attrs

from verify_lsp.settings.settings import Settings

_HEAD = """# Settings

In an editor under `verify`; in a workspace file as `verify.toml` or `[tool.verify-lsp]` of `pyproject.toml`. The editor's word wins.
Settings marked *trust* name commands or addresses: from a workspace file they are honoured only once the workspace is trusted.
Settings of checks that are not built yet (dependencies, inline verification, hooks) are accepted and have no effect.

| setting | default | kind | |
|---|---|---|---|
"""


def settings_page() -> str:
    """Return docs/settings.md."""
    return _HEAD + "".join(_row(field) for field in attrs.fields(Settings))


def _row(field: "attrs.Attribute[Any]") -> str:
    about = field.metadata["about"] + (" *trust*" if field.metadata["needs_trust"] else "")
    return f"| `{field.metadata['key']}` | {_shown(_default(field))} | {kind_of(field.type)} | {about} |\n"


def _default(field: "attrs.Attribute[Any]") -> Any:
    return getattr(Settings(), field.name)


def _shown(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "`true`" if value else "`false`"
        case tuple():
            return "all" if value else "none"
        case Mapping():
            return "none"
        case _:
            return f"`{value}`"


def kind_of(annotation: Any) -> str:
    """Name a setting's kind in words."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in arguments)
    if origin in {Union, types.UnionType}:
        return " or ".join(kind_of(each) for each in arguments if each is not type(None))
    if origin is tuple:
        return f"list of {kind_of(arguments[0])}"
    if origin is not None and issubclass(origin, Mapping):
        return f"table of {kind_of(arguments[1])}"
    return {bool: "flag", int: "number", str: "text"}[annotation]
