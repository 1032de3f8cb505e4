"""Every mutant that a Python text has room for on some of its lines."""

import hashlib
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

import attrs

from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.python.arid import is_arid, is_type_checking_block
from verify_lsp.mutation.python.operators import Fault, faults, text_of
from verify_lsp.syntax.trees import parse

if TYPE_CHECKING:
    from tree_sitter import Node

_SCOPES = frozenset({"function_definition", "class_definition", "lambda"})


def mutants_of(path: str, text: str, lines: Collection[int]) -> tuple[Mutant, ...]:
    """Return the mutants of `text` that begin on one of `lines` (1-based), in the order of the text.

    A text with a lone carriage return has none: Python and git do not agree on where its lines end.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if "\r" in text or "\f" in text:
        return ()
    wanted = frozenset(lines)
    rows = text.split("\n")
    root = parse("python", text.encode()).root_node
    found = (_mutant(root, path, rows, fault, where) for fault, where in _walk(root, wanted))
    return tuple(sorted(found, key=lambda mutant: (mutant.line, mutant.column)))


@attrs.frozen
class _Where:
    """What a node stands in. `names` are those of the classes and functions around it, `function` the outermost."""

    names: tuple[str, ...] = ()
    at_import: bool = True
    function: "Node | None" = None


def _walk(root: "Node", wanted: frozenset[int]) -> Iterator[tuple[Fault, _Where]]:
    """Visit every node, without recursion: texts that programs wrote are nested deeply."""
    waiting: list[tuple[Node, _Where]] = [(root, _Where())]
    while waiting:
        node, where = waiting.pop()
        first, last = node.start_point.row + 1, node.end_point.row + 1
        if is_arid(node, at_import=where.at_import) or not _touches(wanted, first, last):
            continue
        for fault in faults(node):
            if fault.node.start_point.row + 1 in wanted and not _is_left_alone(node, fault, where):
                yield fault, where
        waiting.extend((child, _where_below(node, child, where)) for child in _worth_visiting(node))


def _is_left_alone(node: "Node", fault: Fault, where: _Where) -> bool:
    """A fault may be put into a node below, or may ask what only a type checker asks."""
    if node.type == "if_statement" and is_type_checking_block(node):
        return True
    return fault.node != node and is_arid(fault.node, at_import=where.at_import)


def _touches(wanted: frozenset[int], first: int, last: int) -> bool:
    return (
        any(first <= line <= last for line in wanted)
        if last - first > 8
        else any(line in wanted for line in range(first, last + 1))
    )


def _worth_visiting(node: "Node") -> list["Node"]:
    if node.type == "string":
        return []
    if node.type == "if_statement" and is_type_checking_block(node):
        return node.children_by_field_name("alternative")
    if node.type == "assert_statement":
        return node.named_children[:1]
    return node.named_children


def _where_below(node: "Node", child: "Node", where: _Where) -> _Where:
    """Defaults of parameters belong to what is around a function, its body to the function."""
    if node.type not in _SCOPES:
        return where
    is_body = child == node.child_by_field_name("body")
    name = text_of(node.child_by_field_name("name"))
    names = (*where.names, name) if name else where.names
    if node.type == "class_definition":
        return attrs.evolve(where, names=names) if is_body else where
    return _Where(names, at_import=where.at_import and not is_body, function=where.function or node)


def _mutant(root: "Node", path: str, rows: list[str], fault: Fault, where: _Where) -> Mutant:
    start, end = fault.node.start_point, fault.node.end_point
    return Mutant(
        path=path,
        line=start.row + 1,
        column=_code_points(rows[start.row], start.column) + 1,
        end_line=end.row + 1,
        end_column=_code_points(rows[end.row], end.column) + 1,
        operator=fault.operator,
        original=text_of(fault.node),
        replacement=_kept_apart(
            rows[start.row].encode()[: start.column], fault.replacement, rows[end.row].encode()[end.column :]
        ),
        function=".".join(where.names),
        at_import=where.at_import,
        scope=_scope(fault.node, where.function or root),
    )


def _scope(node: "Node", function: "Node") -> str:
    place = f"{node.start_byte - function.start_byte}-{node.end_byte - function.start_byte}"
    return f"{hashlib.sha256(function.text or b'').hexdigest()[:32]}:{place}"


def _kept_apart(before: bytes, replacement: str, after: bytes) -> str:
    """`return(x)` is Python, `returnNone` is not."""
    ahead = " " if before[-1:].isalnum() and replacement[:1].isalnum() else ""
    behind = " " if after[:1].isalpha() and replacement[-1:].isalnum() else ""
    return ahead + replacement + behind


def _code_points(row: str, byte_column: int) -> int:
    return len(row.encode()[:byte_column].decode("utf-8", "ignore"))
