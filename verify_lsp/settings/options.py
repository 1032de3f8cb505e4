"""Options are what was said: by an editor, or by a file of the workspace. Each may be wrong."""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from verify_lsp.settings.settings import Settings

FIELDS = {field.metadata["key"]: field for field in attrs.fields(Settings)}
NEEDS_TRUST = frozenset(key for key, field in FIELDS.items() if field.metadata["needs_trust"])
RANGES = {"timeout_secs": (1, 86_400), "mutation_max_mutants": (1, 1_000)}
"""Least and most, by field name, of the settings that are numbers."""

_GROUPS = frozenset(key.split(".")[0] for key in FIELDS if "." in key)


@attrs.frozen
class Options:
    """The settings one source gave.

    Attributes:
        values: Field name of `Settings` to its valid value.
        problems: One sentence for each key that is unknown or has a value of the wrong kind.
    """

    values: Mapping[str, Any] = attrs.field(factory=dict)
    problems: tuple[str, ...] = ()

    def without(self, keys: frozenset[str]) -> "Options":
        """Return these options less the settings with these public names."""
        names = {FIELDS[key].name for key in keys}
        return attrs.evolve(self, values={k: v for k, v in self.values.items() if k not in names})

    def given(self, keys: frozenset[str]) -> tuple[str, ...]:
        """Return which of these public names were given."""
        return tuple(sorted(key for key in keys if FIELDS[key].name in self.values))


def read_options(data: Any, source: str) -> Options:
    """Read what `source` said; keep what is right and say what is not.

    A null means "not said", and so does a blank command: editors send an empty text for a setting nobody
    touched, and the shell takes an empty line for a success. Groups come nested
    (`{"inline": {"onSave": true}}`) or dotted.
    """
    if data is None:
        return Options()
    if not isinstance(data, Mapping):
        from verify_lsp.codec import json_kind

        return Options(problems=(f"{source}: expected an object with settings, got {json_kind(data)}",))
    values: dict[str, Any] = {}
    problems: list[str] = []
    for key, value in _flatten(data):
        field = FIELDS.get(key)
        if field is None:
            problems.append(f"{source}: unknown setting {_shown(key)}")
        elif value is not None and not _is_blank(field, value):
            try:
                values[field.name] = _structured(field, value)
            except (ExceptionGroup, TypeError, ValueError) as error:  # cattrs groups what its hooks raise.
                from verify_lsp.codec import explain

                problems.append(f"{source}: setting {key!r}: {explain(error)}")
    return Options(values, tuple(problems))


def _is_blank(field: "attrs.Attribute[Any]", value: Any) -> bool:
    return field.type == str | None and isinstance(value, str) and not value.strip()


def _structured(field: "attrs.Attribute[Any]", value: Any) -> Any:
    from verify_lsp.codec import converter  # Most workspaces say nothing, and need not wait for it.

    structured: Any = converter().structure(value, field.type or object)
    least, most = RANGES.get(field.name, (None, None))
    if least is not None and most is not None and not least <= structured <= most:
        raise ValueError(f"expected a whole number from {least} to {most}")
    return structured


def _flatten(data: Mapping[Any, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        if key in _GROUPS and isinstance(value, Mapping):
            yield from ((f"{key}.{inner}", inner_value) for inner, inner_value in value.items())
        else:
            yield str(key), value


def _shown(key: str) -> str:
    """Quote a key that somebody invented: on one line, and not without end."""
    return repr(key) if key.isascii() and key.isprintable() and len(key) <= 60 else ascii(key[:60]) + "…"
