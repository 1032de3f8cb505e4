"""The blocks of an agent's message in Markdown: what it says, apart from code, tables, quotations and plans."""

import re
from collections.abc import Iterable, Iterator
from typing import Literal

import attrs

from verify_lsp.judgement.plain_text import without_acting

_MESSAGE_LIMIT = 200_000
_SHORT_LINE = 45

_FENCE = re.compile(r"^[ \t]*(?:(?:[-*+>]|\d{1,3}[.)])[ \t]+)*(?P<marker>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)[#\s]*$")
_ITEM = re.compile(r"^\s*(?:[-*+\u2022\u2023]|\d{1,3}[.)])\s+(?:\[(?P<box>[ xX])\]\s+)?(?P<text>.*)$")
_RULE = re.compile(r"^\s*(?:[-*_=]\s*){3,}$")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-{3,}:?\s*(?:\|\s*:?-{3,}:?\s*)*\|?\s*$")
_INDENTED = re.compile(r"^(?: {4}|\t)")
_GOES_ON = re.compile(
    r"(?:,|\b(?:that|whether|if|when|once|until|unless|the|an?|and|or|but|not|to|of|in|so|as|n't))\s*$", re.IGNORECASE
)

# Under such a heading, or after such a lead-in, stands what is wanted, planned or past, not what was done.
_PLAN = re.compile(
    r"\b(?:next(?: steps?)?|to-?dos?|(?:test|testing|verification) plan|plans?|planned|how to|future|follow[- ]?ups?"
    r"|remaining|not (?:done|yet|verified|tested|run|covered)|recommend\w*|suggest\w*|you (?:can|should|may|could|need)"
    r"|please|acceptance criteria|criteria|requirements?|requested|expected|expectations?|before|previously|prerequisites"
    r"|instructions?|usage|examples?|known issues|limitations|original|the task|goals?|definition of done|if you)\b",
    re.IGNORECASE,
)

Aside = Literal["quotation", "table", "plan"]


@attrs.frozen
class Block:
    """A paragraph, a heading, a list item, or one row of a table.

    Attributes:
        text: Its words with single spaces; Markdown within the line is left in.
        aside: Why it is not the agent's own word about what was done; None when it is.
        from_end: Characters from its beginning to the end of the message.
    """

    text: str
    aside: Aside | None
    from_end: int


def blocks_of(message: str) -> tuple[Block, ...]:
    """Return the blocks at the end of `message`, without code blocks and comments.

    Of a very long message only its last 200,000 characters are read.
    """
    end = message[-_MESSAGE_LIMIT:]
    before = message[: len(message) - len(end)]
    lines = _told_apart(without_acting(end), _open_fence(before))
    return tuple(block for block in _grouped(lines) if any(character.isalnum() for character in block.text))


_LineKind = Literal["blank", "heading", "item", "open item", "done item", "quotation", "table", "text"]


@attrs.frozen
class _Line:
    kind: _LineKind
    text: str
    from_end: int


def _open_fence(text: str) -> str:
    """Return the code fence that is still open at the end of `text`; empty for none."""
    fence = ""
    for found in _FENCE.finditer(text):
        fence = _fence_after(fence, found)
    return fence


def _fence_after(fence: str, found: re.Match[str]) -> str:
    marker, info = found["marker"], found["info"]
    if not fence:
        return "" if marker[0] == "`" and "`" in info else marker
    closes = marker[0] == fence[0] and len(marker) >= len(fence) and not info.strip()
    return "" if closes else fence


def _told_apart(text: str, fence: str) -> Iterator[_Line]:
    """Lines with their kinds; lines of code and comments come out blank."""
    from_end = len(text)
    in_comment = in_list = False
    after_blank = True
    for line in text.split("\n"):
        found = None if in_comment else _FENCE.match(line)
        was_open, fence = fence, _fence_after(fence, found) if found else fence
        starts_comment = line.lstrip().startswith("<!--")
        if was_open or fence:
            kind: _LineKind = "blank"
        elif in_comment or starts_comment:
            in_comment, kind = "-->" not in line, "blank"
        elif after_blank and not in_list and _INDENTED.match(line):
            kind = "blank"
        else:
            kind = _kind(line)
            in_list = kind.endswith("item") or (in_list and (kind == "blank" or line[:1] in " \t"))
            after_blank = kind == "blank"
        yield _Line(kind, line, from_end)
        from_end -= len(line) + 1


def _kind(line: str) -> _LineKind:
    stripped = line.strip()
    if stripped.startswith("|") or ("|" in line and _TABLE_RULE.match(line)):
        return "table"
    if not stripped or _RULE.match(line):
        return "blank"
    if stripped.startswith(">"):
        return "quotation"
    if _HEADING.match(line):
        return "heading"
    item = _ITEM.match(line)
    if item is None:
        return "text"
    return "item" if item["box"] is None else "open item" if item["box"] == " " else "done item"


def _grouped(lines: Iterable[_Line]) -> Iterator[Block]:
    """Join lines into blocks. A heading or a lead-in that plans makes plans of what stands below it."""
    open_lines: list[_Line] = []
    under_plan = led_in = in_list = False

    def closed() -> Iterator[Block]:
        nonlocal led_in
        if open_lines:
            block = _block(open_lines, plan=under_plan or (in_list and led_in))
            if not in_list:
                led_in = block.text.endswith(":") and _PLAN.search(block.text) is not None
            open_lines.clear()
            yield block

    for line in lines:
        if not (open_lines and _continues(open_lines[-1], line)):
            yield from closed()
        if line.kind == "blank":
            continue
        if line.kind == "heading":
            under_plan, led_in = _PLAN.search(line.text) is not None, False
        if line.kind.endswith("item") or not line.text.startswith((" ", "\t")):
            in_list = line.kind.endswith("item") or (in_list and bool(open_lines))
        open_lines.append(line)
    yield from closed()


def _continues(last: _Line, line: _Line) -> bool:
    if line.kind == "quotation":
        return last.kind == "quotation"
    if line.kind != "text" or last.kind in {"heading", "table"}:
        return False
    # Two short lines one below the other are two statements; a long line goes on in the next one.
    ended, begins = last.text.strip(), line.text.lstrip()[:1]
    goes_on = len(ended) > _SHORT_LINE or _GOES_ON.search(ended) is not None
    return goes_on or begins.islower()


def _block(lines: list[_Line], *, plan: bool) -> Block:
    first = lines[0]
    texts = [_bare(line) for line in lines]
    aside: Aside | None = None
    if first.kind in {"quotation", "table"}:
        aside = "quotation" if first.kind == "quotation" else "table"
    elif first.kind == "open item" or (plan and first.kind not in {"heading", "done item"}):
        aside = "plan"
    return Block(" ".join(" ".join(texts).split()), aside, first.from_end)


def _bare(line: _Line) -> str:
    if line.kind == "heading" and (heading := _HEADING.match(line.text)):
        return heading[1]
    if line.kind.endswith("item") and (item := _ITEM.match(line.text)):
        return item["text"]
    return line.text.lstrip("> \t") if line.kind == "quotation" else line.text
