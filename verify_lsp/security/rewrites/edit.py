"""Edits in bytes, and the ones that take an argument out of a call or put one in."""

from typing import TYPE_CHECKING

import attrs

from verify_lsp.security.code.sites import Code

if TYPE_CHECKING:
    from tree_sitter import Node


@attrs.frozen
class Edit:
    """Replaces what stands from `start` to `end`, in bytes."""

    start: int
    end: int
    new_text: str


@attrs.frozen
class Mended:
    """What a rewrite does. `title` is in the imperative."""

    title: str
    edits: tuple[Edit, ...]


def without_item(code: Code, item: "Node") -> Edit:
    """Return the edit that takes an item and one comma out of a list; comments stay, an emptied line goes."""
    data = code.source.data
    start, end = item.start_byte, item.end_byte
    following, preceding = item.next_sibling, item.prev_sibling
    if following is not None and following.type == ",":
        end = following.end_byte
        begins_line = not data[code.source.starts[code.source.line_of(start) - 1] : start].strip()
        while data[end : end + 1] in {b" ", b"\t"} and (begins_line or not _rest_is_comment(data, end)):
            end += 1
    elif preceding is not None and preceding.type == ",":
        start = preceding.start_byte
    return _with_its_line(code, start, end)


def _rest_is_comment(data: bytes, at: int) -> bool:
    return data[at : at + 200].lstrip(b" \t")[:2] in {b"//", b"/*"} or data[at : at + 200].lstrip(b" \t")[:1] == b"#"


def _with_its_line(code: Code, start: int, end: int) -> Edit:
    first, last = code.source.line_of(start), code.source.line_of(end)
    line_start = code.source.starts[first - 1]
    line_end = code.source.starts[last] if last < len(code.source.starts) else len(code.source.data)
    before, after = code.source.data[line_start:start], code.source.data[end:line_end]
    if not before.strip() and not after.strip() and first > 1:
        return Edit(line_start, line_end, "")
    return Edit(start, end, "")


def with_argument(code: Code, call: "Node", argument: str) -> Edit | None:
    """Return the edit that puts one more argument at the end of a call, in the way the call is written."""
    arguments = call.child_by_field_name("arguments")
    if arguments is None or arguments.type != "argument_list":
        return None
    given = [child for child in arguments.named_children if child.type != "comment"]
    if not given:
        return Edit(arguments.start_byte + 1, arguments.start_byte + 1, argument)
    last = given[-1]
    if last.type == "generator_expression" or any(child.type == "dictionary_splat" for child in given):
        return None
    at = last.end_byte
    following = last.next_sibling
    if following is None or following.type != ",":
        return Edit(at, at, f", {argument}")
    own_line = not code.source.data[
        code.source.starts[code.source.line_of(last.start_byte) - 1] : last.start_byte
    ].strip()
    if not own_line:
        return Edit(at, at, f", {argument}")
    indent_start = code.source.starts[code.source.line_of(last.start_byte) - 1]
    indent = code.source.slice(indent_start, last.start_byte)
    line_end = "\r\n" if b"\r\n" in code.source.data[indent_start - 2 : indent_start] else "\n"
    return (
        Edit(last.start_byte, last.start_byte, f"{argument},{line_end}{indent}")
        if _is_keyword(last)
        else Edit(at, at, f", {argument}")
    )


def _is_keyword(node: "Node") -> bool:
    return node.type == "keyword_argument"
