"""Shapes that the peers of all languages share."""

from collections.abc import Callable, Mapping
from pathlib import Path

import attrs

from benchmarks.same_mutants.measured import Spent
from verify_lsp.model.mutant import Mutant


@attrs.frozen
class Task:
    """What a tool is run on.

    Attributes:
        place: A copy of the project, the tool's own.
        files: Paths relative to it, each with the lines that are meant (first and last); none are all.
        mutants: About how many are wanted, where the peer can be told.
        tool: The peer's program.
        caches: A folder of the tool's own, which stands from its first run to its second.
    """

    place: Path
    files: Mapping[str, tuple[int, int] | None]
    mutants: int
    tool: str
    caches: Path


@attrs.frozen
class Tried:
    """One of the peer's mutants, and what it says became of it, in our words."""

    mutant: Mutant
    kind: str
    status: str


@attrs.frozen
class Peer:
    """Attributes:
    run: Tries the mutants of a task; returns what that took, and the mutants with their fates.
    variables: For both tools, from a folder of caches.
    prepared: Leaves what a plain run of the tests leaves in the language's own caches, those that are no tool's.
    skipped: What of a project is not copied.
    """

    run: Callable[[Task], tuple[Spent, list[Tried]]]
    variables: Callable[[Path], Mapping[str, str]] = lambda _caches: {}
    prepared: Callable[[Task], None] = lambda _task: None
    skipped: tuple[str, ...] = ()


def between(rows: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """Return the text between two places (line, column), which are 1-based; columns are in code points."""
    if start[0] == end[0]:
        return rows[start[0] - 1][start[1] - 1 : end[1] - 1]
    inner = rows[start[0] : end[0] - 1]
    return "\n".join([rows[start[0] - 1][start[1] - 1 :], *inner, rows[end[0] - 1][: end[1] - 1]])


def mutant_at(  # noqa: PLR0913, PLR0917  # the parts of a mutant
    place: Path, path: str, start: tuple[int, int], end: tuple[int, int], operator: str, replacement: str
) -> Mutant:
    rows = (place / path).read_text(encoding="utf-8").replace("\r\n", "\n").split("\n")
    original = between(rows, start, end)
    return Mutant(path, *start, *end, operator=operator, original=original, replacement=replacement)
