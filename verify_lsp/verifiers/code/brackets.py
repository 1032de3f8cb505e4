"""Which bracket has no partner, seen from the tokens of a syntax tree, so that strings and comments do not count."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

_CLOSES = {")": "(", "]": "[", "}": "{"}
_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}
_MAX_TOKENS = 400_000
_MAX_RUBBLE = 200


@attrs.frozen
class Bracket:
    """One bracket. `start` is its offset in the UTF-8 bytes, `row` is 0-based."""

    sign: str
    start: int
    row: int
    indent: int

    @property
    def partner(self) -> str:
        """What closes it."""
        return _CLOSED_BY[self.sign]


@attrs.frozen
class Unclosed:
    """A bracket that is never closed, or only after `instead`, which closes another kind."""

    opened: Bracket
    instead: Bracket | None = None


@attrs.frozen
class Unopened:
    """A closing bracket without a beginning."""

    closed: Bracket


def mismatch(tokens: Sequence["Node"], data: bytes) -> Unclosed | Unopened | None:
    """Return the first pair that does not match; of several open brackets, the one that the indent speaks against."""
    open_ones: list[Bracket] = []
    suspects: list[Bracket] = []
    for bracket in _brackets(tokens, data):
        if bracket.sign in _CLOSED_BY:
            open_ones.append(bracket)
            continue
        if not open_ones:
            return Unopened(bracket)
        opened = open_ones.pop()
        if opened.sign != _CLOSES[bracket.sign]:
            return Unclosed(opened, bracket)
        # A closing bracket at the beginning of its line stands as deep as the line of its partner.
        if bracket.row > opened.row and _begins_line(data, bracket) and bracket.indent < opened.indent:
            suspects.append(opened)
    if not open_ones:
        return None
    return Unclosed(suspects[0] if suspects and suspects[0].sign == open_ones[-1].sign else open_ones[-1])


def leaves(tree: "Tree") -> Iterator["Node"]:
    """Yield the tokens in their order."""
    cursor = tree.walk()
    for _ in range(_MAX_TOKENS):
        while cursor.goto_first_child():
            pass
        node = cursor.node
        if node is not None:
            yield node
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def _brackets(tokens: Sequence["Node"], data: bytes) -> Iterator[Bracket]:
    for node in tokens:
        if node.is_missing:
            continue
        kind = node.type
        if 1 <= len(kind) <= 2 and kind[-1] in "()[]{}":
            yield _bracket(kind[-1], node.end_byte - 1, node.end_point.row, data)
        elif node.type == "ERROR" and node.end_byte - node.start_byte <= _MAX_RUBBLE:
            yield from _in_rubble(node, data)


def _in_rubble(node: "Node", data: bytes) -> Iterator[Bracket]:
    """What the parser could make no token of may hold brackets all the same."""
    rubble = data[node.start_byte : node.end_byte]
    if b"'" in rubble or b'"' in rubble or b"`" in rubble:
        return
    row = node.start_point.row
    for offset, value in enumerate(rubble):
        if chr(value) in "()[]{}":
            yield _bracket(chr(value), node.start_byte + offset, row + rubble.count(b"\n", 0, offset), data)


def _bracket(sign: str, start: int, row: int, data: bytes) -> Bracket:
    line = data.rfind(b"\n", 0, start) + 1
    text = data[line:start]
    return Bracket(sign, start, row, len(text) - len(text.lstrip(b" \t")))


def _begins_line(data: bytes, bracket: Bracket) -> bool:
    line = data.rfind(b"\n", 0, bracket.start) + 1
    return not data[line : bracket.start].strip(b" \t")
