"""A report: one run, from its scope to its judgement."""

from collections.abc import Mapping
from typing import Any, Literal

import attrs

from verify_lsp.model.change import BaseRef, FileChange, HeadRef
from verify_lsp.model.fact import Claim, Fact
from verify_lsp.model.finding import CheckKind, Finding
from verify_lsp.model.mutant import TriedMutant
from verify_lsp.model.outcome import ToolInfo
from verify_lsp.model.scope import VerifyScope

SCHEMA_VERSION: Literal[1] = 1

NOTHING_TO_VERIFY = "nothing to verify"
"""Begins the summary of a check that was skipped because there was nothing for it to look at."""

CheckStatus = Literal["pending", "running", "pass", "warn", "fail", "skipped", "error"]
ReportStatus = Literal["running", "pass", "warn", "fail", "error", "cancelled", "empty"]
RiskTier = Literal[0, 1, 2]


@attrs.frozen
class Check:
    """One step of a run.

    Attributes:
        metrics: Name to number; an unknown number is None, never 0.
        reason: Why it was skipped, why it broke, or what stays unverified.
        output: Bounded tail of what its commands printed.
        mutants: Each fault that was tried on the tests, and what became of it; absent where none was. A finding of
            the check `mutation` is about the one at its place.
    """

    kind: CheckKind
    status: CheckStatus
    summary: str
    findings: tuple[Finding, ...] = ()
    duration_ms: int = 0
    metrics: Mapping[str, float | None] = attrs.field(factory=dict)
    command: str | None = None
    output: str | None = None
    reason: str | None = None
    mutants: tuple[TriedMutant, ...] | None = None

    def mutant_of(self, finding: Finding) -> TriedMutant | None:
        """Return the mutant that a finding of this check is about; None for every other finding."""
        place = (finding.path, finding.line, finding.column)
        return next((one for one in self.mutants or () if (one.path, one.line, one.column) == place), None)


@attrs.frozen
class Opinion:
    """A verdict given by a model. Never a fact; it changes no status and no tier."""

    verdict: str
    text: str
    agent: str | None = None


@attrs.frozen
class Report:
    """One run as it is stored and sent.

    Attributes:
        workspace: Absolute path of the folder that was verified.
        created_at: RFC 3339, UTC.
        duration_ms: Absent while running.
        settings: The settings that held, by their public names.
    """

    id: str
    workspace: str
    scope: VerifyScope
    created_at: str
    status: ReportStatus
    schema_version: Literal[1] = SCHEMA_VERSION
    files: tuple[FileChange, ...] = ()
    checks: tuple[Check, ...] = ()
    risk_tier: RiskTier = 0
    risk_reasons: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    claims: tuple[Claim, ...] = ()
    settings: Mapping[str, Any] = attrs.field(factory=dict)
    tools: tuple[ToolInfo, ...] = ()
    session_id: str | None = None
    base: BaseRef | None = None
    head: HeadRef | None = None
    finished_at: str | None = None
    duration_ms: int | None = None
    opinion: Opinion | None = None

    def findings(self) -> tuple[Finding, ...]:
        """Return the findings of all checks, in the order of the checks."""
        return tuple(finding for check in self.checks for finding in check.findings)


@attrs.frozen
class SeverityCounts:
    """How many findings there are of each severity."""

    critical: int = 0
    high: int = 0
    medium: int = 0
    low: int = 0
    info: int = 0


@attrs.frozen
class ReportSummary:
    """A report on one line of a list."""

    id: str
    created_at: str
    scope: VerifyScope
    status: ReportStatus
    risk_tier: RiskTier
    counts: SeverityCounts
    session_id: str | None = None
