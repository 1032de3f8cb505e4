"""Go texts with mutants in them, each behind a switch.

Types are not known here, so that nothing is chosen whose type would have to be written: a condition becomes
`(on == true && (M) || off == true && (O))`, whose type is that of its parts, and everything else an `if` of two statements. What
declares names takes the rest of its block with it.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.faults import text_of
from verify_lsp.mutation.go.operators import BOOLEAN
from verify_lsp.mutation.switched import Choice, Switched, compose, span_of
from verify_lsp.syntax.trees import parse

if TYPE_CHECKING:
    from tree_sitter import Node

_BOM = b"\xef\xbb\xbf"
_DECLARE = frozenset({"short_var_declaration", "var_declaration", "const_declaration", "type_declaration"})
_NOT_TWICE = frozenset({"labeled_statement", "goto_statement"})
_OF_STATEMENTS = frozenset({"call", "return", "loop", "branch"})


def switched(text: str, mutants: Mapping[int, Mutant]) -> Switched:
    """Return the text, whose lines end at line feeds, with these mutants built in; all are off."""
    data = text.encode()
    ahead = len(_BOM) if data.startswith(_BOM) else 0
    root = parse("go", data[ahead:]).root_node
    choices: list[Choice] = []
    for number, mutant in mutants.items():
        start, end = span_of(text, mutant)
        node = root.descendant_for_byte_range(start - ahead, end - ahead)
        found = _choice(number, node, mutant, ahead) if node is not None else None
        if found is not None:
            choices.append(found)
    inside = {choice.number for choice in choices}
    written, rows = compose(text, choices, {number: mutants[number] for number in inside})
    return Switched(written, rows, frozenset(mutants) - inside)


def spoiled(text: str) -> str:
    """Return the text of a file that ends each program which it is part of as soon as it starts."""
    return text + '\nfunc init() { panic("an error on purpose") }\n'


def _choice(number: int, node: "Node", mutant: Mutant, ahead: int) -> Choice | None:
    decided = None if mutant.operator in _OF_STATEMENTS else _decision(node)
    if decided is not None:
        return Choice(number, decided.start_byte + ahead, decided.end_byte + ahead, _either(number))
    region = _region(node)
    if region is None:
        return None
    first, last = region
    return Choice(number, first.start_byte + ahead, last.end_byte + ahead, _one_of_two(number))


def _either(number: int) -> Callable[[bytes, bytes], bytes]:
    def write(mutated: bytes, original: bytes) -> bytes:
        form = b"(zzVerifyLsp.On(%d) == true && (%b) || zzVerifyLsp.Off(%d) == true && (%b))"
        return form % (number, _on_one_line(mutated), number, original)

    return write


def _one_of_two(number: int) -> Callable[[bytes, bytes], bytes]:
    """The original comes first, so that its lines stay where they are."""

    def write(mutated: bytes, original: bytes) -> bytes:
        return b"if !zzVerifyLsp.On(%d) { %b } else { %b }" % (number, original, mutated)

    return write


def _on_one_line(text: bytes) -> bytes:
    """Join the lines of an expression, where none of them is a statement, a comment or part of a literal."""
    if b"\n" not in text or any(mark in text for mark in (b"//", b"/*", b"`", b"{")):
        return text
    return b" ".join(text.split())


def _decision(node: "Node") -> "Node | None":
    """Return the lowest expression around a node that is true or false by its form or its place."""
    at: Node | None = node
    while at is not None and not _is_statement(at):
        if at.is_named and (_decides(at) or _is_condition(at)):
            return at
        at = at.parent
    return None


def _is_statement(node: "Node") -> bool:
    return node.type.endswith(("_statement", "_declaration", "_clause", "_case", "_spec")) or node.type in {
        "block",
        "statement_list",
        "func_literal",
        "source_file",
    }


def _decides(node: "Node") -> bool:
    operator = text_of(node.child_by_field_name("operator"))
    if node.type == "binary_expression":
        return operator in BOOLEAN
    return node.type in {"true", "false"} or (node.type == "unary_expression" and operator == "!")


def _is_condition(node: "Node") -> bool:
    around = node.parent
    if around is None:
        return False
    if around.type == "for_statement":
        return not _is_statement(node) and node.type != "comment"
    return around.type in {"if_statement", "for_clause"} and node == around.child_by_field_name("condition")


def _region(node: "Node") -> "tuple[Node, Node] | None":
    """Return the first and last statement of what can stand in two branches; None where Go does not let it."""
    at = node
    while at.parent is not None and at.parent.type != "statement_list":
        at = at.parent
    block = at.parent
    if block is None:
        return None
    statements = [child for child in block.named_children if child.type != "comment"]
    taken = statements[statements.index(at) :] if at.type in _DECLARE else [at]
    if any(each.type == "fallthrough_statement" or _holds(each, _NOT_TWICE) for each in taken):
        return None
    return taken[0], taken[-1]


def _holds(node: "Node", kinds: frozenset[str]) -> bool:
    waiting = [node]
    while waiting:
        at = waiting.pop()
        if at.type in kinds:
            return True
        waiting.extend(at.named_children)
    return False
