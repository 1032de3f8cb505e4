"""Where an expression ends and which names stand in it, as its text alone tells, for those who need no tree then."""

import re

import attrs

_LONGEST = 600
_MARGIN = 40
_EMPTY = len("''")
_TOKEN = re.compile(
    rb"(?P<text>'[^'\\\n]*(?:\\.[^'\\\n]*)*'|\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"|`[^`\\$]*`)"
    rb"|(?<![\w.$])(?P<name>[A-Za-z_$][\w$]*)"
    rb"|(?P<opens>[(\[{])|(?P<closes>[)\]}])|(?P<end>;)|(?P<comma>,)|(?P<line>\r?\n)"
    # A comment, a pattern, a template with holes, an element, a text that is not closed, a name of other letters.
    rb"|(?P<unclear>[/#'\"`\\\x80-\xff])"
)
_KEYWORDS = frozenset({b"await", b"new", b"function", b"return", b"None", b"True", b"False", b"null", b"this"})
_GOES_ON_BELOW = re.compile(rb"\s*(?:[.?\[(+\-*/%&|=<>,:^`]|(?:in|instanceof|as|satisfies)\b)")
_GOES_ON_ABOVE = re.compile(
    rb"(?:[.?\[(+\-*/%&|=<>,:^!~]|\b(?:await|new|typeof|yield|and|or|not|in|is|else|if|void|delete))[ \t]*\Z"
)


@attrs.frozen
class Expression:
    """The text of an expression, and perhaps a little of what follows it; offsets count bytes of the file.

    Attributes:
        names: The names in it that do not follow a dot, and perhaps some that are none.
    """

    text: bytes
    start: int
    end: int
    names: frozenset[bytes]


def expression_at(data: bytes, start: int, *, is_argument: bool = False) -> Expression | None:
    """Return the expression that begins at an offset; None where the text does not tell its end, or what is in it.

    Args:
        is_argument: Whether a comma ends it.
    """
    start = start + len(data[start : start + _MARGIN]) - len(data[start : start + _MARGIN].lstrip())
    depth, names = 0, set()
    for token in _TOKEN.finditer(data, start, start + _LONGEST):
        kind = token.lastgroup
        if kind == "name":
            names.add(token.group())
        elif kind == "opens":
            depth += 1
        elif kind == "closes":
            depth -= 1
        elif kind == "unclear" or (kind == "text" and _is_unclear(data, token)):
            return None
        if depth < 0 or (depth == 0 and _ends(data, start, token, is_argument=is_argument)):
            return Expression(data[start : token.start()], start, token.start(), frozenset(names - _KEYWORDS))
    return None


def _is_unclear(data: bytes, text: re.Match[bytes]) -> bool:
    """Whether a text has holes, or is the beginning of one between three quotes."""
    if len(text.group()) == _EMPTY:
        return data.startswith(text.group()[:1], text.end())
    return b"{" in text.group() and data[text.start() - 1 : text.start()].isalpha()


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
