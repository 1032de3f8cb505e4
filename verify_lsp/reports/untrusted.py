"""Text of tools, repositories and agents, made fit to be shown: bounded, and without anything a reader cannot see."""

import re

# CSI sequences, OSC strings (hyperlinks, titles) up to BEL or ST, other two-byte escapes; in 7 and in 8 bits.
_ESCAPES = re.compile(
    r"(?:\x1b\]|\x9d)[^\x07\x1b\x9c\x9d\n]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[@-Z\\-_]"
)
_BREAKS = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")
# Controls but for the line feed, formats, lone surrogates, what is no character at all, and variation selectors that
# carry bytes. The classes are those of Unicode: Cc, Cf, Cs, Zl, Zp, and the noncharacters.
_HIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u2064\u2066-\u206f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001"
    "\U000e0020-\U000e007f\U000e0100-\U000e01ef"
    + "".join(f"{chr(plane * 0x10000 + 0xFFFE)}{chr(plane * 0x10000 + 0xFFFF)}" for plane in range(1, 17))
    + "]"
)
_JOINERS = "\u200c\u200d"


def one_line(text: str, limit: int) -> str:
    """Return `text` on one line of at most `limit` characters; what is left out is told by an ellipsis."""
    # A cut before cleaning keeps the work small; four times the limit is enough for text that is mostly escapes.
    joined = " ".join(visible(text[: limit * 4]).split())
    return cut(joined, limit)


def name(text: str, limit: int) -> str:
    """Return the name of a file on one line, with every space it has, at most `limit` characters."""
    return cut(visible(text[: limit * 4].replace("\t", "\\t")).replace("\n", "\\n"), limit)


def cut(text: str, limit: int) -> str:
    """Return the beginning of `text`, at most `limit` characters with the ellipsis."""
    return text if len(text) <= limit else text[: max(limit - 1, 0)].rstrip() + "…"


def first_lines(text: str, lines: int, limit: int) -> list[str]:
    """Return the first lines of `text` that are not blank; the last says how many more there are."""
    every = [line for line in _BREAKS.split(text) if line.strip()]
    shown = [_line(line, limit) for line in every[:lines]]
    return [*shown, f"… {_more(len(every) - lines)}"] if len(every) > lines else shown


def last_lines(text: str, lines: int, limit: int) -> list[str]:
    """Return the last lines of `text`; the first says how many there are before them."""
    every = _BREAKS.split(text.strip("\r\n"))
    shown = [_line(line, limit) for line in every[-lines:]]
    return [f"… {_more(len(every) - lines)} above", *shown] if len(every) > lines else shown


def visible(text: str) -> str:
    r"""Return `text` with only line feeds to break it, and all else that does not show written as `\u202e`.

    Escape sequences of terminals are taken out; a line that was redrawn keeps all its states as lines. What turns
    the direction of text or hides in it stays, spelled out: a reader must see that it is there.
    """
    return _HIDDEN.sub(_spelled, _BREAKS.sub("\n", _ESCAPES.sub("", text)).replace("\t", "    "))


def _line(line: str, limit: int) -> str:
    """Only what can be shown is cleaned, as an output may be long."""
    return cut(visible(line[: limit * 4]).rstrip(), limit)


def _spelled(match: re.Match[str]) -> str:
    character, before = match[0], match.string[match.start() - 1 : match.start()]
    if character in _JOINERS and before > "\x7f" and not _HIDDEN.match(before):
        return character  # Scripts and emoji need it.
    point = ord(character)
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def _more(number: int) -> str:
    return f"{number} more line" if number == 1 else f"{number} more lines"
