"""Reads Go texts with mutants built in as the compiled program would."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.go.candidates import mutants_of
from verify_lsp.syntax.trees import parse

if TYPE_CHECKING:
    from tree_sitter import Node

_ASKED = re.compile(rb"zzVerifyLsp\.On\((\d+)\)")


def all_mutants(text: str) -> tuple[Mutant, ...]:
    """Return every mutant of a text."""
    return mutants_of("a.go", text, range(1, text.count("\n") + 2))


def numbered(text: str) -> Mapping[int, Mutant]:
    """Return every mutant of a text, by number from 1."""
    return dict(enumerate(all_mutants(text), 1))


def tokens(text: str) -> list[str]:
    """Return what a compiler reads of a text, without what only ends a line."""
    waiting, found = [parse("go", text.encode()).root_node], []
    while waiting:
        node = waiting.pop()
        if node.type == "comment":
            continue
        if node.child_count == 0 and node.text is not None:
            found.append(node.text.decode())
        waiting.extend(reversed(node.children))
    return [token for token in found if token.strip() not in {"", ";"}]


def is_go(text: str) -> bool:
    return not parse("go", text.encode()).root_node.has_error


def chosen(text: str, on: int = 0) -> str:
    """Return the text that a program runs with one mutant on, or none."""
    data = text.encode()
    while b"zzVerifyLsp" in data:
        node = _switch(parse("go", data).root_node)
        assert node is not None, data
        found = _ASKED.search(node.text or b"")
        assert found is not None
        mutated, original = _forms(node)
        data = data[: node.start_byte] + (mutated if int(found[1]) == on else original) + data[node.end_byte :]
    return data.decode()


def _switch(root: "Node") -> "Node | None":
    """Return the first outermost switch."""
    waiting = [root]
    while waiting:
        node = waiting.pop(0)
        text = node.text or b""
        if node.type == "if_statement" and re.match(rb"if !zzVerifyLsp\.On\(\d+\) \{", text):
            return node
        if node.type == "parenthesized_expression" and re.match(rb"\(zzVerifyLsp\.On\(\d+\) == true && \(", text):
            return node
        waiting.extend(node.named_children)
    return None


def _forms(node: "Node") -> tuple[bytes, bytes]:
    if node.type == "if_statement":
        original, mutated = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        return _within(mutated), _within(original)
    either = node.named_children[0]
    left, right = either.child_by_field_name("left"), either.child_by_field_name("right")
    assert left is not None
    assert right is not None
    return _within(left.child_by_field_name("right")), _within(right.child_by_field_name("right"))


def _within(node: "Node | None") -> bytes:
    assert node is not None
    return (node.text or b"")[1:-1]
