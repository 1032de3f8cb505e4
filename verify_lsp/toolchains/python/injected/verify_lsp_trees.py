"""Comparing two syntax trees, and finding out where a program can choose between them.

Everything here must work with Python 3.8.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
STATEMENT_LISTS = ("body", "orelse", "finalbody")
TEMPLATES = ("JoinedStr", "TemplateStr")

Path = Any  # A tuple of (field name, index in the field's list or None), from a node to one below it.


def children(node: Any) -> Iterator[tuple[str, Any, Any]]:
    """Return `(field, index, child)` of each node right below."""
    for field, value in ast.iter_fields(node):
        if isinstance(value, list):
            for index, child in enumerate(value):
                if isinstance(child, ast.AST):
                    yield field, index, child
        elif isinstance(value, ast.AST):
            yield field, None, value


def difference(one: Any, other: Any) -> Path | None:
    """Return the path to the lowest node that holds all that differs, positions apart; None where nothing does."""
    if type(one) is not type(other):
        return ()
    found: list[Any] = []
    for field in one._fields:
        mine, theirs = getattr(one, field, None), getattr(other, field, None)
        if isinstance(mine, list) and isinstance(theirs, list):
            if len(mine) != len(theirs):
                return ()
            pairs: list[Any] = [(index, left, theirs[index]) for index, left in enumerate(mine)]
        else:
            pairs = [(None, mine, theirs)]
        for index, left, right in pairs:
            if isinstance(left, ast.AST) and isinstance(right, ast.AST):
                inner = difference(left, right)
                if inner is not None:
                    found.append(((field, index), *inner))
            elif type(left) is not type(right) or left != right or repr(left) != repr(right):
                return ()
    if not found:
        return None
    return found[0] if len(found) == 1 else ()


def lifted(one: Any, other: Any, path: Path) -> tuple[Any, Any]:
    """Return the lowest pair of nodes on the path at which the program can choose between them."""
    best = (one, other)
    fits = True
    for field, index in path:
        above = one
        one, other = _get(one, field, index), _get(other, field, index)
        fits = _may_hold_choice(above, field, one, fits)
        if fits and _can_be_chosen(one) and _can_be_chosen(other) and type(above).__name__ not in TEMPLATES:
            best = (one, other)
    return best


def inside_function(chain: list[ast.stmt], statement: ast.stmt, target: Any) -> bool:
    """Say whether `target`, in the last statement of `chain`, runs when a function is called, not when a file is loaded."""
    scope = False
    for around in chain[:-1]:
        scope = _scope_below(around, scope)
    return _scope_at(statement, target, scope)


def _scope_at(node: Any, target: Any, inside: bool) -> bool:  # noqa: FBT001  # carried down the tree
    """A decorator or a default belongs to what is around a function; a class inside of one is a scope of its own."""
    waiting = [(node, inside)]
    while waiting:
        node, inside = waiting.pop()
        if node is target:
            return inside
        for field, _, child in children(node):
            below = inside
            if field == "body" and isinstance(node, FUNCTIONS):
                below = True
            elif field == "body" and isinstance(node, ast.ClassDef):
                below = False
            waiting.append((child, below))
    return False


def _scope_below(statement: ast.stmt, inside: bool) -> bool:  # noqa: FBT001  # carried down the tree
    if isinstance(statement, FUNCTIONS):
        return True
    return False if isinstance(statement, ast.ClassDef) else inside


def remembers(statement: Any) -> bool:
    """Say whether a function is decorated so that it keeps its answers."""
    decorators = " ".join(ast.dump(each).lower() for each in getattr(statement, "decorator_list", []))
    return any(word in decorators for word in ("cache", "memo", "singleton", "once"))


def first_line(statement: Any) -> int:
    """Return the line of a statement's first decorator, or its own."""
    return int(min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", []))]))


def holds(node: Any, start: tuple[int, int], end: tuple[int, int]) -> bool:
    """Say whether a statement reaches from `start` to `end`, each a line and a column in bytes."""
    if isinstance(node, ast.Module):
        return True
    decorated = first_line(node) < node.lineno
    begin = (first_line(node), 0 if decorated else node.col_offset)
    return begin <= start and end <= (node.end_lineno or 0, node.end_col_offset or 0)


def statements_below(node: Any) -> Iterator[ast.stmt]:
    """Return the statements right below a node."""
    for _, _, child in children(node):
        if isinstance(child, ast.stmt):
            yield child
        elif not isinstance(child, ast.expr):
            # Handlers and cases are no statements, but hold some.
            yield from (inner for _, _, inner in children(child) if isinstance(inner, ast.stmt))


def _may_hold_choice(above: Any, field: str, node: Any, fits: bool) -> bool:  # noqa: FBT001  # carried down the tree
    """Some places take only certain nodes: patterns, the pieces of an f-string, annotations."""
    kind = type(above).__name__
    if (kind.startswith("Match") and kind != "Match") or field in (
        "annotation",
        "returns",
        "type_params",
        "format_spec",
    ):
        return False
    return fits or (isinstance(node, ast.stmt) and field in STATEMENT_LISTS)


def _can_be_chosen(node: Any) -> bool:
    if isinstance(node, ast.stmt):
        return True
    if not isinstance(node, ast.expr) or not isinstance(getattr(node, "ctx", None) or ast.Load(), ast.Load):
        return False
    return type(node).__name__ not in ("Starred", "Slice", "FormattedValue", "Interpolation") and not _has_slice(node)


def _has_slice(node: Any) -> bool:
    return isinstance(node, ast.Tuple) and any(isinstance(each, ast.Slice) for each in node.elts)


def _get(node: Any, field: str, index: Any) -> Any:
    value = getattr(node, field)
    return value if index is None else value[index]
