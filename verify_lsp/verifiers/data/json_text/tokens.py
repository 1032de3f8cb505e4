"""Splits JSON, and what people write instead of it, into tokens."""

import re
from typing import Literal

import attrs

TokenKind = Literal["punctuation", "string", "word", "comment", "unclosed-string", "unclosed-comment", "stray", "end"]

_SPACE = re.compile(r"[ \t\n\r]++")
_MORE_SPACE = re.compile("[ \\t\\n\\r\\v\\f\xa0\ufeff\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]++")
_TOKEN = re.compile(
    r"""
    (?P<punctuation>[{}\[\]:,])
  | (?P<string>"(?>(?:[^"\\\n\r]++|\\(?:\r\n|.))*)" | '(?>(?:[^'\\\n\r]++|\\(?:\r\n|.))*)')
  | (?P<comment>//[^\n\r]*+ | \#[^\n\r]*+ | /\*.*?\*/)
  | (?P<unclosed_string>["'][^\n\r]*+)
  | (?P<unclosed_comment>/\*.*+)
  | (?P<word>[^\s{}\[\]:,"'/\#]++)
  | (?P<stray>.)
    """,
    re.VERBOSE | re.DOTALL,
)


@attrs.frozen
class Token:
    """A piece of the text from `start` to `end`, exclusive; at the end of the text both are its length."""

    kind: TokenKind
    start: int
    end: int


def token_at(text: str, offset: int, *, more_space: bool) -> Token:
    """Return the next token after the space at `offset`; `more_space` is what JSON5 calls space."""
    space = (_MORE_SPACE if more_space else _SPACE).match(text, offset)
    start = space.end() if space else offset
    found = _TOKEN.match(text, start)
    if found is None:
        return Token("end", len(text), len(text))
    kind: TokenKind = (found.lastgroup or "stray").replace("_", "-")  # type: ignore[assignment]  # the groups' names
    return Token(kind, start, found.end())
