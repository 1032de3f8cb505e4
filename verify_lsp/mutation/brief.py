"""A survivor as a coding agent should be told of it: what was changed, who did not notice, what a test must tell apart."""

from collections.abc import Iterator

from verify_lsp.judgement.plain_text import one_line
from verify_lsp.model.mutant import TriedMutant
from verify_lsp.mutation.sentences import fault_at

_CONTEXT = 3
_LINES, _LINE, _NAME = 20, 300, 300


def brief_on(mutant: TriedMutant, text: str, mutated: str) -> str:
    """Return plain text, facts only.

    Args:
        mutant: At its place in `text`.
        mutated: `text` with the mutant in it.
    """
    return "\n".join(_brief(mutant, *_pieces(mutant, text, mutated))) + "\n"


def diff_on(mutant: TriedMutant, text: str, mutated: str) -> str:
    """Return a unified diff from a text to the one with the mutant in it."""
    rows = _rows(text)
    old, new = _pieces(mutant, text, mutated)
    first = max(mutant.line - 1 - _CONTEXT, 0)
    before, after = rows[first : mutant.line - 1], rows[mutant.end_line : mutant.end_line + _CONTEXT]
    around = len(before) + len(after)
    head = (
        f"--- {mutant.path}",
        f"+++ {mutant.path} ({one_line(fault_at(mutant), _LINE)})",
        f"@@ -{first + 1},{around + len(old)} +{first + 1},{around + len(new)} @@",
    )
    lines = (*(f" {row}" for row in before), *(f"-{row}" for row in old), *(f"+{row}" for row in new))
    return "\n".join((*head, *lines, *(f" {row}" for row in after))) + "\n"


def _brief(mutant: TriedMutant, old: list[str], new: list[str]) -> Iterator[str]:
    yield f"File: {mutant.path}"
    yield f"Line: {mutant.line}" + (f", in {mutant.function}" if mutant.function else "")
    yield from (f"    {_kept(row)}" for row in old[:_LINES])
    yield f"Tried there, in no file: {one_line(fault_at(mutant), _LINE)}, so that it says"
    yield from (f"    {_kept(row)}" for row in new[:_LINES])
    if mutant.status == "no-coverage":
        yield "Tests that run this line: none"
    else:
        yield from _tests(mutant)
    yield "A test must tell these two apart: pass with the first, fail with the second."


def _tests(mutant: TriedMutant) -> Iterator[str]:
    known = max(mutant.tests or 0, len(mutant.covered_by))
    if not mutant.covered_by:
        number = str(mutant.tests) if mutant.tests else "not known how many"
        yield f"Tests that run this line and did not notice: {number}, not known by name"
        return
    yield "Run over this line without noticing" + (f" ({known})" if mutant.tests else "") + ":"
    yield from (f"- {one_line(name, _NAME)}" for name in mutant.covered_by)
    if known > len(mutant.covered_by):
        yield f"- and {known - len(mutant.covered_by)} more"


def _kept(row: str) -> str:
    """A line of code keeps its indent; what would act is taken out."""
    stripped = row.lstrip(" \t")
    return row[: len(row) - len(stripped)] + one_line(stripped, _LINE)


def _pieces(mutant: TriedMutant, text: str, mutated: str) -> tuple[list[str], list[str]]:
    """Return the mutant's lines, as they are and as they are with it."""
    rows, others = _rows(text), _rows(mutated)
    longer = len(others) - len(rows)
    return rows[mutant.line - 1 : mutant.end_line], others[mutant.line - 1 : mutant.end_line + longer]


def _rows(text: str) -> list[str]:
    rows = [row.removesuffix("\r") for row in text.split("\n")]
    return rows[:-1] if rows[-1] == "" else rows
