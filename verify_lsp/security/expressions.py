"""Where an expression ends and which names stand in it, as its text alone tells, for those who need no tree then."""

import re

import attrs

_LONGEST = 400
_DEEPEST = 12
_MARGIN = 40
_TOKEN = re.compile(
    rb"(?P<text>'[^'\\\n]*(?:\\.[^'\\\n]*)*'|\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"|`[^`\\]*(?:\\.[^`\\]*)*`)"
    rb"|(?<![\w.$])(?P<name>[A-Za-z_$][\w$]*)"
    rb"|(?P<opens>[(\[{])|(?P<closes>[)\]}])|(?P<end>;)|(?P<comma>,)|(?P<line>\r?\n)"
    # A comment, a pattern, an element, a text that is not closed, a name of other letters.
    rb"|(?P<unclear>[/#'\"`\\\x80-\xff])"
)
_PART_OF = frozenset({b".", b"(", b"["})
_HOLE = re.compile(rb"\{([^{}]*)")
_NAME = re.compile(rb"(?<![\w.$])[A-Za-z_$][\w$]*")
_WORDS_BEFORE = frozenset(
    b"await new typeof yield and or not in is else if void delete return instanceof of as satisfies".split()
)
_NO_NAMES = _WORDS_BEFORE | frozenset(b"function None True False null undefined true false this".split())
_GOES_ON_BELOW = re.compile(rb"\s*(?:[.?\[(+\-*/%&|=<>,:^`]|(?:in|instanceof|as|satisfies)\b)")
_GOES_ON_ABOVE = re.compile(rb"(?:[.?\[(+\-*/%&|=<>,:^!~]|\b(?:" + b"|".join(sorted(_WORDS_BEFORE)) + rb"))[ \t]*\Z")


@attrs.frozen
class Expression:
    """The text of an expression, and perhaps a little of what follows it; offsets count bytes of the file.

    Attributes:
        names: The names in it that do not follow a dot, and perhaps some that are none.
        outer: The text without what stands in the parentheses of calls and in indices.
        outer_names: The names in that, but for those of which a part is taken, or which are called.
        has_holes: Whether a text in it is put together from parts.
    """

    text: bytes
    start: int
    end: int
    names: frozenset[bytes]
    outer: bytes
    outer_names: frozenset[bytes]
    has_holes: bool = False


def name_at(start: int, name: bytes, rest: bytes = b"") -> Expression:
    """Return a name, and perhaps what follows it after a dot, as an expression."""
    names, text = frozenset({name}), name + rest
    return Expression(text, start, start + len(text), names, text, names)


def expression_at(data: bytes, start: int, *, is_argument: bool = False) -> Expression | None:
    """Return the expression that begins at an offset; None where the text does not tell its end, or what is in it.

    Args:
        is_argument: Whether a comma ends it.
    """
    margin = data[start : start + _MARGIN]
    start += len(margin) - len(margin.lstrip())
    reading = _Reading(data, start)
    for token in _TOKEN.finditer(data, start, start + _LONGEST):
        if not reading.takes(token):
            return None
        depth = reading.depth
        if depth < 0 or (depth == 0 and _ends(data, start, token, is_argument=is_argument)):
            return reading.until(token.start()) if token.start() > start else None
    return None


class _Reading:
    """What was seen of an expression so far."""

    def __init__(self, data: bytes, start: int) -> None:
        self.depth = 0
        self._data = data
        self._start = start
        self._names: set[bytes] = set()
        self._outer_names: set[bytes] = set()
        self._outer = b""
        self._copied = start
        self._inside: int | None = None
        self._word_end = -1
        self._has_holes = False

    def takes(self, token: re.Match[bytes]) -> bool:
        """Go on by a token; False where the text does not tell what it is."""
        match token.lastgroup:
            case "name":
                self._names.add(token.group())
                if self._inside is None and self._data[token.end() : token.end() + 1] not in _PART_OF:
                    self._outer_names.add(token.group())
                if token.group() in _WORDS_BEFORE:
                    self._word_end = token.end()
            case "opens":
                if self._inside is None and self._follows_a_name(token.start()):
                    self._inside = self.depth
                    self._outer += self._data[self._copied : token.start()]
                self.depth += 1
                return self.depth <= _DEEPEST
            case "closes":
                self.depth -= 1
                if self._inside == self.depth:
                    self._inside, self._copied = None, token.end()
            case "text":
                return self._takes_text(token)
            case "unclear":
                return False
        return True

    def until(self, end: int) -> Expression:
        """Return the expression that ends at an offset."""
        return Expression(
            self._data[self._start : end],
            self._start,
            end,
            frozenset(self._names - _NO_NAMES),
            self._outer + self._data[self._copied : end],
            frozenset(self._outer_names - _NO_NAMES),
            self._has_holes,
        )

    def _follows_a_name(self, at: int) -> bool:
        """Whether a bracket opens right after a name or another bracket: a call, or an index."""
        before = self._data[max(at - 1, self._start) : at]
        return (before.isalnum() or before in {b"_", b"$", b")", b"]"}) and self._word_end != at

    def _takes_text(self, token: re.Match[bytes]) -> bool:
        text, before = token.group(), self._data[max(token.start() - 1, self._start) : token.start()]
        if text in {b"''", b'""'} and self._data.startswith(text[:1], token.end()):
            return False  # One between three quotes.
        if b"{" in text and (text[:1] == b"`" or before.isalpha()):
            self._has_holes = True
            self._names.update(name for hole in _HOLE.findall(text) for name in _NAME.findall(hole))
        return True


def _ends(data: bytes, start: int, token: re.Match[bytes], *, is_argument: bool) -> bool:
    match token.lastgroup:
        case "end":
            return True
        case "comma":
            return is_argument
        case "line":
            above = data[max(start, token.start() - _MARGIN) : token.start()]
            return not (_GOES_ON_ABOVE.search(above) or _GOES_ON_BELOW.match(data, token.end()))
        case _:
            return False
