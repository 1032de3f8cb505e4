"""What was read within an open bracket, and which key of an object stands there twice."""

import re

import attrs

from verify_lsp.model.rewrite import Rewrite
from verify_lsp.verifiers.data.json_text import complaints, scalars
from verify_lsp.verifiers.data.json_text.tokens import Token
from verify_lsp.verifiers.data.places import Complaint, Span, line_of, replacing

_ONLY_SPACE = re.compile(r"[ \t\r\n]*")
# Keys that people repeat on purpose, as comments.
_COMMENT_KEYS = frozenset({"//", "_comment"})


@attrs.frozen
class Member:
    """Where a key and its value stand."""

    key: Span
    value: Span


@attrs.define
class OpenBracket:
    """A bracket that is not closed yet.

    Attributes:
        members: By what their keys say; of a key that stands twice, the first.
        key: The key that was read last.
        comma: The comma before the element that is being read.
    """

    bracket: str
    start: int
    members: dict[str, Member] = attrs.field(factory=dict)
    key: Span = Span(0, 0)
    comma: Token | None = None


def add_member(text: str, bracket: OpenBracket, value: Span) -> Complaint | None:
    """Add the member that `value` completes; say so where its key stands in the object already."""
    name = scalars.key_named(text, bracket.key)
    first = bracket.members.setdefault(name, Member(bracket.key, value))
    if first.key == bracket.key or name in _COMMENT_KEYS:
        return None
    same = text[first.value.start : first.value.end] == text[value.start : value.end]
    rewrite = _without_member(text, bracket, value) if same else None
    return complaints.duplicate_key(name, line_of(text, first.key.start), same=same, rewrite=rewrite)


def _without_member(text: str, bracket: OpenBracket, value: Span) -> Rewrite | None:
    """Take the member away with the comma before it; not where a comment stands between them."""
    if bracket.comma is None or _ONLY_SPACE.fullmatch(text, bracket.comma.end, bracket.key.start) is None:
        return None
    return replacing("Remove the repeated member", Span(bracket.comma.start, value.end), "")
