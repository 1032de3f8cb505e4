"""Text of tools, repositories and agents, made fit to be shown: bounded, and without anything a reader cannot see."""

import re
import unicodedata

# CSI sequences, OSC strings (hyperlinks, titles) up to BEL or ST, other two-byte escapes; in 7 and in 8 bits.
_ESCAPES = re.compile(
    r"(?:\x1b\]|\x9d)[^\x07\x1b\x9c\x9d\n]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[@-Z\\-_]"
)
_BREAKS = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")
_JOINERS = "\u200c\u200d"


def one_line(text: str, limit: int) -> str:
    """Return `text` on one line of at most `limit` characters; what is left out is told by an ellipsis."""
    # A cut before cleaning keeps the work small; no cleaning makes ten characters of a text into less than one.
    joined = " ".join(visible(text[: limit * 10]).split())
    return cut(joined, limit)


def cut(text: str, limit: int) -> str:
    """Return the beginning of `text`, at most `limit` characters with the ellipsis."""
    return text if len(text) <= limit else text[: max(limit - 1, 0)].rstrip() + "…"


def first_lines(text: str, lines: int, limit: int) -> list[str]:
    """Return the first lines of `text` that are not blank; the last says how many more there are."""
    every = [line for line in visible(text).split("\n") if line.strip()]
    shown = [cut(line.rstrip(), limit) for line in every[:lines]]
    return [*shown, f"… {_more(len(every) - lines)}"] if len(every) > lines else shown


def last_lines(text: str, lines: int, limit: int) -> list[str]:
    """Return the last lines of `text`; the first says how many there are before them."""
    every = visible(text).strip("\n").split("\n")
    shown = [cut(line.rstrip(), limit) for line in every[-lines:]]
    return [f"… {_more(len(every) - lines)} above", *shown] if len(every) > lines else shown


def visible(text: str) -> str:
    r"""Return `text` with only line feeds to break it, and all else that does not show written as `\u202e`.

    Escape sequences of terminals are taken out; a line that was redrawn keeps all its states as lines. What turns
    the direction of text or hides in it stays, spelled out: a reader must see that it is there.
    """
    text = _BREAKS.sub("\n", _ESCAPES.sub("", text)).replace("\t", "    ")
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "".join(_spelled(character, text[index - 1 : index]) for index, character in enumerate(text))


def _spelled(character: str, before: str) -> str:
    joins = character in _JOINERS and before > "\x7f" and not _hides(before)  # As scripts and emoji need it.
    if character == "\n" or joins or not _hides(character):
        return character
    point = ord(character)
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def _hides(character: str) -> bool:
    """Controls, formats, lone surrogates, what is no character at all, and variation selectors that carry bytes."""
    point = ord(character)
    no_character = point & 0xFFFE == 0xFFFE or 0xFDD0 <= point <= 0xFDEF
    return unicodedata.category(character) in {"Cc", "Cf", "Cs"} or no_character or 0xE0100 <= point <= 0xE01EF


def _more(number: int) -> str:
    return f"{number} more line" if number == 1 else f"{number} more lines"
