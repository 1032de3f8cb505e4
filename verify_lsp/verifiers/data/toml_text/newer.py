"""What TOML 1.1 brought: told apart from mistakes, as many programs read TOML 1.0 only."""

import re

import attrs

from verify_lsp.verifiers.data.places import Span
from verify_lsp.verifiers.data.toml_text.tokens import Token, tokens

_NEWER_ESCAPE = re.compile(r"\\(?:(e)|x([0-9a-fA-F]{2})|.)", re.DOTALL)


@attrs.frozen
class Newer:
    """The first thing that needs TOML 1.1: what it is, and where."""

    what: str
    span: Span


@attrs.frozen
class Older:
    """The text as TOML 1.0 would have it, in meaning but not in place, and what had to be changed first."""

    text: str
    newer: Newer | None


def as_older(text: str) -> Older:
    """Return `text` with everything that TOML 1.1 brought written in the older way."""
    pieces: list[str] = []
    newer: list[Newer] = []
    brackets: list[str] = []
    pending: list[str] = []
    last = ""
    for token in tokens(text):
        piece = text[token.start : token.end]
        inline = bool(brackets) and brackets[-1] == "{"
        if token.kind == "open":
            brackets.append(piece)
        elif token.kind == "close" and brackets:
            brackets.pop()
        older, what = _older(token, piece, inline=inline)
        if inline and token.kind == "close" and pending:
            what, pending = "a comma after the last element of an inline table", []
        if what is not None:
            newer.append(Newer(what, Span(token.start, token.end)))
        # A comma that follows nothing stays where it is: no version has that.
        if inline and token.kind == "comma" and last not in {"{", ","}:
            pending, last = [piece], piece
            continue
        last = older.strip() or last
        if pending and older.strip():
            pieces += pending
            pending = []
        pieces.append(older)
    return Older("".join((*pieces, *pending)), newer[0] if newer else None)


def _older(token: Token, piece: str, *, inline: bool) -> tuple[str, str | None]:
    if token.kind == "newline" and inline:
        return " ", "an inline table over several lines"
    if token.kind == "comment" and inline:
        return "", "a comment in an inline table"
    if token.kind == "time":
        return f"{piece}:00", "a time without seconds"
    if token.kind == "basic" and "\\" in piece:
        older = _NEWER_ESCAPE.sub(_older_escape, piece)
        return older, None if older == piece else "the escape `\\e` or `\\x`"
    return piece, None


def _older_escape(found: re.Match[str]) -> str:
    if found[1]:
        return "\\u001b"
    return f"\\u00{found[2]}" if found[2] else found[0]
