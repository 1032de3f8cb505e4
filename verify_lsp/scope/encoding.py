"""From bytes to text: what git would call binary, and which encoding a file is written in."""

import codecs
import re
from typing import Literal

_LOOKED_AT = 8000
"""Git looks for a NUL byte in this many bytes to tell binary from text."""

# PEP 263: a comment in the first two lines; the second counts only when the first is a comment or blank.
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_COMMENT = re.compile(rb"^[ \t\f]*(?:#|\r?$)")
_PYTHON = (".py", ".pyi", ".pyw")
# The backslash comes with a letter that escapes would turn into a line feed.
_ASCII = bytes([9, *range(32, 92), *range(93, 127)]) + b"\\n"

Oddity = Literal["utf-16", "not-utf-8", "unknown-encoding"]


def is_binary(content: bytes) -> bool:
    """Tell whether git would find no lines in `content`."""
    return b"\0" in content[:_LOOKED_AT]


def is_utf_16(content: bytes) -> bool:
    """Tell whether `content` is text in UTF-16, which git takes for binary."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return not content.startswith(codecs.BOM_UTF32_LE)
    head = content[:_LOOKED_AT]
    return len(head) >= 4 and any(not any(head[side::2]) and all(head[1 - side :: 2]) for side in (0, 1))


def decoded(path: str, content: bytes) -> tuple[str, str, Oddity | None]:
    """Return the text of `content`, the encoding it was read with, and what is odd about that.

    Python files are read as they declare; everything else as UTF-8, and as Latin-1 where it is not UTF-8,
    so that columns stay right and no byte is lost.
    """
    oddity: Oddity | None = None
    if path.lower().endswith(_PYTHON) and (declared := _declared(content)) is not None:
        if (text := _read_line_by_line(declared, content)) is not None:
            return text, declared, None
        oddity = "unknown-encoding"
    try:
        return content.decode("utf-8"), "utf-8", oddity
    except UnicodeDecodeError:
        return content.decode("latin-1"), "latin-1", oddity or "not-utf-8"


def _declared(content: bytes) -> str | None:
    first, _, rest = content[:_LOOKED_AT].removeprefix(codecs.BOM_UTF8).partition(b"\n")
    match = _COOKIE.match(first)
    if match is None and _COMMENT.match(first):
        match = _COOKIE.match(rest.partition(b"\n")[0])
    name = match[1].decode("ascii", "replace").lower().replace("_", "-") if match is not None else None
    return None if name is None or name == "utf-8" or name.startswith("utf-8-") else name


def _read_line_by_line(name: str, content: bytes) -> str | None:
    """Return the text, when the encoding leaves ASCII and line feeds where they are and loses nothing."""
    try:
        if _ASCII.decode(name) != _ASCII.decode("ascii"):
            return None
        text = content.decode(name)
        return text if text.count("\n") == content.count(b"\n") and text.encode(name) == content else None
    except (LookupError, UnicodeError, ValueError):
        return None
