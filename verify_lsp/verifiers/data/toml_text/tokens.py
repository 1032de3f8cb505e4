"""Splits TOML into the few tokens that tell where its statements are, and what TOML 1.1 brought."""

import re
from collections.abc import Iterator
from typing import Literal

import attrs

TokenKind = Literal["basic", "literal", "comment", "newline", "open", "close", "comma", "equals", "time", "other"]

_TOKEN = re.compile(
    r'''
    (?P<basic>"""(?>(?:[^"\\]++|\\.|"(?!""))*)"{3,5} | "(?>(?:[^"\\\n]++|\\[^\n])*)")
  | (?P<literal>\'\'\'(?>(?:[^']++|'(?!''))*)'{3,5} | '[^'\n]*+')
  | (?P<comment>\#[^\n]*+)
  | (?P<newline>\r?\n)
  | (?P<open>[\[{])
  | (?P<close>[\]}])
  | (?P<comma>,)
  | (?P<equals>=)
  | (?P<time>(?<![\w:.-])(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ])?[0-9]{2}:[0-9]{2}(?![0-9:]))
  | (?P<other>[^"'\#\n\[\]{},=\r0-9]++|.)
    ''',
    re.VERBOSE | re.DOTALL,
)
_SPACED_DOT = re.compile(r"\s*\.\s*")


@attrs.frozen
class Token:
    """A piece of the text from `start` to `end`, exclusive."""

    kind: TokenKind
    start: int
    end: int


@attrs.frozen
class Statement:
    """A table's header, or a key with its value.

    Attributes:
        table: The header that it stands below, as written but for spaces; "" before the first one.
        key: The header or key itself, likewise.
        start: Where it begins; `end` is the end of its last line, without what ends it.
    """

    table: str
    key: str
    start: int
    end: int


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of `text`; whatever it is, they are the whole of it."""
    for found in _TOKEN.finditer(text):
        kind: TokenKind = found.lastgroup or "other"  # type: ignore[assignment]  # the groups' names
        yield Token(kind, found.start(), found.end())


def statements(text: str) -> Iterator[Statement]:
    """Yield the statements of `text` in their order, as far as its brackets can be followed."""
    table = ""
    open_since: int | None = None
    equals: int | None = None
    depth = 0
    for token in (*tokens(text), Token("newline", len(text), len(text))):
        if token.kind == "newline":
            if (depth == 0 or token.start == token.end) and open_since is not None:
                key = _spaced_out(text[open_since : token.start if equals is None else equals])
                yield Statement(table, key, open_since, token.start)
                table = key if equals is None else table
                open_since = equals = None
            continue
        if token.kind == "equals" and equals is None and depth == 0:
            equals = token.start
        elif token.kind in {"open", "close"}:
            depth = max(depth + (1 if token.kind == "open" else -1), 0)
        if open_since is None and token.kind != "comment":
            open_since = _first_letter(text, token)


def _first_letter(text: str, token: Token) -> int | None:
    piece = text[token.start : token.end]
    return token.end - len(piece.lstrip()) if piece.strip() else None


def _spaced_out(key: str) -> str:
    return _SPACED_DOT.sub(".", key.partition("#")[0]).strip()
