"""Syntax that only newer Pythons know: what there is of it in a text, and whether the text is sound without it."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from verify_lsp.syntax.trees import parse

if TYPE_CHECKING:
    from tree_sitter import Node

Version = tuple[int, int]


@attrs.frozen
class Newer:
    """One use of newer syntax.

    Attributes:
        name: "a `match` statement".
        since: The first version that knows it.
        start: 0-based offset in the UTF-8 bytes; `end` is exclusive.
        plainer: Bytes of the same number and with the same lines, which older versions know; None where there are none.
    """

    name: str
    since: Version
    start: int
    end: int
    plainer: bytes | None = None


def newer_than(text: str, version: Version) -> tuple[Newer, ...]:
    """Return the uses of syntax that `version` does not know, in the order of the text."""
    data = text.encode("utf-8", "surrogatepass")
    tree = parse("python", data)
    found = [use for node in _nodes(tree.root_node) for use in _uses(node, data) if use.since > version]
    found += [use for use in _lazy_imports(data) if use.since > version]
    return tuple(sorted(found, key=lambda use: use.start))


def in_older_words(text: str, uses: tuple[Newer, ...]) -> str:
    """Return the text with the newer syntax taken out: the same lines, to see whether the rest of it is sound."""
    data = text.encode("utf-8", "surrogatepass")
    for use in reversed(uses):
        if use.plainer is not None:
            data = data[: use.start] + use.plainer + data[use.end :]
    return data.decode("utf-8", "surrogatepass")


def line_and_column(text: str, use: Newer) -> tuple[int, int]:
    """Return the 1-based line and column of a use."""
    before = text.encode("utf-8", "surrogatepass")[: use.start].decode("utf-8", "surrogatepass")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _nodes(root: "Node") -> Iterator["Node"]:
    """Outer nodes first; what stands inside of an f-string that is taken out as a whole is not looked at again."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if node.type != "string":
            stack.extend(reversed(node.children))


def _uses(node: "Node", data: bytes) -> Iterator[Newer]:  # one arm a kind of syntax
    match node.type:
        case "match_statement":
            yield Newer("a `match` statement", (3, 10), node.start_byte, node.end_byte)
        case "named_expression":
            yield Newer("`:=`", (3, 8), node.start_byte, node.end_byte)
        case "positional_separator":
            yield Newer("positional-only parameters", (3, 8), node.start_byte, node.end_byte)
        case "type_alias_statement":
            yield from _type_alias(node, data)
        case "function_definition" | "class_definition":
            yield from _type_parameters(node, data)
        case "except_clause":
            yield from _except(node, data)
        case "string":
            yield from _string(node, data)
        case "list_comprehension" | "set_comprehension" | "generator_expression" | "dictionary_comprehension":
            yield from _unpacking(node, data)


def _type_alias(node: "Node", data: bytes) -> Iterator[Newer]:
    """`type X[T] = int` is `X = int` in older words."""
    left = node.child_by_field_name("left")
    name = re.match(rb"[^\W\d]\w*", left.text or b"") if left is not None else None
    if left is None or name is None or b"\n" in data[node.start_byte : left.end_byte]:
        return
    plainer = name[0].ljust(left.end_byte - node.start_byte)
    yield Newer("a `type` statement", (3, 12), node.start_byte, left.end_byte, plainer)


def _type_parameters(node: "Node", data: bytes) -> Iterator[Newer]:
    part = node.child_by_field_name("type_parameters")
    if part is None:
        return
    inside = data[part.start_byte : part.end_byte]
    since: Version = (3, 13) if re.search(rb"[^=!<>:]=[^=]", inside) else (3, 12)
    yield Newer("type parameters", since, part.start_byte, part.end_byte, _blank(inside, b"\\\n"))


def _except(node: "Node", data: bytes) -> Iterator[Newer]:
    word = node.children[0]
    star = re.compile(rb"\s*\*").match(data, word.end_byte)
    if star:
        yield Newer("`except*`", (3, 11), word.start_byte, star.end(), b"except".ljust(star.end() - word.start_byte))
    values = node.children_by_field_name("value")
    if (
        len(values) > 1
        and not data.startswith(b"(", values[0].start_byte)
        and b" as " not in data[values[0].start_byte : values[-1].end_byte]
    ):
        start, end = values[0].start_byte, values[-1].end_byte
        plainer = _blank(data[start:end]).replace(b" ", b"_", 1)
        yield Newer("`except` with several types and no parentheses", (3, 14), start, end, plainer)


def _string(node: "Node", data: bytes) -> Iterator[Newer]:
    start = node.children[0].text or b"" if node.children else b""
    prefix = start.rstrip(b"'\"").lower()
    if node.has_error or (b"f" not in prefix and b"t" not in prefix):
        return
    plainer = _empty(data[node.start_byte : node.end_byte])
    if b"t" in prefix:
        yield Newer("a t-string", (3, 14), node.start_byte, node.end_byte, plainer)
        return
    quote = start[len(prefix) :]
    for part in node.children:
        inside = part.text or b""
        if part.type != "interpolation":
            continue
        if quote in inside or b"\\" in inside or b"#" in inside or (len(quote) == 1 and b"\n" in inside):
            yield Newer(
                "an f-string with quotes, backslashes or comments inside of braces",
                (3, 12),
                node.start_byte,
                node.end_byte,
                plainer,
            )
            return


def _unpacking(node: "Node", data: bytes) -> Iterator[Newer]:
    body = node.child_by_field_name("body")
    if body is not None and body.type in {"list_splat", "dictionary_splat"}:
        inside = data[body.start_byte : body.end_byte]
        stars = len(inside) - len(inside.lstrip(b"*"))
        plainer = b"0:" + b" " + inside[2:] if stars == 2 else b" " + inside[1:]
        if len(plainer) == len(inside):
            yield Newer("unpacking in a comprehension", (3, 15), body.start_byte, body.end_byte, plainer)


def _lazy_imports(data: bytes) -> Iterator[Newer]:
    for found in re.finditer(rb"^[ \t]*(lazy )(?=(?:import|from)\b)", data, re.MULTILINE):
        # The white space goes in front of the word, so that the import stays where it was, but for its indent.
        start, end = found.span(1)
        word = re.compile(rb"import|from").match(data, end)
        if word:
            yield Newer("a lazy import", (3, 15), start, word.end(), word[0].ljust(word.end() - start))


def _blank(data: bytes, line_end: bytes = b"\n") -> bytes:
    """Return as many blanks, with the lines kept; in front of a line end stands what joins the lines, if asked for."""
    joined = line_end[:-1]
    blank = re.sub(rb"[^\n]", b" ", data)
    return re.sub(rb" \n", joined + b"\n", blank) if joined else blank


def _empty(data: bytes) -> bytes:
    """Return a string without content that takes as much room."""
    if b"\n" not in data:
        return b'"' + b" " * (len(data) - 2) + b'"'
    return (
        b'"""' + _blank(data[3:-3]) + b'"""'
        if len(data) >= 6 and data[:3].count(b"\n") == data[-3:].count(b"\n") == 0
        else data
    )
