"""Options are what was said: by an editor, or by a file of the workspace. Each may be wrong."""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from verify_lsp.codec import converter, explain
from verify_lsp.settings.settings import Settings

FIELDS = {field.metadata["key"]: field for field in attrs.fields(Settings)}
NEEDS_TRUST = frozenset(key for key, field in FIELDS.items() if field.metadata["needs_trust"])
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


def read_options(data: Mapping[str, Any], source: str) -> Options:
    """Read what `source` said; keep what is right and say what is not.

    A null means "not said". Groups come nested (`{"inline": {"onSave": true}}`) or dotted.
    """
    values: dict[str, Any] = {}
    problems: list[str] = []
    for key, value in _flatten(data):
        field = FIELDS.get(key)
        if field is None:
            problems.append(f"{source}: unknown setting {key!r}")
        elif value is not None:
            try:
                values[field.name] = _structured(field, value)
            except (ExceptionGroup, TypeError, ValueError) as error:  # cattrs groups what its hooks raise.
                problems.append(f"{source}: setting {key!r}: {explain(error)}")
    return Options(values, tuple(problems))


def _structured(field: "attrs.Attribute[Any]", value: Any) -> Any:
    structured: Any = converter().structure(value, field.type or object)
    if field.name in {"timeout_secs", "mutation_max_mutants"} and structured < 1:
        raise ValueError("expected a whole number of at least 1")
    return structured


def _flatten(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        if key in _GROUPS and isinstance(value, Mapping):
            yield from ((f"{key}.{inner}", inner_value) for inner, inner_value in value.items())
        else:
            yield key, value
