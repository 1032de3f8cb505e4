"""Reads a JSON text to its end, or to where nothing certain can be said any more, and says what is wrong with it.

The standard library's reader stops at the first error, and names a place where it no longer understood.
"""

from collections.abc import Callable
from typing import ClassVar, Literal

import attrs

from verify_lsp.model.finding import Problem
from verify_lsp.verifiers.data.json_text import complaints, scalars
from verify_lsp.verifiers.data.json_text.accept import right_until
from verify_lsp.verifiers.data.json_text.dialect import Dialect
from verify_lsp.verifiers.data.json_text.members import OpenBracket, add_member
from verify_lsp.verifiers.data.json_text.tokens import Token, token_at
from verify_lsp.verifiers.data.places import Complaint, Span, problem_at, replacing
from verify_lsp.verifiers.data.templates import is_placeholder

DEPTH_LIMIT = 1000
"""Brackets within brackets; what is deeper is not read."""

PROBLEM_LIMIT = 50

# So deep, what is right is passed over at once; what is not is looked through again on each of these levels.
_SKIPPED_DEPTH = 8
_CLOSING = {"{": "}", "[": "]"}
_State = Literal["value", "first-item", "item", "first-key", "key", "colon", "after", "done"]


@attrs.frozen
class Reading:
    """What was wrong; `too_deep` and `template` say that the rest was not read."""

    problems: tuple[Problem, ...]
    too_deep: bool = False
    template: bool = False


def read(text: str, dialect: Dialect, start: int = 0, end: int | None = None) -> Reading:
    """Read the one value that `text` is to be, from `start` to `end`."""
    reader = _Reader(text if end is None else text[:end], dialect, start)
    try:
        while len(reader.problems) < PROBLEM_LIMIT:
            reader.step()
    except _Stop as stop:
        return Reading(tuple(reader.problems), too_deep=stop.too_deep, template=stop.template)
    return Reading(tuple(reader.problems))


class _Stop(Exception):  # noqa: N818  # no error: the reading is over
    def __init__(self, *, too_deep: bool = False, template: bool = False) -> None:
        super().__init__()
        self.too_deep = too_deep
        self.template = template


@attrs.define
class _Reader:
    text: str
    dialect: Dialect
    offset: int
    state: _State = "value"
    frames: list[OpenBracket] = attrs.field(factory=list)
    problems: list[Problem] = attrs.field(factory=list)
    value_start: int = 0
    value_end: int = 0
    starts: list[int] = attrs.field(factory=list)

    def step(self) -> None:
        """Read one token. Raises `_Stop` at the end of what can be read."""
        token = token_at(self.text, self.offset, more_space=self.dialect.extended)
        self.offset = token.end
        if token.kind == "comment":
            self._comment(token)
        elif token.kind in {"unclosed-string", "unclosed-comment", "stray"}:
            self._stop(token, complaints.unreadable(self.text, token, self.dialect))
        else:
            self._STEPS[self.state](self, token)

    def _value(self, token: Token) -> None:
        letter = self._letter(token)
        if letter in {"{", "["}:
            end = right_until(self.text, token.start) if len(self.frames) < _SKIPPED_DEPTH else None
            if end is None:
                self._open(token, letter)
            else:
                self.offset = end
                self.starts.append(token.start)
                self._value_done(end)
        elif token.kind in {"string", "word"}:
            self._scalar(token)
            self.starts.append(token.start)
            self._value_done(token.end)
        elif letter in {",", "}", "]"} and self.frames:
            self._complain(token, complaints.missing_value(self.dialect, letter))
            self.value_end = token.start
            self.state = "after"
            self._after(token)
        else:
            self._unexpected(token, "a value")

    def _first_item(self, token: Token) -> None:
        if self._letter(token) == "]":
            self._close(token)
        else:
            self._value(token)

    def _item(self, token: Token) -> None:
        if self._letter(token) == "]":
            self._trailing_comma()
            self._close(token)
        else:
            self._value(token)

    def _first_key(self, token: Token) -> None:
        if self._letter(token) == "}":
            self._close(token)
        else:
            self._key(token)

    def _next_key(self, token: Token) -> None:
        letter = self._letter(token)
        if letter == "}":
            self._trailing_comma()
            self._close(token)
        elif letter == ",":
            self._complain(token, complaints.missing_value(self.dialect, ","))
            self.frames[-1].comma = token
        else:
            self._key(token)

    def _key(self, token: Token) -> None:
        span = Span(token.start, token.end)
        if token.kind == "string":
            self._scalar(token)
        elif token.kind == "word":
            complaint = scalars.wrong_in_key(self.text, span, self.dialect)
            if complaint is not None:
                self._template(token)
                self._conflict(token)
                self._complain(token, complaint)
        else:
            self._unexpected(token, "a key in double quotes")
        self.frames[-1].key = span
        self.state = "colon"

    def _colon(self, token: Token) -> None:
        self.state = "value"
        if self._letter(token) == ":":
            return
        if token.kind not in {"string", "word"} and self._letter(token) not in {"{", "["}:
            self._unexpected(token, "a colon and a value")
        self._complain(token, complaints.missing_colon(self.text, self.frames[-1].key))
        self._value(token)

    def _after(self, token: Token) -> None:
        frame = self.frames[-1]
        letter = self._letter(token)
        if letter == ",":
            frame.comma = token
            self.state = "key" if frame.bracket == "{" else "item"
        elif letter in {"}", "]"}:
            self._close(token)
        elif self._begins_member(token):
            self._missing_comma(token)
            self.state = "key" if frame.bracket == "{" else "value"
            self._STEPS[self.state](self, token)
        else:
            self._unexpected(token, f"a comma or `{_CLOSING[frame.bracket]}`")

    def _done(self, token: Token) -> None:
        if token.kind == "end":
            raise _Stop
        self._template(token)
        self._stop(token, complaints.more_than_one_value(self.text, token, self.dialect))

    _STEPS: ClassVar[dict[_State, Callable[["_Reader", Token], None]]] = {
        "value": _value,
        "first-item": _first_item,
        "item": _item,
        "first-key": _first_key,
        "key": _next_key,
        "colon": _colon,
        "after": _after,
        "done": _done,
    }

    def _open(self, token: Token, letter: str) -> None:
        self._template(token)
        if len(self.frames) >= DEPTH_LIMIT:
            raise _Stop(too_deep=True)
        self.frames.append(OpenBracket(letter, token.start))
        self.starts.append(token.start)
        self.state = "first-key" if letter == "{" else "first-item"

    def _close(self, token: Token) -> None:
        frame = self.frames[-1]
        if _CLOSING[frame.bracket] != self._letter(token):
            self._stop(token, complaints.wrong_bracket(self.text, frame.bracket, frame.start, self._letter(token)))
        self.frames.pop()
        self._value_done(token.end)

    def _value_done(self, end: int) -> None:
        start = self.starts.pop()
        self.value_end = end
        if not self.frames:
            self.state = "done"
            return
        self.state = "after"
        if self.frames[-1].bracket == "{":
            complaint = add_member(self.text, self.frames[-1], Span(start, end))
            if complaint is not None:
                self._complain(self.frames[-1].key, complaint)

    def _scalar(self, token: Token) -> None:
        span = Span(token.start, token.end)
        if token.kind == "string":
            for place, complaint in scalars.wrong_in_string(self.text, span, self.dialect):
                self._complain(place, complaint)
                if len(self.problems) >= PROBLEM_LIMIT:
                    raise _Stop
        elif (complaint_ := scalars.wrong_in_word(self.text, span, self.dialect)) is not None:
            self._template(token)
            self._conflict(token)
            self._complain(span, complaint_)

    def _comment(self, token: Token) -> None:
        is_hash = self.text[token.start] == "#"
        if is_hash or not self.dialect.comments:
            self._complain(token, complaints.comment(self.text, token, self.dialect))

    def _trailing_comma(self) -> None:
        comma = self.frames[-1].comma
        if comma is not None and not self.dialect.trailing_commas:
            self._complain(comma, complaints.trailing_comma(comma, self.dialect))

    def _missing_comma(self, token: Token) -> None:
        at = Span(self.value_end, self.value_end)
        in_array = self.frames[-1].bracket == "["
        same_line = "\n" not in self.text[self.value_end : token.start]
        # Two strings side by side in a list may be one with a quote inside.
        certain = not (in_array and same_line and token.kind == "string") and self.value_end < token.start
        rewrite = replacing("Add the missing comma", at, ",") if certain else None
        self._complain(at, complaints.missing_comma(rewrite))
        self.frames[-1].comma = None

    def _begins_member(self, token: Token) -> bool:
        if self.frames[-1].bracket == "[":
            if token.kind == "word":
                span = Span(token.start, token.end)
                return scalars.wrong_in_word(self.text, span, self.dialect) is None
            return token.kind == "string" or self._letter(token) in {"{", "["}
        if token.kind not in {"string", "word"}:
            return False
        following = token_at(self.text, token.end, more_space=self.dialect.extended)
        return self._letter(following) == ":"

    def _unexpected(self, token: Token, wanted: str) -> None:
        self._template(token)
        self._conflict(token)
        if token.kind == "end":
            if not self.frames:
                self._stop(token, complaints.empty(self.dialect))
            frame = self.frames[-1]
            self._stop(token, complaints.unclosed(self.text, frame.bracket, frame.start))
        after_string = self.state == "after" and self.text[self.value_end - 1 : self.value_end] == '"'
        quote_inside = after_string and token.kind in {"word", "string", "stray"}
        self._stop(token, complaints.unexpected(self.text, token, wanted, quote_inside=quote_inside))

    def _conflict(self, token: Token) -> None:
        if complaints.is_conflict_marker(self.text, token.start):
            self._stop(token, complaints.CONFLICT)

    def _template(self, token: Token) -> None:
        if is_placeholder(self.text, token.start):
            raise _Stop(template=True)

    def _letter(self, token: Token) -> str:
        return self.text[token.start] if token.kind == "punctuation" else ""

    def _complain(self, place: Token | Span, complaint: Complaint) -> None:
        self.problems.append(problem_at(self.text, Span(place.start, place.end), complaint))

    def _stop(self, token: Token, complaint: Complaint | None) -> None:
        if complaint is not None:
            self._complain(token, complaint)
        raise _Stop
