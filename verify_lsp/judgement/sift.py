"""From what the checks raised to what is reported: an ordered chain of small filters."""

import re
from collections.abc import Iterable, Iterator, Sequence

import attrs

from verify_lsp.judgement.finding_ids import with_ids
from verify_lsp.judgement.globs import matches_any
from verify_lsp.judgement.plain_text import block, one_line
from verify_lsp.model.change import Change
from verify_lsp.model.finding import SEVERITIES, Finding
from verify_lsp.model.outcome import CheckOutcome, Ran
from verify_lsp.settings.settings import Settings

# Absolute in POSIX or Windows style, someone's home, or a step up.
_OUTSIDE = re.compile(r"^[/\\]|^[A-Za-z]:[/\\]|^~[/\\]|(?:^|[/\\])\.\.(?:$|[/\\])")
_RULE_LIMIT = 200
_TEXT_LIMIT = 1_000
_ADDRESS_LIMIT = 500
_RANK = {severity: rank for rank, severity in enumerate(SEVERITIES)}


def sift(findings: Iterable[Finding], change: Change, settings: Settings) -> tuple[Finding, ...]:
    """Return the findings to report, clean, in order, and with stable ids.

    All findings of a check must come in one call, as ids count those that are alike. Sifting twice changes nothing,
    so that a check may sift before it makes up its verdict.
    """
    kept = _at_their_level(findings, settings)
    kept = _not_excluded(kept, settings)
    kept = _inside(kept)
    kept = clean(kept)
    return with_ids(_in_order(_once(kept)), change)


def sift_outcome(outcome: CheckOutcome, change: Change, settings: Settings) -> CheckOutcome:
    """Return `outcome` with its findings sifted. Its verdict stays: what a check concluded is not for a filter."""
    if not isinstance(outcome, Ran):
        return outcome
    return attrs.evolve(outcome, findings=sift(outcome.findings, change, settings))


def _at_their_level(findings: Iterable[Finding], settings: Settings) -> Iterator[Finding]:
    for finding in findings:
        level = settings.rules.get(finding.rule, finding.severity)
        if level != "off":
            yield finding if level == finding.severity else attrs.evolve(finding, severity=level)


def _not_excluded(findings: Iterable[Finding], settings: Settings) -> Iterator[Finding]:
    return (finding for finding in findings if not (finding.path and matches_any(finding.path, settings.exclude)))


def _inside(findings: Iterable[Finding]) -> Iterator[Finding]:
    """A path that leaves the workspace is kept as words, never as a place to open or to write to."""
    for finding in findings:
        if _OUTSIDE.search(finding.path):
            yield attrs.evolve(finding, path="", line=1, message=f"{finding.path}: {finding.message}")
        else:
            yield finding


def clean(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings with their texts bounded, and free of what does not show or could act."""
    for finding in findings:
        url = finding.url or ""
        yield attrs.evolve(
            finding,
            line=max(finding.line, 1),
            rule=one_line(finding.rule, _RULE_LIMIT),
            message=block(finding.message, _TEXT_LIMIT),
            suggestion=None if finding.suggestion is None else block(finding.suggestion, _TEXT_LIMIT),
            evidence=None if finding.evidence is None else block(finding.evidence, _TEXT_LIMIT),
            # Anything but a web address could run a command where a client makes it a link.
            url=one_line(url, _ADDRESS_LIMIT) if url.startswith(("https://", "http://")) else None,
        )


def _once(findings: Iterable[Finding]) -> Sequence[Finding]:
    """Of those that say the same of the same line, the first, the severest, and the new one before the old.

    What can be fixed is told apart by its column, as each place has a fix of its own.
    """
    kept: dict[tuple[str, str, int, int | None, str, str], Finding] = {}
    for finding in findings:
        column = finding.column if finding.fixable else None
        same = (finding.check, finding.path, finding.line, column, finding.rule, finding.message)
        other = kept.setdefault(same, finding)
        if _weight(finding) < _weight(other):
            kept[same] = finding
    return tuple(kept.values())


def _weight(finding: Finding) -> tuple[bool, int]:
    return (finding.preexisting, _RANK[finding.severity])


def _in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """What is new comes first, then what is severe, then by place."""

    def order(finding: Finding) -> tuple[bool, int, str, int, int, str, str]:
        where = (finding.path, finding.line, finding.column or 0)
        return (*_weight(finding), *where, finding.rule, finding.message)

    return tuple(sorted(findings, key=order))
