"""Whether a text is certainly right, found out at the speed of the standard library's scanner."""

import functools
import json
import re
from typing import Any

from verify_lsp.verifiers.data.json_text.dialect import Dialect

_STRING = r'"(?>(?:[^"\\]++|\\.)*)"'
# One that is never closed is matched to the end, so that it is not looked for again, and stays.
_COMMENT = re.compile(rf"{_STRING}|//[^\n\r]*+|/\*.*?(?:\*/|\Z)", re.DOTALL)
# A comma that follows nothing is no trailing comma: it stays, and the scanner refuses it.
_COMMA = re.compile(rf"{_STRING}|[\[{{:,]\s*,|(,)(?=[ \t\r\n]*[}}\]])", re.DOTALL)


def is_right(text: str, dialect: Dialect) -> bool:
    """Tell whether `text` is one value of the dialect, without a duplicate key and not too deep to be sure.

    False means only that a closer look is needed. Whatever the dialect, comments, and commas before a closing
    bracket, are all that is looked for here beyond JSON.
    """
    if _scans(text):
        return True
    if not dialect.comments:
        return False
    plain = _COMMENT.sub(_without_comment, text) if "/" in text else text
    return _scans(_COMMA.sub(_without_comma, plain) if dialect.trailing_commas else plain)


def right_until(text: str, start: int) -> int | None:
    """Return the end of the value that begins at `start`, where that is certainly right; None where it may not be."""
    try:
        end: int = _decoder().raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return None
    return end


class _NotCertainError(ValueError):
    """Something that the scanner takes and JSON does not, or that needs a message."""


def _scans(text: str) -> bool:
    try:
        _decoder().decode(text)
    except (ValueError, RecursionError):
        return False
    return True


@functools.cache
def _decoder() -> json.JSONDecoder:
    # `float` reads digits without end, where `int` refuses more than 4,300 of them.
    return json.JSONDecoder(object_pairs_hook=_without_duplicates, parse_int=float, parse_constant=_refuse)


def _without_duplicates(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) != len(pairs):
        raise _NotCertainError


def _refuse(constant: str) -> None:
    raise _NotCertainError(constant)


def _without_comment(found: re.Match[str]) -> str:
    comment = found[0].startswith("//") or found[0].endswith("*/")
    return " " if comment and not found[0].startswith('"') else found[0]


def _without_comma(found: re.Match[str]) -> str:
    return "" if found[1] else found[0]
