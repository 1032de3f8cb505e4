"""Reads nodes whose structure is their indentation: what the standard calls block style.

Every function returns the beginning of the line behind what it read, comments and blank lines included.
"""

from typing import NoReturn

import attrs

from verify_lsp.verifiers.data.yaml_text.grammar import flow, tokens
from verify_lsp.verifiers.data.yaml_text.grammar.flow import Document, Place
from verify_lsp.verifiers.data.yaml_text.grammar.tokens import RefusedError, spaces_end, white_end


@attrs.frozen
class Parent:
    """What a node stands in.

    Attributes:
        indent: Of the parent; what is in it is indented further.
        list_indent: The least that a list in it needs, as the value of a key may be a list that is not indented further.
        compact: True where a list or mapping may begin behind the indicator, on its line.
    """

    indent: int
    list_indent: int
    compact: bool = False


ROOT = Parent(-1, 0)


def node(document: Document, start: int, parent: Parent) -> int:
    """Read the node that begins behind the indicator before `start`, or at `start` where a line begins."""
    document.enter()
    text = document.text
    seen: frozenset[str] = frozenset()
    offset = start
    if start and text[start - 1] != "\n":
        after = white_end(text, start)
        if not _line_ends(text, start, after):
            end = _compact(document, start, after) if parent.compact else None
            end, seen = (end, seen) if end is not None else _in_line(document, after, parent, seen)
            if end >= 0:
                document.depth -= 1
                return end
            offset = ~end
    end = _on_lines(document, offset, parent, seen)
    document.depth -= 1
    return end


def comments_end(text: str, start: int) -> int:
    """Return where the first line begins that is neither blank nor a comment; `start` is the end of a node."""
    rest = tokens.LINE_REST.match(text, start)
    if rest is None:
        offset = white_end(text, start)
        raise RefusedError(offset, _why(text, offset))
    return skip_lines(text, rest.end())


def skip_lines(text: str, start: int) -> int:
    """Return where the first line begins that is neither blank nor a comment; a line begins at `start`."""
    found = tokens.BLANK_OR_COMMENT_LINES.match(text, start)
    return found.end() if found is not None else start


def _why(text: str, offset: int) -> tokens.Reason:
    if text[offset] == "#":
        return "comment"
    return "colon" if tokens.INDICATOR.match(text, offset) is not None and text[offset] == ":" else "trailing"


def _line_ends(text: str, start: int, after: int) -> bool:
    return text[after : after + 1] in {"\n", ""} or (text[after] == "#" and after > start)


def _compact(document: Document, start: int, after: int) -> int | None:
    """Read the list or mapping that begins at `after`, on the line of its parent's indicator; None where none does."""
    text = document.text
    is_list = _is_indicator(text, after, "-")
    if not is_list and _entry_end(document, after) is None:
        return None
    if "\t" in text[start:after]:
        raise RefusedError(start + text[start:after].index("\t"), "tab")
    column = after - tokens.line_start(text, after)
    return _list(document, after, column) if is_list else _mapping(document, after, column)


def _in_line(document: Document, start: int, parent: Parent, seen: frozenset[str]) -> tuple[int, frozenset[str]]:
    """Read what stands at `start`, within a line.

    Returns:
        The end, and the properties seen. Where there were properties alone, the end is the complement of where they end.
    """
    text = document.text
    if text[start] in "&!":
        end, found = flow.properties(document, start)
        if found & seen:
            raise RefusedError(start, "trailing")
        seen |= found
        start = white_end(text, end)
        if _line_ends(text, end, start):
            return ~end, seen
        if start == end:
            raise RefusedError(start, _why(text, start))
    if text[start] in "|>":
        return _block_text(document, start, parent.indent), seen
    if text[start] == "*" and seen:
        raise RefusedError(start, "alias")
    end, _ = flow.content(document, start, Place(parent.indent + 1))
    return comments_end(text, end), seen


def _on_lines(document: Document, start: int, parent: Parent, seen: frozenset[str]) -> int:
    """Read the node that begins on a line below, if there is one."""
    text = document.text
    while True:
        at_line = start == 0 or text[start - 1] == "\n"
        line = skip_lines(text, start) if at_line else comments_end(text, start)
        offset = spaces_end(text, line)
        indent = offset - line
        if offset >= len(text):
            return line
        if indent >= parent.list_indent and _is_indicator(text, offset, "-"):
            return _list(document, offset, indent)
        if indent <= parent.indent:
            return line
        if _entry_end(document, offset) is not None:
            return _mapping(document, offset, indent)
        if text[offset] == "\t":
            offset = _behind_tab(document, offset)
        end, seen = _in_line(document, offset, parent, seen)
        if end >= 0:
            return end
        start = ~end


def _behind_tab(document: Document, offset: int) -> int:
    """A text or brackets may follow tabs where the indentation is enough before them; a list or mapping may not."""
    after = white_end(document.text, offset)
    if _is_indicator(document.text, after, "-") or _entry_end(document, after) is not None:
        raise RefusedError(offset, "tab")
    return after


def _list(document: Document, offset: int, indent: int) -> int:
    """Read a list whose first `-` stands at `offset`."""
    text = document.text
    within = Parent(indent, indent + 1, compact=True)
    entry: int | None = offset
    line = offset
    while entry is not None and _is_indicator(text, entry, "-"):
        line = node(document, entry + 1, within)
        entry = _next_entry(text, line, indent)
    return line


def _mapping(document: Document, offset: int, indent: int) -> int:
    """Read a mapping whose first key, or `?` or `:`, stands at `offset`."""
    text = document.text
    explicit = Parent(indent, indent, compact=True)
    value = Parent(indent, indent)
    entry: int | None = offset
    line = offset
    while entry is not None:
        end = _entry_end(document, entry)
        if end is None:
            refuse_entry(text, entry)
        if text[entry] == "?" and end == entry + 1:
            line = node(document, end, explicit)
            colon = _next_entry(text, line, indent)
            if colon is not None and _is_indicator(text, colon, ":"):
                line = node(document, colon + 1, explicit)
        else:
            line = node(document, end, value)
        entry = _next_entry(text, line, indent)
    return line


def _next_entry(text: str, line: int, indent: int) -> int | None:
    """Return where the next member of a collection begins, None where the collection is over."""
    offset = spaces_end(text, line)
    if text.startswith("\t", offset):
        # Only what ends a block text leaves such a line, which is a comment's at the end of the document.
        if skip_lines(text, line) < len(text):
            raise RefusedError(offset, "tab")
        return None
    if offset - line < indent or offset >= len(text):
        return None
    if offset - line > indent:
        raise RefusedError(offset, "entry")
    return offset


def refuse_entry(text: str, offset: int) -> NoReturn:
    """Refuse what begins no member of what it stands in."""
    if text[offset] == "\t":
        raise RefusedError(offset, "tab")
    raise RefusedError(offset, tokens.late_directive(text, offset) or "entry")


def _entry_end(document: Document, offset: int) -> int | None:
    """Return the end of the key and its colon, or of `?` or `:`, that begin a member; None where none begins."""
    text = document.text
    found = tokens.KEY.match(text, offset)
    if found is not None:
        if found.end() - offset > flow.KEY_LIMIT:
            return None
        if text[offset] in "&!*":
            _note_key(document, offset)
        return found.end()
    if _is_indicator(text, offset, "?") or _is_indicator(text, offset, ":"):
        return offset + 1
    if text[offset : offset + 1] in {"[", "{", "&", "!"}:
        return flow.key_end(document, offset)
    return None


def _note_key(document: Document, offset: int) -> None:
    if document.text[offset] == "*":
        flow.content(document, offset, Place(0, one_line=True))
        return
    flow.properties(document, offset)


def _is_indicator(text: str, offset: int, character: str) -> bool:
    return text.startswith(character, offset) and text[offset + 1 : offset + 2] in {" ", "\t", "\n", ""}


def _block_text(document: Document, start: int, indent: int) -> int:
    """Read a text that `|` or `>` begins."""
    text = document.text
    header = tokens.BLOCK_HEADER.match(text, start)
    end = header.end() if header is not None else start
    rest = tokens.LINE_REST.match(text, end)
    if header is None or rest is None:
        offset = white_end(text, end)
        raise RefusedError(offset, "comment" if text[offset : offset + 1] == "#" else "trailing")
    digit = header[1] or header[2]
    line = rest.end()
    width = indent + int(digit) if digit else _found_width(text, line, indent)
    found = tokens.block_lines(width).match(text, line)
    line = found.end() if found is not None else line
    comment = tokens.COMMENT_LINE.match(text, line)
    if comment is not None and len(comment[1]) < width:
        return skip_lines(text, line)
    return line


def _found_width(text: str, line: int, indent: int) -> int:
    """Return the indentation of the first line that is not blank. Blank lines before it may have no more."""
    blank = tokens.BLANK_LINES.match(text, line)
    end = blank.end() if blank is not None else line
    widest = max((len(each) for each in text[line:end].split("\n")), default=0)
    width = spaces_end(text, end) - end
    if end >= len(text) or width <= indent:
        return max(widest, indent + 1)
    if widest > width:
        raise RefusedError(_wider(text, line, width), "leading")
    return width


def _wider(text: str, line: int, width: int) -> int:
    """Return where the first of the blank lines goes further than `width`."""
    while spaces_end(text, line) - line <= width:
        line = text.index("\n", line) + 1
    return line + width
