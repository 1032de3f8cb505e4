"""File names in git's output and in foreign diffs: quoting, and what may be a path of a workspace at all."""

import re
from collections.abc import Sequence

_LETTERS = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13, b'"': 34, b"\\": 92}
_CODES = {code: b"\\" + letter for letter, code in _LETTERS.items()}
_ESCAPE = re.compile(rb"\\([0-3][0-7]{2}|.)", re.DOTALL)
_QUOTED = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)


def unquote(name: bytes) -> bytes:
    """Return a name as it is on disk; git puts names with odd characters between double quotes, as in C."""
    if _QUOTED.fullmatch(name) is None:
        return name
    return _ESCAPE.sub(_unescaped, name[1:-1])


def quote(name: bytes) -> bytes:
    """Return `name` as git writes it with `core.quotePath=false`."""
    if not any(_is_odd(byte) for byte in name):
        return name
    return b'"' + b"".join(_CODES.get(byte) or _octal(byte) for byte in name) + b'"'


def quoted_length(text: bytes) -> int:
    """Return how many bytes of `text` its leading quoted name takes; 0 when it begins with none."""
    match = _QUOTED.match(text)
    return 0 if match is None else match.end()


def shown(name: bytes) -> str:
    """Return a name as text. Bytes that are not UTF-8 are written as escapes, so that every report can hold it."""
    return name.decode("utf-8", "backslashreplace")


def listed(names: Sequence[str | bytes], limit: int = 5) -> str:
    """Return some names as a list for a sentence: "a, b and 3 more"."""
    words = [shown(name) if isinstance(name, bytes) else name for name in names[:limit]]
    rest = len(names) - len(words)
    return ", ".join(words) + (f" and {rest} more" if rest else "")


def is_inside(path: str) -> bool:
    """Tell whether `path` is relative, POSIX style, stays below its root and keeps out of git's own folder."""
    parts = path.split("/")
    return (
        not any(part in ("", ".", "..") or part.lower() == ".git" for part in parts)
        and "\0" not in path
        and "\\" not in parts[0][:1]
        and not re.match(r"[A-Za-z]:", path)
    )


def _unescaped(match: re.Match[bytes]) -> bytes:
    word = match[1]
    return bytes([int(word, 8)]) if len(word) == 3 else bytes([_LETTERS.get(word, word[0])])


def _is_odd(byte: int) -> bool:
    return byte < 32 or byte in (34, 92, 127)


def _octal(byte: int) -> bytes:
    return b"\\%03o" % byte if byte < 32 or byte == 127 else bytes([byte])
