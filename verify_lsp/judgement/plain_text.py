"""Text of tools, repositories and agents, made fit to be shown: bounded, and without characters that act."""

import re

# Control sequences first, so that their letters go with them: OSC, DCS, PM and APC strings up to their end, CSI, and
# two-byte escapes. An unfinished string is cut after some length instead of swallowing the rest of the text.
_ESCAPES = re.compile(r"\x1b[\]PX^_][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)?|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[@-~]?")

# What a reader cannot see and a renderer acts on: C0 and C1 controls, marks that turn the direction of text,
# invisible separators, tags, variation of nothing, and halves of surrogate pairs that no encoder accepts.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_LINE_ENDS = re.compile("\r\n|[\r\u2028\u2029\x85]")
_SPACES = re.compile(r"\s+")


def one_line(text: str, limit: int) -> str:
    """Return `text` on one line, at most `limit` characters, cut at its end."""
    # Four times the limit is read: enough for text that is mostly escapes, and a bound for text of any length.
    line = _SPACES.sub(" ", without_acting(text[: limit * 4])).strip()
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def block(text: str, limit: int) -> str:
    """Return `text` with its lines and tabs, at most `limit` characters, cut at its end."""
    kept = without_acting(text[: limit * 4]).strip("\n")
    return kept if len(kept) <= limit else kept[: limit - 1].rstrip() + "…"


def tail(text: str, limit: int) -> str:
    """Return the end of `text` with its lines and tabs, at most `limit` characters, from the start of a line."""
    kept = without_acting(text[-limit * 4 :]).strip("\n")
    if len(kept) <= limit:
        return kept
    kept = kept[-(limit - 2) :]
    start = kept.find("\n") + 1
    return "…\n" + kept[start:]


def without_acting(text: str) -> str:
    """Return the whole of `text`, with its lines and tabs, but without what a renderer acts on."""
    return _UNSEEN.sub("", _LINE_ENDS.sub("\n", _ESCAPES.sub("", text)))
