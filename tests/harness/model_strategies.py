"""Hypothesis strategies for every class of the model that travels on the wire."""

import typing
from collections.abc import Mapping
from typing import Any

import attrs
from hypothesis import strategies as st

from verify_lsp.codec import choices

_TEXT = st.text(max_size=20)
_NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
_JSON = st.recursive(
    st.none() | st.booleans() | _NUMBERS | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=5,
)


def values_of(cls: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for `cls`: an attrs class of the model, or a type one of its fields has."""
    plain = {str: _TEXT, int: st.integers(), bool: st.booleans(), float: _NUMBERS, Any: _JSON, type(None): st.none()}
    if cls in plain:
        return plain[cls]
    if isinstance(cls, type) and attrs.has(cls):
        return st.builds(cls, **{field.name: values_of(field.type) for field in attrs.fields(cls)})
    origin, arguments = typing.get_origin(cls), typing.get_args(cls)
    if origin is tuple:
        return st.lists(values_of(arguments[0]), max_size=2).map(tuple)
    if origin is Mapping:
        return st.dictionaries(_TEXT, values_of(arguments[1]), max_size=3)
    if origin is typing.Literal:
        return st.sampled_from(choices(cls))
    return st.one_of([values_of(member) for member in arguments])
