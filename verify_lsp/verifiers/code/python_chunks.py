"""Compiling only the top-level statements that an edit touched, where that tells as much as compiling all.

A module is a sequence of statements that begin in the first column. Where one of them begins, the compiler knows
nothing of what stands above but a few things, each of which is looked for here. So when the lines between two such
places compile by themselves, and all others compiled before, the whole does. When they do not, the whole is compiled:
only its own words and places are shown.
"""

import __future__

import ast
import re
import unicodedata
from collections.abc import Iterator

import attrs

from verify_lsp.verifiers.code.python_compile import MAX_CHARACTERS, compiled, parsed, plain_lines


@attrs.frozen
class Known:
    """A text that compiled.

    Attributes:
        lines: Without their ends.
        starts: 0-based lines on which a chunk may begin, in order.
        flags: The compiler flags that its `from __future__` lines set.
        floor: The first line that may be compiled apart; `from __future__` stands above it.
    """

    lines: tuple[str, ...]
    starts: tuple[int, ...]
    flags: int
    floor: int


def known(text: str) -> Known | None:
    """Return what to remember of a text that compiles; None where its statements cannot be judged apart."""
    lines = tuple(_lines(text))
    try:
        tree = parsed("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if _declares_globals(tree.body):
        return None
    futures = _futures(tree)
    flags = 0
    for name in (alias.name for node in futures for alias in node.names):
        flags |= getattr(__future__, name).compiler_flag
    return Known(lines, tuple(_starts(tree, lines)), flags, max((node.end_lineno or 0 for node in futures), default=0))


def next_known(before: Known, text: str) -> Known | None:
    """Return what to remember of `text` when its changed statements alone prove that it compiles, else None."""
    if len(text) > MAX_CHARACTERS:
        return None
    lines = _lines(text)
    same_head, same_tail = _same(before.lines, lines)
    first = max((start for start in before.starts if start <= same_head), default=0)
    old_tail = len(before.lines) - same_tail
    # The line that closes the chunk must itself be unchanged, and so be below all that changed.
    last = min((start for start in before.starts if start >= old_tail and start > first), default=len(before.lines))
    new_last = len(lines) - (len(before.lines) - last)
    if first < before.floor or new_last < first:
        return None
    chunk = lines[first:new_last]
    if _leans(lines[first - 1] if first else "", chunk):
        return None
    # At the end of the text there may be no line feed to lean on.
    chunk_starts = _judged(chunk, "\n" if new_last < len(lines) else "", before.flags)
    if chunk_starts is None:
        return None
    shift = new_last - last
    starts = (
        *(start for start in before.starts if start < first),
        *(start + first for start in chunk_starts),
        *(start + shift for start in before.starts if start >= last),
    )
    return Known(tuple(lines), starts, before.flags, before.floor)


def _lines(text: str) -> list[str]:
    return plain_lines(text.removeprefix("\ufeff")).split("\n")


def _same(old: tuple[str, ...], new: list[str]) -> tuple[int, int]:
    """Return how many lines are the same at the beginning and, of the others, at the end."""
    limit = min(len(old), len(new))
    head = 0
    while head < limit and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < limit - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return head, tail


def _leans(above: str, chunk: list[str]) -> bool:
    """Tell whether the chunk's first or last line might hang together with what is around it."""
    return above.endswith("\\") or bool(chunk and chunk[-1].rstrip(" \t\f").endswith("\\"))


def _judged(chunk: list[str], end: str, flags: int) -> tuple[int, ...] | None:
    """Return where statements begin in a chunk that compiles by itself and concerns no other; None for all else."""
    text = "\n".join(chunk) + end
    try:
        compiled(text, flags)
        single = _only_start(chunk)
        # Names are compared in this form, so that `__future__` has other spellings.
        if single is not None and not re.search(r"\bglobal\b|__future__", unicodedata.normalize("NFKC", text)):
            return single
        tree = parsed(text, flags)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None if _declares_globals(tree.body) or _futures(tree) else tuple(_starts(tree, chunk))


def _only_start(chunk: list[str]) -> tuple[int, ...] | None:
    """Return the line of a chunk's only statement where that shows without parsing, as for one big class."""
    begun = [number for number, line in enumerate(chunk) if line and line[0] not in " \t#)]}"]
    if len(begun) != 1 or any(line.strip(" \t") and line.strip(" \t")[0] != "#" for line in chunk[: begun[0]]):
        return None
    return (begun[0],) if chunk[begun[0]][0] not in "\f\\" else None


def _futures(tree: ast.Module) -> list[ast.ImportFrom]:
    return [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]


def _starts(tree: ast.Module, lines: tuple[str, ...] | list[str]) -> Iterator[int]:
    """Yield the lines on which nothing but a new statement begins."""
    for node in tree.body:
        decorators = getattr(node, "decorator_list", [])
        line = (decorators[0].lineno if decorators else node.lineno) - 1
        # An `@` may stand on a line above its expression, and a statement behind a semicolon or a backslash.
        if node.col_offset == 0 and (not decorators or lines[line].startswith("@")):
            yield line


def _declares_globals(body: list[ast.stmt]) -> bool:
    """A `global` outside of functions forbids things in other statements, so that none can be judged apart."""
    for node in body:
        if isinstance(node, ast.Global):
            return True
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        if any(_declares_globals(inner) for inner in _blocks(node)):
            return True
    return False


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        inner = getattr(node, name, None)
        if isinstance(inner, list):
            yield inner
    for name in ("handlers", "cases"):
        for part in getattr(node, name, []):
            yield part.body
