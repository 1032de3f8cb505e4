"""How Python decodes a source file: by its byte order mark, by its `coding` line, else as UTF-8."""

import codecs
import io
import tokenize

from verify_lsp.verifiers.code.python_compile import Fault

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decoded(data: bytes) -> str | Fault:
    """Return the text of a file as Python reads it, a byte order mark included, or why it cannot read it."""
    if data.startswith(_UTF_16):
        return Fault("the file is UTF-16, which Python does not read; save it as UTF-8", 1)
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        return _utf_8(data) if "invalid or missing" in str(error.msg) else Fault(str(error.msg), _cookie_line(data))
    if encoding in {"utf-8", "utf-8-sig"}:
        return _utf_8(data)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Fault(f"the byte {data[error.start]:#04x} is no {encoding}, which the file declares", line)
    except LookupError:
        return Fault(f"{encoding} is no encoding of text", _cookie_line(data))


def _utf_8(data: bytes) -> Fault | str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        column = len(before) - before.rfind("\n")
        message = f"the byte {data[error.start]:#04x} is not UTF-8, and the file declares no encoding"
        return Fault(message, before.count("\n") + 1, column, before.count("\n") + 1, column + 1)


def _cookie_line(data: bytes) -> int:
    return 1 if b"coding" in data.split(b"\n", 1)[0] else 2
