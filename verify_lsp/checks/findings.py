"""From a tool's problems to findings."""

from collections.abc import Iterable, Sequence

from verify_lsp.checks.before import ToldApart
from verify_lsp.judgement.raised import finding_of
from verify_lsp.model.finding import CheckKind, Finding
from verify_lsp.model.outcome import Verdict


def findings_of(check: CheckKind, told: ToldApart) -> tuple[Finding, ...]:
    """Return a finding for each problem, marked by whether it was there before; ids are given later."""
    return tuple(
        finding_of(check, problem, preexisting=old)
        for problem, old in zip(told.problems, told.preexisting, strict=True)
    )


def error_verdict(new: Sequence[Finding], found: Sequence[Finding]) -> Verdict:
    """Return what errors mean for a change: new ones fail it, older ones warn."""
    if new:
        return "fail"
    return "warn" if found else "pass"


def errors(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings that a compiler would call errors."""
    return [finding for finding in findings if finding.severity in {"critical", "high"}]
