"""The tree of a JavaScript or TypeScript text, also where the grammar misreads it."""

import re
from typing import TYPE_CHECKING

from verify_lsp.syntax.languages import Language
from verify_lsp.syntax.trees import parse

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

_MAYBE = re.compile(rb"[\w$)\]}\"'`]!(?!=[^=])")
_OPERANDS = frozenset(
    {
        "binary_expression",
        "unary_expression",
        "await_expression",
        "ternary_expression",
        "as_expression",
        "satisfies_expression",
        "assignment_expression",
        "augmented_assignment_expression",
        "yield_expression",
        "arrow_function",
        "type_assertion",
    }
)
_ROUNDS = 8


def read(language: Language, data: bytes) -> "Tree":
    """Return the tree of a text; all places are those in `data`.

    The grammar reads `a - b!.c` as `(a - b)!.c`. That sign means nothing when a program runs, so that a space stands for it.
    """
    tree = parse(language, data)
    if language == "javascript" or not _MAYBE.search(data):
        return tree
    for _ in range(_ROUNDS):
        signs = _misread(tree.root_node)
        if not signs:
            break
        changed = bytearray(data)
        for sign in signs:
            changed[sign] = ord(" ")
        data = bytes(changed)
        tree = parse(language, data)
    return tree


def _misread(root: "Node") -> list[int]:
    """Return the offsets of the signs that were given a whole operation where they follow its last operand."""
    signs, waiting = list[int](), [root]
    while waiting:
        node = waiting.pop()
        if node.type == "non_null_expression" and node.children[0].type in _OPERANDS:
            signs.append(node.children[-1].start_byte)
        waiting += node.named_children
    return signs
