"""Go texts that use the switch package: it is imported, and each test says when it begins and ends."""

import re
from typing import TYPE_CHECKING

from verify_lsp.syntax.trees import parse
from verify_lsp.toolchains.go.switch_package import ALIAS

if TYPE_CHECKING:
    from tree_sitter import Node

_NAME = re.compile(r"(?P<kind>Test|Fuzz|Example)(?![a-z])\w*")
_TAKES = {"Test": "T", "Fuzz": "F"}

_Edits = list[tuple[int, bytes]]


def importing(text: str, package: str) -> str:
    """Return a text that imports the switch package, by its import path, where it mentions it; no line moves."""
    if ALIAS not in text:
        return text
    data = text.encode()
    ahead = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    return _edited(data, [(at + ahead, piece) for at, piece in _imported(parse("go", data[ahead:]).root_node, package)])


def noting(text: str, package: str) -> str | None:
    """Return the text of a test file whose tests note when they begin and end; None for one without tests.

    A file that cannot be parsed is one without: what it reaches counts for all tests of its package.
    """
    data = text.encode()
    ahead = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    root = parse("go", data[ahead:]).root_node
    marks = [edit for node in root.named_children if node.type == "function_declaration" for edit in _marked(node)]
    if not marks or root.has_error:
        return None
    return _edited(data, [(at + ahead, piece) for at, piece in [*_imported(root, package), *marks]])


def _imported(root: "Node", package: str) -> _Edits:
    clause = next((node for node in root.named_children if node.type == "package_clause"), None)
    return [] if clause is None else [(clause.end_byte, f'; import {ALIAS} "{package}"'.encode())]


def _marked(function: "Node") -> _Edits:
    name, body = _text(function.child_by_field_name("name")), function.child_by_field_name("body")
    found = _NAME.fullmatch(name)
    parameters = function.child_by_field_name("parameters")
    if found is None or body is None or parameters is None or function.child_by_field_name("type_parameters"):
        return []
    inside = body.start_byte + 1
    if found["kind"] == "Example":
        takes_nothing = parameters.named_child_count == 0 and function.child_by_field_name("result") is None
        return [(inside, f' defer {ALIAS}.Example("{name}")();'.encode())] if takes_nothing else []
    kind = parameters.named_children[0].child_by_field_name("type") if parameters.named_child_count == 1 else None
    if kind is None or not re.fullmatch(rf"\*(?:\w+\.)?{_TAKES[found['kind']]}", _text(kind)):
        return []
    given = parameters.named_children[0].child_by_field_name("name")
    called = _text(given)
    if given is not None and called != "_":
        return [(inside, f" {ALIAS}.Test({called});".encode())]
    naming = (kind.start_byte, b"zzT ") if given is None else (given.end_byte, b"zzT")
    # A blank name becomes "_zzT", which is a name as well.
    return [naming, (inside, f" {ALIAS}.Test({'zzT' if given is None else '_zzT'});".encode())]


def _edited(data: bytes, edits: _Edits) -> str:
    for at, piece in sorted(edits, reverse=True):
        data = data[:at] + piece + data[at:]
    return data.decode()


def _text(node: "Node | None") -> str:
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")
