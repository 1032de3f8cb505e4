"""What a handler may return beside plain JSON and the protocol's own types."""

from collections.abc import Callable
from typing import Any

import attrs


@attrs.frozen
class RawJson:
    """A JSON document that is already written: UTF-8."""

    text: bytes


@attrs.frozen
class Answer:
    """A result, and what to do right after it was sent."""

    result: Any
    afterwards: Callable[[], None]
