"""A claim as far as its words go, before it is held against anything."""

from typing import Literal

import attrs

CheckClaim = Literal["tests-pass", "all-checks", "types", "lint", "build", "compile", "diagnostics", "security"]
"""What checks can speak about."""

DeedClaim = Literal[
    "created-file",
    "updated-file",
    "removed",
    "added-tests",
    "dependency-added",
    "no-new-dependencies",
    "nothing-else-changed",
    "refactor-only",
    "docs-only",
    "committed",
    "all-occurrences",
    "no-breaking-change",
    "performance",
    "verified-manually",
    "fixed-bug",
]
"""What the change itself can speak about, or nothing that we look at."""

ClaimKind = CheckClaim | DeedClaim


@attrs.frozen
class Said:
    """A claim found in a sentence.

    Attributes:
        start: Where it begins in the neutral sentence.
        said_at: Where its subject ends and what is said of it begins; guards are looked for up to there.
        count: How many tests it speaks of.
        every: True when it speaks of all of them, or of the whole project.
        scoped: True when it speaks of some only: new ones, those of a place, those of a kind.
        new: True when it says only that nothing was added: "no new errors".
        errors_only: True when it denies errors, and says nothing about warnings.
        hedged: True when a modal stands in its middle: "should pass".
        names: Tools, commands, files or other names that it speaks of.
    """

    kind: ClaimKind
    start: int
    said_at: int
    end: int
    count: int | None = None
    every: bool = False
    scoped: bool = False
    new: bool = False
    errors_only: bool = False
    hedged: bool = False
    names: tuple[str, ...] = ()
