"""What is wrong with one string, number or word of JSON, and how it is mended."""

import json
import re
from collections.abc import Iterator

from verify_lsp.model.rewrite import Rewrite, TextEdit
from verify_lsp.verifiers.data.json_text.dialect import Dialect
from verify_lsp.verifiers.data.places import Complaint, Span, replacing

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
_MORE_NUMBERS = re.compile(
    r"[+-]?(?:Infinity|NaN|0[xX][0-9a-fA-F]++|(?:(?:0|[1-9][0-9]*+)(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?)"
)
_LOOKS_LIKE_NUMBER = re.compile(r"[+-]?\.?[0-9]")
_IDENTIFIER = re.compile(r"(?:[^\W\d]|[$_]|\\u[0-9a-fA-F]{4})(?>(?:[\w$\u200c\u200d]|\\u[0-9a-fA-F]{4})*)")
_SIMPLE_KEY = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*+")
_ODD = re.compile(r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.|\Z)|[\x00-\x1f]", re.DOTALL)
_ESCAPES = frozenset('"\\/bfnrtu')
_CONTROL = {"\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_OTHER_LANGUAGES = {
    **dict.fromkeys(("True", "TRUE"), "true"),
    **dict.fromkeys(("False", "FALSE"), "false"),
    **dict.fromkeys(("None", "nil", "Null", "NULL"), "null"),
}
_SHOWN = 40


def wrong_in_string(text: str, span: Span, dialect: Dialect) -> Iterator[tuple[Span, Complaint]]:
    """Yield what is wrong with the string at `span`, its quotes included."""
    if text[span.start] == "'" and not dialect.extended:
        message = f"{dialect.title} strings stand in double quotes, not in single ones."
        yield span, Complaint("json.single-quotes", message, "Use double quotes.", _in_double_quotes(text, span))
        return
    for odd in _ODD.finditer(text, span.start + 1, span.end - 1):
        complaint = _wrong_escape(odd[0], dialect) if odd[0].startswith("\\") else _control(odd, dialect)
        if complaint is not None:
            yield Span(odd.start(), odd.end()), complaint


def wrong_in_word(text: str, span: Span, dialect: Dialect) -> Complaint | None:
    """Say what is wrong with the bare word at `span`, which stands for a value; None where nothing is."""
    word = text[span.start : span.end]
    if word in {"true", "false", "null"} or _number(dialect).fullmatch(word):
        return None
    if (right := _OTHER_LANGUAGES.get(word)) is not None:
        mended = replacing(f"Write {right}", span, right)
        return Complaint("json.literal", f"`{word}` is not {dialect.title}.", f"Write `{right}`.", mended)
    if word.lstrip("+-") in {"NaN", "Infinity"}:
        message = f"{dialect.title} has no `{word}`, and most programs refuse it."
        return Complaint("json.nan", message, "Write `null` or a string.")
    if _LOOKS_LIKE_NUMBER.match(word):
        return Complaint("json.number", f"`{shortened(word)}` is no {dialect.title} number: {_why_no_number(word)}.")
    return Complaint(
        "json.literal",
        f"`{shortened(word)}` is no {dialect.title} value.",
        "Text stands in double quotes; the bare words are `true`, `false` and `null`.",
    )


def wrong_in_key(text: str, span: Span, dialect: Dialect) -> Complaint | None:
    """Say what is wrong with a bare word that stands for a key; None where nothing is."""
    word = text[span.start : span.end]
    if dialect.extended and _IDENTIFIER.fullmatch(word):
        return None
    mended = replacing("Put the key in double quotes", span, f'"{word}"') if _SIMPLE_KEY.fullmatch(word) else None
    message = f"The key `{shortened(word)}` is not in double quotes."
    return Complaint("json.unquoted-key", message, "Put it in double quotes.", mended)


def key_named(text: str, span: Span) -> str:
    """Return what the key at `span` says, for comparison."""
    raw = text[span.start : span.end]
    if not raw.startswith(('"', "'")):
        return raw
    if "\\" in raw and raw.startswith('"'):
        try:
            return str(json.loads(raw, strict=False))
        except ValueError:
            return raw
    return raw[1:-1]


def shortened(text: str) -> str:
    """Return `text` fit for a sentence: short, and with nothing in it that cannot be seen."""
    text = "".join(each if each.isprintable() else f"U+{ord(each):04X}" for each in text[: _SHOWN + 1])
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _number(dialect: Dialect) -> re.Pattern[str]:
    return _MORE_NUMBERS if dialect.extended else _NUMBER


def _wrong_escape(escape: str, dialect: Dialect) -> Complaint | None:
    letter = escape[1:2]
    if letter == "u":
        fine = len(escape) == 6
    elif dialect.extended:
        fine = len(escape) == 4 if letter == "x" else letter not in "123456789"
    else:
        fine = letter in _ESCAPES
    if fine and letter:
        return None
    if letter in "\r\n":
        return Complaint(
            "json.escape", f"A {dialect.title} string ends on its own line.", "Write `\\n` for a new line."
        )
    if letter == "u":
        return Complaint("json.escape", "`\\u` needs four hexadecimal digits.")
    return Complaint("json.escape", f"`\\{letter}` is no escape of {dialect.title}.", "A backslash itself is `\\\\`.")


def _control(odd: re.Match[str], dialect: Dialect) -> Complaint | None:
    if dialect.extended:
        return None
    right = _CONTROL.get(odd[0], f"\\u{ord(odd[0]):04x}")
    mended = replacing(f"Write {right}", Span(odd.start(), odd.end()), right)
    message = f"The control character U+{ord(odd[0]):04X} may not stand in a string as it is."
    return Complaint("json.control-character", message, f"Write `{right}`.", mended)


def _in_double_quotes(text: str, span: Span) -> Rewrite | None:
    """Only where each escape means the same in JSON."""
    edits = [TextEdit(span.start, span.start + 1, '"')]
    for found in re.finditer(r'\\(?:u[0-9a-fA-F]{4}|.)|["\x00-\x1f]', text[span.start + 1 : span.end - 1], re.DOTALL):
        start = span.start + 1 + found.start()
        if found[0] == '"':
            edits.append(TextEdit(start, start, "\\"))
        elif found[0] == "\\'":
            edits.append(TextEdit(start, start + 1, ""))
        elif not found[0].startswith("\\") or (found[0][1] not in _ESCAPES or found[0] == "\\u"):
            return None
    return Rewrite("Use double quotes", (*edits, TextEdit(span.end - 1, span.end, '"')))


def _why_no_number(word: str) -> str:
    digits = word.lstrip("+-")
    if word.startswith("+"):
        return "a plus sign may not stand before it"
    if digits.startswith("."):
        return "a digit must stand before the point"
    if re.match(r"0[xX]", digits):
        return "numbers are decimal"
    if re.match(r"0[0-9]", digits):
        return "it begins with a zero that stands for nothing"
    if re.search(r"\.(?![0-9])", digits):
        return "a digit must stand after the point"
    return "it cannot be read"
