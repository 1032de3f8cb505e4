"""Reads nodes that stand in brackets, in quotes or bare: what the standard calls flow style."""

import attrs

from verify_lsp.verifiers.data.yaml_text.grammar import tokens
from verify_lsp.verifiers.data.yaml_text.grammar.tokens import NoOpinionError, RefusedError, spaces_end, white_end

_DEPTH_LIMIT = 80
KEY_LIMIT = 1024
"""Characters of a key, its colon included, that no `?` stands before."""


@attrs.define
class Document:
    """One document that is being read.

    Attributes:
        text: From its `---`, or the beginning, to the next marker.
        handles: The named tag handles that its directives declare.
        anchors: Names of anchors so far.
        undefined: Where aliases stand whose anchor does not stand before them.
        depth: How many nodes are open.
    """

    text: str
    handles: frozenset[str] = frozenset()
    anchors: set[str] = attrs.field(factory=set)
    undefined: set[int] = attrs.field(factory=set)
    depth: int = 0

    def enter(self) -> None:
        """Open a node, which the caller closes by counting `depth` down. There is no opinion of what is too deep."""
        self.depth += 1
        if self.depth > _DEPTH_LIMIT:
            raise NoOpinionError


@attrs.frozen
class Place:
    """Where a flow node stands.

    Attributes:
        indent: How many spaces each of its further lines needs.
        inside: True within brackets.
        one_line: True within a key that must end on the line that it begins on.
    """

    indent: int
    inside: bool = False
    one_line: bool = False


def content(document: Document, start: int, place: Place) -> tuple[int, bool]:
    """Read a node without properties. Return its end, and whether it is one that JSON has too, quoted or in brackets."""
    text = document.text
    first = text[start : start + 1]
    if first in {"[", "{"}:
        return _collection(document, start, place), True
    if first in {'"', "'"}:
        return _quoted(text, start, place), True
    if first == "*" and (alias := tokens.ALIAS.match(text, start)) is not None:
        if alias[1] not in document.anchors:
            document.undefined.add(start)
        return alias.end(), False
    return _plain(text, start, place), False


def properties(document: Document, start: int) -> tuple[int, frozenset[str]]:
    """Read an anchor, a tag, or both on one line. Return their end, and which there were: `&`, `!`."""
    text = document.text
    seen: set[str] = set()
    end = start
    while text[start : start + 1] in {"&", "!"} and text[start] not in seen:
        found = tokens.PROPERTY.match(text, start)
        if found is None:
            raise RefusedError(start, "tag")
        note_property(document, found[0], start)
        seen.add(text[start])
        end = found.end()
        start = white_end(text, end)
    return end, frozenset(seen)


def note_property(document: Document, word: str, offset: int) -> None:
    """Remember an anchor, and refuse a tag whose handle was not declared."""
    if word[0] == "&":
        document.anchors.add(word[1:])
    elif (handle := tokens.NAMED_HANDLE.match(word)) is not None and handle[0] not in document.handles:
        raise RefusedError(offset, "tag")


def key_end(document: Document, start: int) -> int | None:
    """Return where the key ends that is a list or mapping in brackets on one line, or None where none begins."""
    depth = document.depth
    try:
        end = _node(document, start, Place(0, inside=False, one_line=True))[0]
    except RefusedError:
        return None
    finally:
        document.depth = depth
    value = tokens.VALUE_OUT.match(document.text, end)
    return value.end() if value is not None and value.end() - start <= KEY_LIMIT else None


def _node(document: Document, start: int, place: Place) -> tuple[int, bool]:
    """Read a node with its properties."""
    text = document.text
    if text[start : start + 1] not in {"&", "!"}:
        return content(document, start, place)
    end, seen = properties(document, start)
    next_start = _separated(document, end, place)
    if len(seen) == 1 and next_start > end and text[next_start : next_start + 1] in {"&", "!"} - seen:
        end, _ = properties(document, next_start)
        next_start = _separated(document, end, place)
    if next_start == end or _nothing_at(text, next_start, place):
        return end, False
    if text[next_start] == "*":
        raise RefusedError(next_start, "alias")
    return content(document, next_start, place)


def _nothing_at(text: str, offset: int, place: Place) -> bool:
    """Tell whether a node that may be empty is empty here."""
    if offset >= len(text) or (place.inside and text[offset] in ",]}"):
        return True
    return (
        text[offset] == ":" and (tokens.VALUE_IN if place.inside else tokens.INDICATOR).match(text, offset) is not None
    )


def _collection(document: Document, start: int, outer: Place) -> int:
    text = document.text
    closing = "]" if text[start] == "[" else "}"
    document.enter()
    place = outer if outer.inside else attrs.evolve(outer, inside=True)
    offset = _separated(document, start + 1, place)
    while text[offset : offset + 1] != closing:
        offset = _entry(document, offset, place, in_mapping=closing == "}")
        offset = _separated(document, offset, place)
        after = text[offset : offset + 1]
        if after == ",":
            offset = _separated(document, offset + 1, place)
        elif after != closing:
            raise _unexpected(text, offset, start)
    document.depth -= 1
    return offset + 1


def _unexpected(text: str, offset: int, start: int) -> RefusedError:
    if offset >= len(text):
        return RefusedError(start, "unclosed")
    return RefusedError(offset, "comment" if text[offset] == "#" else "trailing")


def _entry(document: Document, start: int, place: Place, *, in_mapping: bool) -> int:
    """Read an item of a list, which may be a mapping of one pair, or a member of a mapping."""
    text = document.text
    explicit = text.startswith("?", start) and text[start + 1 : start + 2] in {" ", "\t", "\n", ""}
    if explicit:
        start = _separated(document, start + 1, place)
        if text[start : start + 1] in {",", "]", "}"}:
            return start
    if tokens.VALUE_IN.match(text, start) is not None:
        return _value(document, start + 1, place, adjacent=False)
    end, quoted = _node(document, start, place)
    any_line = explicit or in_mapping
    colon = _separated(document, end, place) if any_line else white_end(text, end)
    if not text.startswith(":", colon) or not (quoted or tokens.VALUE_IN.match(text, colon)):
        return end
    if not any_line and (colon - start > KEY_LIMIT or "\n" in text[start:colon]):
        raise RefusedError(colon, "colon")
    return _value(document, colon + 1, place, adjacent=quoted)


def _value(document: Document, start: int, place: Place, *, adjacent: bool) -> int:
    offset = _separated(document, start, place)
    if offset >= len(document.text) or document.text[offset] in ",]}" or (offset == start and not adjacent):
        return start
    return _node(document, offset, place)[0]


def _separated(document: Document, start: int, place: Place) -> int:
    """Return where the next thing stands, behind spaces, comments and line ends."""
    text = document.text
    offset = white_end(text, start)
    if text[offset : offset + 1] not in {"\n", "#", ""} or place.one_line:
        return offset
    rest = tokens.LINE_REST.match(text, start)
    if rest is None:
        # A number sign right behind something: no comment.
        return offset
    line = tokens.BLANK_OR_COMMENT_LINES.match(text, rest.end())
    begin = line.end() if line is not None else rest.end()
    spaces = spaces_end(text, begin)
    offset = white_end(text, spaces)
    # A closing bracket that stands as far left as its key is refused by the standard and taken by most readers.
    needed = place.indent - 1 if text[spaces : spaces + 1] in {"]", "}"} else place.indent
    if spaces - begin < needed and offset < len(text):
        raise RefusedError(offset, "bracket-indent")
    return offset


def _quoted(text: str, start: int, place: Place) -> int:
    found = (tokens.DOUBLE_QUOTED if text[start] == '"' else tokens.SINGLE_QUOTED).match(text, start)
    if found is None:
        so_far = tokens.DOUBLE_QUOTED_SO_FAR.match(text, start)
        if so_far is not None and so_far.end() < len(text):
            raise RefusedError(so_far.end(), "escape")
        raise RefusedError(start, "unclosed")
    broken = text.find("\n", start, found.end())
    if broken < 0:
        return found.end()
    if place.one_line:
        raise RefusedError(broken, "colon")
    if place.indent and (short := tokens.short_line(place.indent).search(text, broken, found.end())) is not None:
        raise RefusedError(white_end(text, short.end()), "quote-indent")
    return found.end()


def _plain(text: str, start: int, place: Place) -> int:
    found = (tokens.PLAIN_IN if place.inside else tokens.PLAIN_OUT).match(text, start)
    if found is None:
        reason: tokens.Reason = "comment" if text.startswith("#", start) else "plain"
        raise RefusedError(start, tokens.late_directive(text, start) or reason)
    end = found.end()
    further = tokens.PLAIN_ON_IN if place.inside else tokens.PLAIN_ON_OUT
    while not place.one_line and (breaks := tokens.LINE_BREAKS.match(text, end)) is not None:
        spaces = spaces_end(text, breaks.end())
        found = further.match(text, white_end(text, spaces))
        if spaces - breaks.end() < place.indent or found is None:
            break
        end = found.end()
    return end
