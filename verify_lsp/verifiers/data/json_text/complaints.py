"""What is said of a JSON text that is wrong: each sentence tells what to do."""

import re

from verify_lsp.model.rewrite import Rewrite
from verify_lsp.verifiers.data.json_text.dialect import Dialect
from verify_lsp.verifiers.data.json_text.scalars import shortened
from verify_lsp.verifiers.data.json_text.tokens import Token
from verify_lsp.verifiers.data.places import Complaint, Span, line_of, replacing

_CONFLICT_MARKER = re.compile(r"(?:<{7}|={7}|>{7}|\|{7})(?=[ \r\n]|\Z)")
_CLOSING = {"{": "}", "[": "]"}

CONFLICT = Complaint("json.conflict", "A merge conflict was left here.", "Keep one side and remove the markers.")

BYTE_ORDER_MARK = Complaint(
    "json.bom",
    "The file begins with a byte order mark (U+FEFF), which JSON does not have: some programs refuse it.",
    "Save it as UTF-8 without a byte order mark.",
    replacing("Remove the byte order mark", Span(0, 1), ""),
    severity="medium",
)


def is_conflict_marker(text: str, offset: int) -> bool:
    """Tell whether git left a conflict at `offset`."""
    at_line_start = offset == 0 or text[offset - 1] == "\n"
    return at_line_start and _CONFLICT_MARKER.match(text, offset) is not None


def empty(dialect: Dialect) -> Complaint | None:
    """There is no value at all."""
    if dialect.may_be_empty:
        return None
    return Complaint("json.empty", f"The file is empty: {dialect.title} needs one value.", "Write at least `{}`.")


def comment(text: str, token: Token, dialect: Dialect) -> Complaint:
    """A comment stands where the dialect has none, or of a kind it does not have."""
    raw = text[token.start : token.start + 2]
    message = (
        f"{dialect.title} has no comments that begin with `#`."
        if raw.startswith("#")
        else f"{dialect.title} has no comments."
    )
    return Complaint("json.comment", message, "Remove it.", _without_comment(text, token))


def trailing_comma(comma: Token, dialect: Dialect) -> Complaint:
    """A comma stands before a closing bracket."""
    return Complaint(
        "json.trailing-comma",
        f"{dialect.title} allows no comma after the last element.",
        "Remove the comma.",
        replacing("Remove the trailing comma", Span(comma.start, comma.end), ""),
    )


def missing_comma(rewrite: Rewrite | None) -> Complaint:
    """Two elements stand side by side."""
    return Complaint("json.missing-comma", "A comma is missing after this element.", "Add a comma.", rewrite)


def missing_colon(text: str, key: Span) -> Complaint:
    """A value follows its key at once."""
    name = shortened(text[key.start : key.end])
    return Complaint("json.missing-colon", f"A colon is missing between the key {name} and its value.", "Add a colon.")


def missing_value(dialect: Dialect, found: str) -> Complaint:
    """Nothing stands where a value must."""
    return Complaint("json.missing-value", f"{dialect.title} expects a value before this `{found}`.", "Add the value.")


def duplicate_key(name: str, first_line: int, *, same: bool, rewrite: Rewrite | None) -> Complaint:
    """A key stands twice in one object."""
    outcome = "with the same value" if same else "and only the last one counts"
    return Complaint(
        "json.duplicate-key",
        f'The key "{shortened(name)}" stands in this object already, on line {first_line}, {outcome}.',
        "Remove one of the two.",
        rewrite,
        severity="medium",
    )


def wrong_bracket(text: str, bracket: str, start: int, found: str) -> Complaint:
    """A bracket is closed by the other kind."""
    message = f"`{found}` cannot close the `{bracket}` of line {line_of(text, start)}: `{_CLOSING[bracket]}` must."
    return Complaint("json.bracket", message, "A bracket is missing or one too many.")


def unclosed(text: str, bracket: str, start: int) -> Complaint:
    """The text ends within brackets."""
    return Complaint(
        "json.unclosed",
        f"The file ends before the `{bracket}` of line {line_of(text, start)} is closed.",
        f"Add what is missing, and `{_CLOSING[bracket]}`.",
    )


def more_than_one_value(text: str, token: Token, dialect: Dialect) -> Complaint:
    """Something stands after the end."""
    letter = text[token.start]
    if is_conflict_marker(text, token.start):
        return CONFLICT
    if letter in "]}":
        return Complaint("json.bracket", f"This `{letter}` closes nothing: there is one too many.", "Remove it.")
    if letter == ",":
        return Complaint("json.after-end", "A comma stands after the end of the value.", "Remove it.")
    if letter in '{["' or token.kind == "word":
        return Complaint(
            "json.several-values",
            f"A second value begins here; a {dialect.title} file holds one.",
            "Put them in one list, or, with one value a line (NDJSON), call the file .ndjson or .jsonl.",
        )
    return Complaint("json.after-end", "Something stands after the end of the value.", "Remove it.")


def unreadable(text: str, token: Token, dialect: Dialect) -> Complaint:
    """A string or comment has no end, or a character means nothing."""
    if token.kind == "unclosed-string":
        return Complaint(
            "json.unclosed-string",
            "The string that begins here has no closing quote on its line.",
            'Close it; a line end within a string is `\\n`, and a double quote is `\\"`.',
        )
    if token.kind == "unclosed-comment":
        return Complaint("json.comment", "The comment that begins here is never closed.", "Close it with `*/`.")
    character = text[token.start]
    shown = f"`{character}`" if character.isprintable() else f"U+{ord(character):04X}"
    return Complaint("json.character", f"The character {shown} means nothing in {dialect.title}.", "Remove it.")


def unexpected(text: str, token: Token, wanted: str, *, quote_inside: bool) -> Complaint:
    """Something else stands where `wanted` must."""
    found = shortened(text[token.start : token.end])
    if quote_inside:
        return Complaint(
            "json.quote",
            f"`{found}` follows a string: expected {wanted}.",
            'A double quote within a string is written `\\"`.',
        )
    return Complaint("json.unexpected", f"Expected {wanted}, found `{found}`.")


def _without_comment(text: str, token: Token) -> Rewrite:
    """Take the comment away, with its line where it has one of its own; never join what it kept apart."""
    start, end = token.start, token.end
    line_start = text.rfind("\n", 0, start) + 1
    before = text[line_start:start].lstrip("\ufeff")
    line_end = text.find("\n", end)
    rest = text[end : len(text) if line_end < 0 else line_end]
    if not before.strip(" \t") and not rest.strip(" \t\r") and line_end >= 0:
        return replacing("Remove the comment", Span(start - len(before), line_end + 1), "")
    if not rest.strip(" \t\r"):
        kept = before.rstrip(" \t")
        return replacing("Remove the comment", Span(start - (len(before) - len(kept)), end), "")
    return replacing("Remove the comment", Span(start, end), " ")
