"""What the bytes of a file are: text in which encoding, or no text at all."""

import codecs

import attrs

from verify_lsp.model.finding import Problem
from verify_lsp.verifiers.base import Subject, TextVerifier, Verdict, Verifier

_LOOKED_AT = 8000
_KINDS_OF_JSON = {"jsonc", "json5", "ndjson"}
_LFS = "version https://git-lfs.github.com/spec/v1\n"
# Of these, UTF-32 in little endian begins like UTF-16 does.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@attrs.frozen
class Decoded:
    """Text, and the encoding it was in; None where that is not known, as for binary data.

    A byte order mark stays the text's first character.
    """

    text: str
    encoding: str | None


def decoded(data: bytes) -> Decoded:
    """Return the text of `data`. Bytes that are no text in any Unicode encoding become one character each."""
    for mark, encoding in _MARKS:
        if data.startswith(mark) and (text := _as(data, encoding)) is not None:
            return Decoded("\ufeff" + text, encoding)
    head = data[:_LOOKED_AT]
    for side, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        # Every other byte is NUL in Latin text, and no byte beside them is.
        if len(head) >= 4 and not any(head[side::2]) and all(head[1 - side :: 2]):
            text = _as(data, encoding)
            if text is not None:
                return Decoded(text, encoding[:6])
    text = _as(data, "utf-8")
    return Decoded(data.decode("latin-1"), None) if text is None else Decoded(text, "utf-8")


def stands_for_other_content(subject: Subject) -> Verdict | None:
    """Git LFS leaves a pointer where the content was not fetched: there is nothing to judge."""
    if subject.text.startswith(_LFS) and len(subject.text) <= 1024:
        return Verdict(skipped="not verified: the file is a Git LFS pointer, and its content is not here")
    return None


def cannot_be_read_as_text(verifier: Verifier, subject: Subject) -> Verdict | None:
    """Return one clear error for a format that must be UTF-8 and is not; None where there is nothing to say."""
    if subject.data is None or not isinstance(verifier, TextVerifier) or not verifier.utf_8_only:
        return None
    encoding = decoded(subject.data).encoding
    if encoding == "utf-8":
        return None
    return Verdict(problems=(_wrong_encoding(verifier.name, subject.data, encoding),))


def _wrong_encoding(name: str, data: bytes, encoding: str | None) -> Problem:
    rule = f"{'json' if name in _KINDS_OF_JSON else name}.encoding"
    if encoding is not None:
        return Problem(
            "",
            1,
            "high",
            rule,
            f"The file is encoded in {encoding.upper()}, but must be UTF-8: programs that read it will fail.",
            column=1,
            suggestion="Save it as UTF-8 without a byte order mark (in PowerShell 7: `-Encoding utf8NoBOM`).",
        )
    if b"\0" in data[:_LOOKED_AT]:
        return Problem("", 1, "high", rule, "The file is binary data, not text.", column=1)
    line, column, byte = _first_bad_byte(data)
    return Problem(
        "",
        line,
        "high",
        rule,
        f"The file is not UTF-8: the byte 0x{byte:02x} here belongs to another encoding.",
        column=column,
        suggestion="Save the file as UTF-8.",
    )


def _first_bad_byte(data: bytes) -> tuple[int, int, int]:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        return before.count("\n") + 1, len(before) - before.rfind("\n"), data[error.start]
    return 1, 1, 0


def _as(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None
