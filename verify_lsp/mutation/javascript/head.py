"""What a text with mutants in it begins with: the switch, and a word to the tools that its types are nobody's business."""

from typing import TYPE_CHECKING

from verify_lsp.mutation.javascript.nodes import told
from verify_lsp.toolchains.node.testing.switch import PRELUDE

if TYPE_CHECKING:
    from tree_sitter import Node

_SWITCH = f"/* eslint-disable */ {PRELUDE} ".encode()
_UNCHECKED = b"// @ts-nocheck"


def headed(root: "Node", written: str, begins: int, *, checked: bool) -> tuple[str, int]:
    """Return the text with the switch in it, and by how many rows what follows has moved.

    Args:
        root: Of the text as it was; it is still that, in bytes, up to `begins`.
        written: The text with choices in it.
        begins: The offset of the first choice.
        checked: Whether a compiler of TypeScript may read it.
    """
    data = written.encode()
    statements = [child for child in told(root) if child.type != "hash_bang_line"]
    first = next((each for each in statements if not _is_directive(each)), None)
    if first is None:
        return written, 0
    whole = data[: first.start_byte] + _SWITCH + data[first.start_byte :]
    if not checked:
        return whole.decode(), 0
    return _unchecked(root, (statements[0], first), whole, begins)


def spoiled(text: str) -> str:
    """Return the text with an error that is thrown when it is loaded, at its end, so that what it exports is there."""
    return f'{text}\n;throw new Error("an error on purpose");\n'


def _is_directive(statement: "Node") -> bool:
    parts = told(statement)
    return statement.type == "expression_statement" and len(parts) == 1 and parts[0].type == "string"


def _unchecked(root: "Node", heads: "tuple[Node, Node]", data: bytes, begins: int) -> tuple[str, int]:
    """Put the comment that switches checks off ahead of the first token: on a row that has room, else on a new one.

    Args:
        heads: The first statement, and the one that the switch now stands ahead of.
    """
    room = _room(root, heads[0])
    if room is not None:
        return (data[:room] + b" " + _UNCHECKED + data[room:]).decode(), 0
    top = next((child.end_byte + 1 for child in root.named_children if child.type == "hash_bang_line"), 0)
    top = top or (3 if data.startswith(b"\xef\xbb\xbf") else 0)
    spare = _spare_row(root, begins)
    if spare is None:
        return (data[:top] + _UNCHECKED + b"\n" + data[top:]).decode(), 1
    after = spare + (len(_SWITCH) if spare >= heads[1].start_byte else 0)
    return (data[:top] + _UNCHECKED + b"\n" + data[top:after] + data[after + 1 :]).decode(), 0


def _room(root: "Node", first: "Node") -> int | None:
    """Return the end of a long comment that stands on rows of its own above the first token."""
    for child in root.named_children:
        if child == first:
            return None
        is_long = child.type == "comment" and (child.text or b"").startswith(b"/*")
        following = child.next_named_sibling
        if is_long and following is not None and following.start_point.row > child.end_point.row:
            return child.end_byte
    return None


def _spare_row(root: "Node", begins: int) -> int | None:
    """Return the offset of the line feed that ends an empty row between statements, ahead of all choices."""
    text = root.text or b""
    for statement in root.named_children:
        end = statement.end_byte - root.start_byte
        feeds = text[end : end + 2]
        if statement.end_byte + 2 <= begins and feeds == b"\n\n":
            return statement.end_byte + 1
    return None
