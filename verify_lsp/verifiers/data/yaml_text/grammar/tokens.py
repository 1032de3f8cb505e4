"""What YAML 1.2.2 says of single lines, as compiled expressions, and how a text is refused.

Texts have line feeds as their only line ends here, and only characters that YAML allows.
"""

import re
from typing import Literal

Reason = Literal[
    "alias",
    "bracket-indent",
    "colon",
    "comment",
    "directive",
    "entry",
    "escape",
    "late-directive",
    "leading",
    "plain",
    "quote-indent",
    "tab",
    "tag",
    "trailing",
    "unclosed",
]
"""What a text is refused for; those that a person is told of have their words in `strictness.py`."""


class RefusedError(Exception):
    """The text is no YAML: `offset` is where it could not go on."""

    def __init__(self, offset: int, reason: Reason) -> None:
        super().__init__(reason)
        self.offset = offset
        self.reason: Reason = reason


class NoOpinionError(Exception):
    """The text is too deep to be judged here."""


# `[^ \t\n]` is what the standard calls ns-char; a number sign goes on with a text only right behind one.
_SAFE_OUT = r"[^ \t\n]"
_SAFE_IN = r"[^ \t\n,\[\]{}]"
_FIRST = r"""[^ \t\n\-?:,\[\]{}#&*!|>'"%@`]"""
_IN_LINE_OUT = rf"(?>(?:[ \t]*+(?:[^ \t\n:#]++|:(?={_SAFE_OUT})|(?<=[^ \t\n])#))*)"
_IN_LINE_IN = rf"(?>(?:[ \t]*+(?:[^ \t\n:#,\[\]{{}}]++|:(?={_SAFE_IN})|(?<=[^ \t\n])#))*)"
_PLAIN_OUT = rf"(?:{_FIRST}|[\-?:](?={_SAFE_OUT})){_IN_LINE_OUT}"
_PLAIN_IN = rf"(?:{_FIRST}|[\-?:](?={_SAFE_IN})){_IN_LINE_IN}"
_ESCAPE = r"\\(?:[0abt\tnvfre \"/\\N_LP\n]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"
_NAME = r"[^ \t\n,\[\]{}]++"
_TAG_CHARACTER = r"%[0-9a-fA-F]{2}|[0-9a-zA-Z\-#;/?:@&=+$_.~*'()]"
_TAG = rf"!(?:<(?>(?:{_TAG_CHARACTER}|[,!\[\]])+)>|(?:(?:[0-9a-zA-Z\-]*+!)?(?>(?:{_TAG_CHARACTER})+))?)(?=[ \t\n,\[\]{{}}]|\Z)"
_ANCHOR_AND_TAG = rf"(?:&{_NAME}[ \t]++(?:{_TAG}[ \t]++)?|{_TAG}[ \t]++(?:&{_NAME}[ \t]++)?)"
_ONE_LINE_QUOTED = rf"""(?:"(?>(?:[^"\\\n]++|{_ESCAPE.replace(chr(92) + "n]", "]")})*)"|'(?>(?:[^'\n]++|'')*)')"""

PLAIN_OUT = re.compile(_PLAIN_OUT)
PLAIN_IN = re.compile(_PLAIN_IN)
# The first character of a further line may be an indicator, as long as it begins no comment and no value.
PLAIN_ON_OUT = re.compile(rf"(?:[^ \t\n:#]|:(?={_SAFE_OUT})){_IN_LINE_OUT}")
PLAIN_ON_IN = re.compile(rf"(?:[^ \t\n:#,\[\]{{}}]|:(?={_SAFE_IN})){_IN_LINE_IN}")
DOUBLE_QUOTED = re.compile(rf'"(?>(?:[^"\\]++|{_ESCAPE})*)"')
DOUBLE_QUOTED_SO_FAR = re.compile(rf'"(?>(?:[^"\\]++|{_ESCAPE})*)')
SINGLE_QUOTED = re.compile(r"'(?>(?:[^']++|'')*)'")
ALIAS = re.compile(rf"\*({_NAME})")
PROPERTY = re.compile(rf"&{_NAME}|{_TAG}")
NAMED_HANDLE = re.compile(r"![0-9a-zA-Z\-]++!")
KEY = re.compile(
    rf"(?:\*{_NAME}|{_ANCHOR_AND_TAG}?+(?:{_PLAIN_OUT}|{_ONE_LINE_QUOTED})|{_ANCHOR_AND_TAG})[ \t]*+:(?=[ \t\n]|\Z)"
)
VALUE_OUT = re.compile(r"[ \t]*+:(?=[ \t\n]|\Z)")
VALUE_IN = re.compile(rf":(?!{_SAFE_IN})")
INDICATOR = re.compile(r"[-?:](?=[ \t\n]|\Z)")
_WHITE = re.compile(r"[ \t]*+")
_SPACES = re.compile(r" *+")
BLANK_OR_COMMENT_LINES = re.compile(r"(?>(?:[ \t]*+(?:#[^\n]*+)?\n)*)(?:[ \t]*+(?:#[^\n]*+)?\Z)?")
LINE_REST = re.compile(r"(?:[ \t]++(?:#[^\n]*+)?)?(?:\n|\Z)")
LINE_BREAKS = re.compile(r"[ \t]*+\n(?>(?:[ \t]*+\n)*)")
BLOCK_HEADER = re.compile(r"[|>](?:([1-9])[+-]?|[+-]([1-9])?)?")
BLANK_LINES = re.compile(r"(?>(?: *+\n)*)(?: *+\Z)?")
COMMENT_LINE = re.compile(r"( *+)#[^\n]*+(?:\n|\Z)")
MARKER = re.compile(r"^(?:---|\.\.\.)(?=[ \t\n]|\Z)", re.MULTILINE)
DIRECTIVE_NAME = re.compile(r"%([^ \t\n]++)")
_YAML_DIRECTIVE = re.compile(r"%YAML[ \t]++1\.[0-9]++")
_TAG_DIRECTIVE = re.compile(
    rf"%TAG[ \t]++(!(?:[0-9a-zA-Z\-]*+!)?)[ \t]++(?:!|{_TAG_CHARACTER})(?>(?:{_TAG_CHARACTER}|[,!\[\]])*)"
)
DIRECTIVES = {"YAML": _YAML_DIRECTIVE, "TAG": _TAG_DIRECTIVE}
OTHER_DIRECTIVE = re.compile(r"%[^ \t\n]++(?>(?:[ \t]++[^ \t\n#][^ \t\n]*+)*)")


def white_end(text: str, start: int) -> int:
    """Return where the spaces and tabs from `start` end."""
    found = _WHITE.match(text, start)
    return found.end() if found is not None else start


def spaces_end(text: str, start: int) -> int:
    """Return where the spaces from `start` end."""
    found = _SPACES.match(text, start)
    return found.end() if found is not None else start


def line_start(text: str, offset: int) -> int:
    """Return where the line of `offset` begins."""
    return text.rfind("\n", 0, offset) + 1


def short_line(width: int) -> re.Pattern[str]:
    """Return what finds a line break before a line that is not blank and has less than `width` spaces before it."""
    return re.compile(rf"\n(?! {{{width}}}|[ \t]*+(?:\n|\Z))")


def block_lines(width: int) -> re.Pattern[str]:
    """Return what finds the lines of a block text: blank, or with `width` spaces and something behind them."""
    return re.compile(rf"(?>(?: {{{width}}}[^\n]*+(?:\n|\Z)| {{0,{width}}}+\n)*)(?: {{0,{width}}}+\Z)?")


def late_directive(text: str, offset: int) -> Reason | None:
    """Tell whether a line like a directive stands at `offset`, within a document."""
    return "late-directive" if text.startswith("%", offset) and line_start(text, offset) == offset else None
