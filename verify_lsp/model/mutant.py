"""Mutants: small faults put into a change on trial, and what became of each."""

import hashlib
from collections.abc import Mapping
from typing import Any, Final, Literal

import attrs

TRIAL_FACTOR: Final = 5.0
"""Tests with a mutant on may take so many times as long as they take without …"""
TRIAL_LEAST_S: Final = 10.0
"""… and in any case so many seconds."""

MutantStatus = Literal["killed", "survived", "no-coverage", "timeout", "invalid", "error"]


@attrs.frozen
class Mutant:
    """One fault: a piece of text that would be replaced. No file is ever written with it.

    Attributes:
        path: As the holder needs it: relative to the workspace, or to a project's root.
        line: 1-based, as lines end at line feeds; `column` is 1-based in code points.
        end_column: Exclusive.
        operator: Which kind of fault: "boundary", "logic" …
        original: The text at the place.
        replacement: What it would be replaced by.
        function: Qualified name of the function or class that the line stands in; "" at the module's level.
        at_import: True for code that runs when the file is loaded, rather than when something is called.
        scope: Equal for the same place in the same text of the same function, wherever it stands in a file.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    operator: str
    original: str
    replacement: str
    function: str = ""
    at_import: bool = False
    scope: str = ""

    @property
    def identity(self) -> str:
        """Sixteen hex digits, equal for the same fault at the same place in the same text of a function."""
        return hashlib.sha256(f"{self.scope}\0{self.replacement}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


@attrs.frozen
class MutantResult:
    """What became of a mutant.

    Attributes:
        tests: How many tests run over the line; None when that is not known.
        killed_by: The test that noticed, as it is printed.
        reason: Why there is no verdict (`error`, `invalid`), in plain words.
        covered_by: Names of some of what runs over the line: of tests, or of files of tests where no more is known.
    """

    mutant: Mutant
    status: MutantStatus
    tests: int | None = None
    killed_by: str | None = None
    reason: str | None = None
    covered_by: tuple[str, ...] = ()


@attrs.frozen
class TriedMutant:
    """A mutant and what became of it, as a report keeps it.

    Attributes:
        path: Relative to the workspace, POSIX style.
        line: 1-based; `column` is 1-based in code points. The place is one of the text that was verified.
        end_column: Exclusive.
        operator: Which kind of fault: "boundary", "logic" …
        original: The text at the place.
        replacement: What it was replaced by; may be empty.
        function: Qualified name of the function or class that the line stands in; "" at the module's level.
        tests: How many tests run over the line; absent when that is not known.
        covered_by: Names of some of what runs over the line: of tests, or of files of tests where no more is known.
        killed_by: The test that noticed.
        reason: Why there is no verdict (`error`, `invalid`), in plain words.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    operator: str
    original: str
    replacement: str
    status: MutantStatus
    function: str = ""
    tests: int | None = None
    covered_by: tuple[str, ...] = ()
    killed_by: str | None = None
    reason: str | None = None


@attrs.frozen
class MutationOrder:
    """What a test tool is asked to try.

    Attributes:
        mutants: Paths relative to the project's root.
        texts: Path to the text that the mutants were made from; where the file says something else by the time
            it is loaded, nothing is tried in it.
        known: What became of mutants in earlier runs: `MutationRun.keys` to status and what else was told.
        limit_s: Seconds after the command's start by which the last mutant must have been tried.
    """

    mutants: tuple[Mutant, ...]
    texts: Mapping[str, str]
    limit_s: float
    known: Mapping[str, Mapping[str, Any]] = attrs.field(factory=dict)


@attrs.frozen
class MutationRun:
    """What one run of the tests with mutants in it told.

    Attributes:
        results: By position in the order's `mutants`; those that are missing were not decided.
        alone: Positions of mutants that need a process of their own, because their code runs when it is loaded.
        read_again: Positions of mutants that were decided where files of tests were read after the run had read them.
        stopped: Why nothing, or not everything, was tried here; None when all was.
        uncertain: Tests that failed without any mutant when they ran apart from the others, or only at times.
        keys: By position, what names all that a mutant's fate depends on, where that is known.
        spread: The tests ran in several processes, so that nothing was tried here; one process would do it.
        unreached: Paths of files whose mutants do not take effect in the tests, each with the reason.
    """

    results: Mapping[int, MutantResult] = attrs.field(factory=dict)
    alone: tuple[int, ...] = ()
    read_again: tuple[int, ...] = ()
    stopped: str | None = None
    uncertain: tuple[str, ...] = ()
    unreached: Mapping[str, str] = attrs.field(factory=dict)
    keys: Mapping[int, str] = attrs.field(factory=dict)
    spread: bool = False


def counted_text(text: str) -> str:
    """Return a text as the places of mutants count in it, and as Python reads it: no mark before it, line feeds only."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n")
