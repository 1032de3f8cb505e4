"""Rust's numbers in writing, and the next one."""

import re

_INTEGER = re.compile(
    r"(?P<digits>0x[0-9a-fA-F_]+?|0o[0-7_]+?|0b[01_]+?|[0-9][0-9_]*?)_?(?P<suffix>[iu](?:8|16|32|64|128|size))?"
)
_FRACTION = re.compile(r"(?P<digits>[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]+)?)_?(?P<suffix>f32|f64)?")
_BASES = {"0x": ("0x", "X"), "0o": ("0o", "o"), "0b": ("0b", "b")}


def next_number(text: str) -> str | None:
    """Return a whole number that is one more, in the same base and type; None where the type has none."""
    found = _INTEGER.fullmatch(text)
    if found is None:
        return None
    digits, suffix = found["digits"].replace("_", ""), found["suffix"] or ""
    prefix, form = _BASES.get(digits[:2], ("", "d"))
    value = int(digits, 0) + 1 if prefix else int(digits) + 1
    if suffix and not suffix.endswith("size") and value >= 1 << (int(suffix[1:]) - (suffix[0] == "i")):
        return None
    return f"{prefix}{value:{form}}{suffix}"


def next_fraction(text: str) -> str | None:
    """Return a fraction that is one more; None where that is the same number."""
    found = _FRACTION.fullmatch(text)
    if found is None:
        return None
    value = float(found["digits"].replace("_", ""))
    more = repr(value + 1)
    return None if value + 1 == value or "inf" in more else more + (found["suffix"] or "")
