"""The first place of a text that its grammar cannot make sense of, put into words."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from verify_lsp.syntax.languages import Language
from verify_lsp.syntax.trees import parse
from verify_lsp.verifiers.code.brackets import Unclosed, Unopened, leaves, mismatch
from verify_lsp.verifiers.code.known_gaps import respelled

if TYPE_CHECKING:
    from tree_sitter import Node

_QUOTES = {'"': "string", "'": "string", "`": "template literal"}
_SHOWN = 40


@attrs.frozen
class SyntaxFault:
    """What does not parse.

    Attributes:
        message: A sentence part for people.
        line: 1-based.
        column: 1-based, in code points.
        end_column: Exclusive, on the same line; None where the place has no extent.
        certain: True where brackets or quotes do not match, which no dialect of the language allows. All else may be
            syntax that the grammar does not know.
    """

    message: str
    line: int
    column: int
    end_column: int | None = None
    certain: bool = False


_HALVES = re.compile("[\ud800-\udfff]")


def first_fault(language: Language, text: str, *, matching: bool = True) -> SyntaxFault | None:
    """Return the first thing wrong with `text`, None where it parses.

    Args:
        language: What the text is said to be.
        text: The whole text; a byte order mark may be its first character.
        matching: False for languages in which brackets stand alone, as in the shell's `case`.
    """
    # Half a character, which an editor may send, takes the room of the mark for one that is not known.
    text = _HALVES.sub("\ufffd", text)
    data = text.encode("utf-8")
    if data.startswith(b"\xef\xbb\xbf"):
        # To a grammar the mark is rubbish; as blanks it takes the same room.
        data = b"   " + data[3:]
    tree = parse(language, data)
    if tree.root_node.has_error:
        data = respelled(language, data)
        tree = parse(language, data)
    if not tree.root_node.has_error:
        return None
    place = _Place(text)
    broken = _first_broken(tree.root_node)
    tokens = tuple(leaves(tree))
    quote = _lone_quote(tokens, broken, data)
    pair = mismatch(tokens, data) if matching else None
    if quote is not None and (pair is None or quote.start_byte <= _start(pair)):
        kind = _QUOTES[quote.type]
        return place.fault(f"unterminated {kind}", quote.start_byte, quote.end_byte, certain=matching)
    if isinstance(pair, Unopened):
        message = f"unexpected `{pair.closed.sign}`: nothing is open that it could close"
        return place.fault(message, pair.closed.start, pair.closed.start + 1, certain=True)
    if isinstance(pair, Unclosed):
        return _unclosed(pair, place)
    if broken.is_missing:
        end = _end_of_token_before(tokens, broken)
        return place.fault(f"missing {_named(broken.type)}", end, end)
    return _unexpected(broken, place)


def _unclosed(pair: Unclosed, place: "_Place") -> SyntaxFault:
    line, _ = place.of(pair.opened.start)
    if pair.instead is None:
        message = f"`{pair.opened.sign}` is never closed: missing `{pair.opened.partner}`"
        return place.fault(message, pair.opened.start, pair.opened.start + 1, certain=True)
    message = f"unexpected `{pair.instead.sign}`: `{pair.opened.sign}` opened on line {line} is not closed"
    return place.fault(message, pair.instead.start, pair.instead.start + 1, certain=True)


def _start(pair: Unclosed | Unopened) -> int:
    return pair.closed.start if isinstance(pair, Unopened) else pair.opened.start


def _first_broken(root: "Node") -> "Node":
    node = root
    while not node.is_missing:
        inner = next((child for child in node.children if child.has_error or child.is_missing), None)
        if inner is None:
            break
        node = inner
    return node


def _lone_quote(tokens: Sequence["Node"], broken: "Node", data: bytes) -> "Node | None":
    """Return a quote, at or after the first broken place, that has no partner on its line, or in the rest of the text."""
    for node in tokens:
        if node.type not in _QUOTES or node.is_missing or node.start_byte < broken.start_byte:
            continue
        parent = node.parent
        if parent is None or not (parent.type == "ERROR" or parent.children[-1].is_missing):
            continue
        quote = node.type.encode()
        end = len(data) if quote == b"`" else data.find(b"\n", node.end_byte)
        rest = data[node.end_byte : end if end >= 0 else len(data)]
        line = data.rfind(b"\n", 0, node.start_byte) + 1
        before = b"" if quote == b"`" else data[line : node.start_byte]
        if quote == b"`" and re.sub(rb"\\.", b"", data, flags=re.DOTALL).count(quote) % 2 == 0:
            continue
        if quote not in rest and before.count(quote) % 2 == 0:
            return node
    return None


def _end_of_token_before(tokens: Sequence["Node"], missing: "Node") -> int:
    end = 0
    for node in tokens:
        if node.start_byte >= missing.start_byte and node.end_byte > missing.start_byte:
            break
        if not node.is_missing and node.end_byte <= missing.start_byte:
            end = max(end, node.end_byte)
    return end


def _unexpected(broken: "Node", place: "_Place") -> SyntaxFault:
    token = broken
    while token.children:
        token = token.children[0]
    text = (token.text or b"").decode("utf-8", "replace").split("\n")[0].strip()
    end = min(token.end_byte, token.start_byte + len(text.encode("utf-8", "replace")))
    quoted = any(quote in text for quote in _QUOTES) or not text
    message = "this does not parse" if quoted or len(text) > _SHOWN else f"unexpected `{text}`"
    return place.fault(message, token.start_byte, end)


def _named(kind: str) -> str:
    return f"`{kind}`" if not kind.isidentifier() else f"{kind.replace('_', ' ')}"


class _Place:
    """Turns offsets in bytes into lines and columns."""

    def __init__(self, text: str) -> None:
        self._data = text.encode("utf-8", "surrogatepass")

    def of(self, offset: int) -> tuple[int, int]:
        start = self._data.rfind(b"\n", 0, offset) + 1
        before = self._data[start:offset].decode("utf-8", "replace")
        return self._data.count(b"\n", 0, offset) + 1, len(before) + 1

    def fault(self, message: str, start: int, end: int, *, certain: bool = False) -> SyntaxFault:
        line, column = self.of(start)
        end_line, end_column = self.of(end)
        extent = end_column if end_line == line and end_column > column else None
        return SyntaxFault(message, line, column, extent, certain)
