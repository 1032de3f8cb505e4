"""What a check answers. Not having looked is never the same as having found nothing."""

from collections.abc import Mapping
from typing import Literal

import attrs

from verify_lsp.model.fact import Evidence
from verify_lsp.model.finding import Finding
from verify_lsp.model.mutant import TriedMutant

Verdict = Literal["pass", "warn", "fail"]

ProofKind = Literal[
    "tests",
    "types",
    "compile",
    "lint",
    "diagnostics",
    "build",
    "dependencies",
    "security",
    "integrity",
    "mutation",
]
"""What a proof is about. `types` is for tools that check types (mypy, tsc, cargo check, go vet), `compile` for
those that only parse or compile (Python's `compile()`, a linter's error rules), `build` for a build that ran."""


@attrs.frozen
class Proof:
    """A sentence a check proved; it becomes a `Fact` when the report is put together.

    Attributes:
        text: The sentence, carrying its own scope ("12 tests pass", not "it works").
        evidence: What showed it.
        kind: What the sentence is about, so that claims can be held against it: see `judgement.claims`.
            The numbers come from `evidence.metrics`: `passed`, `failed`, `skipped`, `total` for tests;
            `errors_touched`, `errors_elsewhere`, `errors_new` for types and compile; `findings` for lint.
        holds: True when the sentence speaks for the change, False when it speaks against it.
    """

    text: str
    evidence: Evidence
    kind: ProofKind
    holds: bool


@attrs.frozen
class ToolInfo:
    """A tool that took part in a run. `path` is absolute."""

    name: str
    version: str | None = None
    path: str | None = None


@attrs.frozen
class Ran:
    """The check looked.

    Attributes:
        unverified: What it could not look at, in plain words; the verdict is then `warn` at least.
        asides: What there was nothing to look at in, in plain words.
        command: As a person would type it; several are joined by newlines.
        output: The tail of what the commands printed, bounded.
        mutants: What was tried on the tests; None for a check that tries nothing.
    """

    verdict: Verdict
    summary: str
    findings: tuple[Finding, ...] = ()
    metrics: Mapping[str, float | None] = attrs.field(factory=dict)
    proofs: tuple[Proof, ...] = ()
    unverified: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()
    command: str | None = None
    output: str | None = None
    tools: tuple[ToolInfo, ...] = ()
    mutants: tuple[TriedMutant, ...] | None = None


@attrs.frozen
class Skipped:
    """The check could not, or need not, look; `reason` is a sentence part a user can read.

    Attributes:
        needless: True when there is nothing to verify (no such files), False when something
            stays unverified (a tool is missing, a time limit passed, the workspace is untrusted).
    """

    reason: str
    needless: bool = False
    command: str | None = None
    output: str | None = None
    metrics: Mapping[str, float | None] = attrs.field(factory=dict)
    tools: tuple[ToolInfo, ...] = ()


@attrs.frozen
class Broke:
    """The check applies, and what it ran did not work: a crash, an unreadable answer."""

    reason: str
    command: str | None = None
    output: str | None = None
    tools: tuple[ToolInfo, ...] = ()


CheckOutcome = Ran | Skipped | Broke
