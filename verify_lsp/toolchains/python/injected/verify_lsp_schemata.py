"""Compiles a Python text with many mutants in it, each behind a switch that is off.

With every switch off the program is the text's own; with one of them on it is the program of the text with that
mutant's piece replaced. Everything here must work with Python 3.8 and needs nothing but the standard library.
"""

from __future__ import annotations

import ast
import sys
import warnings
from types import CodeType
from typing import Any

from verify_lsp_trees import (  # type: ignore[import-not-found]  # it stands beside this file at run time
    children,
    difference,
    first_line,
    holds,
    inside_function,
    lifted,
    remembers,
    statements_below,
)

SWITCH = "__verify_lsp_mutants__"
"""The name in `builtins` that is asked, by a mutant's number, whether it is switched on."""

POSITIONS = ("lineno", "col_offset", "end_lineno", "end_col_offset")


class Unfit(Exception):  # noqa: N818  # a mutant that is unfit, not an error
    """Why a mutant cannot be compiled in. `invalid` is true where its text is no Python at all."""

    def __init__(self, reason: str, *, invalid: bool = False) -> None:
        super().__init__(reason)
        self.invalid = invalid


class Schemata:
    """A text with its mutants.

    `unfit` tells of mutants that are not in it, `sticky` of those whose effect lasts: what a function that remembers
    its answers gave to one test, it gives to others that never reach the line.

    Args:
        text: Decoded, with line feeds only.
        mutants: Number to `{line, column, end_line, end_column, replacement}`, 1-based, in code points.
    """

    def __init__(self, text: str, mutants: dict[int, dict[str, Any]]) -> None:
        self.unfit: dict[int, Unfit] = {}
        self.sticky: set[int] = set()
        self._lines = text.split("\n")
        self._choices: dict[int, list[tuple[int, Any]]] = {}
        self._chosen_lines: set[int] = set()
        # What Python has to say of the text it has said when it was asked for the text's own program.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.tree = ast.parse(text)
            self._take_all(mutants)
        self._put_in(self.tree)

    def code(self, file: str) -> CodeType:
        """Compile the text with its mutants.

        Raises:
            SyntaxError: A mutant is no program, although it can be parsed.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(self.tree, file, "exec", dont_inherit=True)

    def _take_all(self, mutants: dict[int, dict[str, Any]]) -> None:
        for number, mutant in mutants.items():
            try:
                self._take(number, mutant)
            except Unfit as unfit:
                self.unfit[number] = unfit
            except RecursionError:
                self.unfit[number] = Unfit("its statement is nested too deeply")

    def _take(self, number: int, mutant: dict[str, Any]) -> None:
        lines = replaced(self._lines, mutant)
        chain = self._statement(mutant)
        statement = chain[-1]
        changed = self._parsed_alone(statement, lines, len(lines) - len(self._lines))
        path = difference(statement, changed)
        if path is None:
            raise Unfit("it changes nothing", invalid=True)
        original, other = lifted(statement, changed, path)
        if not inside_function(chain, statement, original):
            raise Unfit("its code runs when the file is loaded")
        if any(remembers(around) for around in chain):
            self.sticky.add(number)
        self._choices.setdefault(id(original), []).append((number, other))
        self._chosen_lines.add(original.lineno)

    def _statement(self, mutant: dict[str, Any]) -> list[ast.stmt]:
        """Return the statements around a mutant, the smallest that begins a line of its own last."""
        chain: list[ast.stmt] = []
        place = tuple(self._offset(mutant[f"{end}line"], mutant[f"{end}column"]) for end in ("", "end_"))
        block: list[Any] = [self.tree]
        while block:
            around = next((node for node in block if holds(node, *place)), None)
            if around is None:
                break
            if isinstance(around, ast.stmt) and self._begins_line(around):
                chain.append(around)
            block = list(statements_below(around))
        if not chain:
            raise Unfit("it stands in no statement")
        return chain

    def _offset(self, line: int, column: int) -> tuple[int, int]:
        """Columns of trees count bytes."""
        return line, len(self._lines[line - 1][: column - 1].encode())

    def _begins_line(self, statement: ast.stmt) -> bool:
        if getattr(statement, "decorator_list", None):
            return True
        line = self._lines[statement.lineno - 1].encode()
        before, after = line[: statement.col_offset], line[statement.col_offset :]
        return not before.strip() and not (isinstance(statement, ast.If) and after.startswith(b"elif"))

    def _parsed_alone(self, statement: ast.stmt, lines: list[str], more: int) -> ast.stmt:
        """Parse the lines of one statement at the place where they stand."""
        first, last = first_line(statement), (statement.end_lineno or statement.lineno) + more
        blank = [""] * (first - 1)
        if statement.col_offset:
            # A block needs a head; a file's first line is never indented.
            blank[-1] = "if 1:"
        source = "\n".join(blank + lines[first - 1 : last]) + "\n"
        try:
            module = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError) as error:
            raise Unfit(f"{type(error).__name__}: {error}"[:200], invalid=True) from None
        body: Any = module.body[0].body if statement.col_offset else module.body  # type: ignore[attr-defined]  # the head above
        return self._same(body, statement)

    def _same(self, body: list[Any], statement: ast.stmt) -> ast.stmt:
        """Other statements may share the last line of this one."""
        found = [node for node in body if (node.lineno, node.col_offset) == (statement.lineno, statement.col_offset)]
        if len(found) != 1:
            raise Unfit("its statement cannot be told from others")
        return found[0]  # type: ignore[no-any-return]  # nodes of an untyped tree

    def _put_in(self, root: ast.AST) -> None:
        """Replace nodes by choices, inner ones first, without recursion, and where there are none without a look."""
        order: list[tuple[Any, str, Any, Any]] = []
        waiting: list[Any] = [root]
        while waiting:
            node = waiting.pop()
            for field, index, child in children(node):
                if not isinstance(child, ast.stmt) or self._holds_choice(child):
                    order.append((node, field, index, child))
                    waiting.append(child)
        for node, field, index, child in reversed(order):
            choices = self._choices.get(id(child))
            if choices:
                _set(node, field, index, self._choice(child, choices))

    def _holds_choice(self, statement: ast.stmt) -> bool:
        first, last = first_line(statement), statement.end_lineno or statement.lineno
        return any(first <= line <= last for line in self._chosen_lines)

    @staticmethod
    def _choice(original: Any, choices: list[tuple[int, Any]]) -> Any:
        chosen = original
        for number, other in choices:
            asked = ast.Subscript(
                value=ast.Name(id=SWITCH, ctx=ast.Load()), slice=_index(ast.Constant(value=number)), ctx=ast.Load()
            )
            if isinstance(original, ast.expr):
                chosen = ast.IfExp(test=asked, body=other, orelse=chosen)
            else:
                chosen = ast.If(test=asked, body=[other], orelse=[chosen])
            for node in (chosen, *ast.walk(asked)):
                for name in POSITIONS:
                    if name in node._attributes:  # noqa: SLF001  # public in all but name
                        setattr(node, name, getattr(original, name))
        return chosen


def replaced(lines: list[str], mutant: dict[str, Any]) -> list[str]:
    """Return the lines of a text with a mutant's piece replaced."""
    first, last = mutant["line"] - 1, mutant["end_line"] - 1
    if last >= len(lines):
        raise Unfit("its place is not in the text")
    text = lines[first][: mutant["column"] - 1] + mutant["replacement"] + lines[last][mutant["end_column"] - 1 :]
    return [*lines[:first], *text.split("\n"), *lines[last + 1 :]]


def _set(node: Any, field: str, index: Any, value: Any) -> None:
    if index is None:
        setattr(node, field, value)
    else:
        getattr(node, field)[index] = value


def _index(node: Any) -> Any:
    """Python 3.8 wraps a subscript's index."""
    return ast.Index(value=node) if sys.version_info < (3, 9) else node
