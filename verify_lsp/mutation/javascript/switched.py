"""A JavaScript or TypeScript text with mutants in it, each behind a switch that the environment decides.

`a < b` becomes `(__verifyLspOn(3) ? (a <= b) : (a < b))`: an expression can choose wherever one may stand, and what jumps
or throws is a statement that chooses between two. Lines stay where they are as far as the language allows.
"""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.javascript.head import headed
from verify_lsp.mutation.javascript.nodes import PRECEDENCE, operator_of
from verify_lsp.mutation.javascript.reading import read
from verify_lsp.mutation.switched import Choice, Switched, compose, span_of
from verify_lsp.syntax.languages import language_of

if TYPE_CHECKING:
    from tree_sitter import Node

_Write = Callable[[bytes, bytes], bytes]
_JUMPS = frozenset({"break_statement", "continue_statement"})
_OPERATIONS = frozenset({"binary_expression", "augmented_assignment_expression"})
_BY_LINES = frozenset(
    {"comment", "statement_block", "class_body", "jsx_element", "jsx_fragment", "string", "template_string"}
)
"""Where a line feed means something, or may."""


def switched(text: str, mutants: Mapping[int, Mutant]) -> Switched:
    """Return the text with these mutants built in, all off.

    Args:
        text: Its lines end at line feeds.
        mutants: Of this text, by number.
    """
    language = language_of(next(iter(mutants.values())).path) if mutants else None
    if language is None:
        return Switched(text, {}, frozenset(mutants))
    root = read(language, text.encode()).root_node
    typed = language != "javascript"
    found = {number: _choice(root, number, text, mutant, typed=typed) for number, mutant in mutants.items()}
    choices = {number: choice for number, choice in found.items() if choice is not None}
    written, rows = compose(text, choices.values(), mutants)
    begins = min((choice.start for choice in choices.values()), default=0)
    whole, shift = headed(root, written, begins, checked=typed)
    return Switched(
        whole,
        {number: (first + shift, last + shift) for number, (first, last) in rows.items()},
        frozenset(mutants.keys() - choices.keys()),
    )


def _choice(root: "Node", number: int, text: str, mutant: Mutant, *, typed: bool) -> Choice | None:
    """Return the choice for a mutant; None where the program cannot choose between it and the original."""
    start, end = span_of(text, mutant)
    node = root.descendant_for_byte_range(start, end)
    if node is None or node.parent is None or (node.start_byte, node.end_byte) != (start, end):
        return None
    above = node.parent
    statement = above if above.type in _JUMPS else node
    if statement.type in _BETWEEN:
        return Choice(number, statement.start_byte, statement.end_byte, _BETWEEN[statement.type](number))
    if not node.is_named and above.type not in _OPERATIONS:
        return None
    piece = node if node.is_named else _operation(above, mutant.replacement.strip())
    whole = _begun(piece)
    if whole is not None:
        return Choice(
            number, whole.start_byte, whole.end_byte, _between_expressions(number, whole, typed=typed, alone=True)
        )
    if mutant.operator == "condition":
        return Choice(number, start, end, _turned(number))
    return Choice(number, piece.start_byte, piece.end_byte, _between_expressions(number, piece, typed=typed))


def _operation(node: "Node", replacement: str) -> "Node":
    """Return the lowest expression that a swapped operator changes nothing around: `a && b || c` as a whole."""
    same = PRECEDENCE.get(operator_of(node)) == PRECEDENCE.get(replacement)
    while not same and (above := node.parent) is not None and above.type == "binary_expression":
        node = above
    return node


def _begun(piece: "Node") -> "Node | None":
    """Return the whole expression where the piece begins a statement, which must not begin with a parenthesis then.

    Without a semicolon above it, `(a || b)` would be the arguments of a call.
    """
    above = piece.parent
    while above is not None and above.start_byte == piece.start_byte and above.type != "expression_statement":
        piece, above = above, above.parent
    begins = above is not None and above.type == "expression_statement" and above.start_byte == piece.start_byte
    return piece if begins else None


def _turned(number: int) -> _Write:
    """A condition, of which only the truth matters, is asked once."""
    return lambda _mutated, original: b"(__verifyLspOn(%d) !== !!(%b))" % (number, original)


def _between_expressions(number: int, piece: "Node", *, typed: bool, alone: bool = False) -> _Write:
    """To TypeScript the mutant's form is of no type of its own, so that the choice is of the original's."""
    joined = piece.start_point.row != piece.end_point.row and _can_be_joined(piece)
    form = b"__verifyLspOn(%d) ? (%b)" + (b" as never" if typed else b"") + b" : (%b)"
    form = form if alone else b"(" + form + b")"

    def write(mutated: bytes, original: bytes) -> bytes:
        return form % (number, _ROWS.sub(b" ", mutated) if joined else mutated, original)

    return write


def _between_statements(number: int) -> _Write:
    return lambda mutated, original: b"if (__verifyLspOn(%d)) { %b } else { %b }" % (number, mutated, original)


def _between_blocks(number: int) -> _Write:
    """A body must have braces of its own."""
    between = _between_statements(number)
    return lambda mutated, original: b"{ %b }" % between(mutated, original)


_BETWEEN: Mapping[str, Callable[[int], _Write]] = {
    **dict.fromkeys((*_JUMPS, "throw_statement"), _between_statements),
    "statement_block": _between_blocks,
}


_ROWS = re.compile(rb"\s*\n\s*")


def _can_be_joined(piece: "Node") -> bool:
    """Say whether all of it could stand on one line, so that a second form of it takes no lines of its own."""
    waiting = [piece]
    while waiting:
        node = waiting.pop()
        if node.type in _BY_LINES and (node.type == "comment" or node.start_point.row != node.end_point.row):
            return False
        waiting += node.named_children
    return True
