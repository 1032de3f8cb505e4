"""Every mutant that a text has room for on some of its lines, by the rules of its language."""

import hashlib
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

import attrs

from verify_lsp.model.mutant import Mutant, counted_text
from verify_lsp.mutation.faults import WHOLE, Fault
from verify_lsp.syntax.languages import Language
from verify_lsp.syntax.trees import parse

if TYPE_CHECKING:
    from tree_sitter import Node, Point, Tree


@attrs.frozen
class Where:
    """What a node stands in. `names` are those of the classes and functions around it, `function` the outermost."""

    names: tuple[str, ...] = ()
    at_import: bool = True
    function: "Node | None" = None


@attrs.frozen
class Grammar:
    """What mutants are made of in one language.

    Attributes:
        faults: The faults that can be put in at a node itself, or in a token of its own, not below it.
        is_arid: Whether a fault at this node or below it would tell nothing about the tests.
        worth_visiting: The nodes right below one that may hold faults.
        where_below: What a child of a node stands in, by what the node stands in.
        read: Parses a text, for a language whose grammar needs help; places in the tree are those in the text.
    """

    language: Language
    faults: "Callable[[Node], Iterator[Fault]]"
    is_arid: "Callable[[Node, Where], bool]"
    worth_visiting: "Callable[[Node], list[Node]]"
    where_below: "Callable[[Node, Node, Where], Where]"
    read: "Callable[[Language, bytes], Tree]" = parse


def mutants_by(grammar: Grammar, path: str, text: str, lines: Collection[int]) -> tuple[Mutant, ...]:
    """Return the mutants of `text` that begin on one of `lines` (1-based), in the order of the text.

    A text with a lone carriage return has none: a language and git need not agree on where its lines end.
    """
    text = counted_text(text)
    if "\r" in text or "\f" in text:
        return ()
    wanted = frozenset(lines)
    rows = text.split("\n")
    root = grammar.read(grammar.language, text.encode()).root_node
    found = (_mutant(root, path, rows, fault, where) for fault, where in _walk(grammar, root, wanted))
    return tuple(
        _smallest(sorted(found, key=lambda mutant: (mutant.line, mutant.column, mutant.operator not in WHOLE)))
    )


def _smallest(mutants: list[Mutant]) -> Iterator[Mutant]:
    """Return the mutants without those of blocks that hold another."""
    for at, mutant in enumerate(mutants):
        following = mutants[at + 1] if at + 1 < len(mutants) else None
        if mutant.operator not in WHOLE or following is None or not _is_before_end(following, mutant):
            yield mutant


def _is_before_end(one: Mutant, block: Mutant) -> bool:
    return (one.line, one.column) < (block.end_line, block.end_column)


def _walk(grammar: Grammar, root: "Node", wanted: frozenset[int]) -> Iterator[tuple[Fault, Where]]:
    """Visit every node, without recursion: texts that programs wrote are nested deeply."""
    waiting: list[tuple[Node, Where]] = [(root, Where())]
    while waiting:
        node, where = waiting.pop()
        first, last = node.start_point.row + 1, node.end_point.row + 1
        if grammar.is_arid(node, where) or not _touches(wanted, first, last):
            continue
        for fault in grammar.faults(node):
            if fault.node.start_point.row + 1 in wanted and not (
                fault.node != node and grammar.is_arid(fault.node, where)
            ):
                yield fault, where
        waiting.extend((child, grammar.where_below(node, child, where)) for child in grammar.worth_visiting(node))


def _touches(wanted: frozenset[int], first: int, last: int) -> bool:
    return (
        any(first <= line <= last for line in wanted)
        if last - first > 8
        else any(line in wanted for line in range(first, last + 1))
    )


def _mutant(root: "Node", path: str, rows: list[str], fault: Fault, where: Where) -> Mutant:
    start, end = fault.node.start_point, fault.node.end_point
    return Mutant(
        path=path,
        line=start.row + 1,
        column=_code_points(rows[start.row], start.column) + 1,
        end_line=end.row + 1,
        end_column=_code_points(rows[end.row], end.column) + 1,
        operator=fault.operator,
        original=_between(rows, start, end),
        replacement=_kept_apart(
            rows[start.row].encode()[: start.column], fault.replacement, rows[end.row].encode()[end.column :]
        ),
        function=".".join(where.names),
        at_import=where.at_import,
        scope=_scope(fault.node, where.function or root),
    )


def _between(rows: list[str], start: "Point", end: "Point") -> str:
    text = "\n".join(rows[start.row : end.row + 1]).encode()
    behind = len(rows[end.row].encode()) - end.column
    return text[start.column : len(text) - behind].decode("utf-8", "replace")


def _scope(node: "Node", function: "Node") -> str:
    place = f"{node.start_byte - function.start_byte}-{node.end_byte - function.start_byte}"
    return f"{hashlib.sha256(function.text or b'').hexdigest()[:32]}:{place}"


def _kept_apart(before: bytes, replacement: str, after: bytes) -> str:
    """`return(x)` is Python, `returnNone` is not."""
    ahead = " " if _in_word(before[-1:]) and _in_word(replacement[:1].encode()) else ""
    behind = " " if _in_word(after[:1]) and _in_word(replacement[-1:].encode()) else ""
    return ahead + replacement + behind


def _in_word(character: bytes) -> bool:
    return character.isalnum() or character in {b"_", b"$"} or character >= b"\x80"


def _code_points(row: str, byte_column: int) -> int:
    return len(row.encode()[:byte_column].decode("utf-8", "ignore"))
