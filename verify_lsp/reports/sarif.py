"""A report as SARIF 2.1.0, for code scanning. Nothing is left out: findings, gaps, facts and claims are all there."""

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from verify_lsp import __version__
from verify_lsp.model.change import ChangeKind
from verify_lsp.model.finding import SEVERITIES, Finding, Severity
from verify_lsp.model.report import Check, Report
from verify_lsp.reports import outline
from verify_lsp.reports.untrusted import cut, one_line, visible

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: dict[Severity, str] = {
    "critical": "error",
    "high": "error",
    "medium": "warning",
    "low": "note",
    "info": "note",
}
# What code scanning sorts security alerts by: a score from 0 to 10, as text.
_SECURITY_SEVERITIES: dict[Severity, str] = {
    "critical": "9.5",
    "high": "8.0",
    "medium": "5.5",
    "low": "3.0",
    "info": "0.1",
}
_ROLES: dict[ChangeKind, str] = {
    "added": "added",
    "copied": "added",
    "modified": "modified",
    "typechange": "modified",
    "mode": "modified",
    "deleted": "deleted",
    "renamed": "renamed",
}
_NAME = 200
_TEXT = 2_000
_WEB_ADDRESS = re.compile(r"https?://[^\s<>\"{}|\\^`]+")


def render_sarif(report: Report) -> str:
    """Return `report` as a SARIF log of one run, a JSON document that ends with a line feed.

    Older findings have the `baselineState` `unchanged`, those of the change `new`. A check that did not look, or did
    not work, is a notification: a log without results is no proof that something was looked at.
    """
    from verify_lsp.codec import dumps

    return dumps(sarif_log(report), indent=2) + "\n"


def sarif_log(report: Report) -> dict[str, Any]:
    """Return the SARIF log as JSON-ready dicts and lists."""
    rules = _rules(report.findings())
    numbers = {rule["id"]: number for number, rule in enumerate(rules)}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": _tool(report, rules),
                "automationDetails": {"id": f"verify-lsp/{one_line(report.id, _NAME)}"},
                "invocations": [_invocation(report)],
                "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The folder that was verified."}}},
                "artifacts": _unique(
                    {"location": _location(file.path), "roles": [_ROLES[file.change]]} for file in report.files
                ),
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, numbers) for finding in report.findings()],
                "properties": _properties(report),
            }
        ],
    }


def _tool(report: Report, rules: list[dict[str, Any]]) -> dict[str, Any]:
    driver = {
        "name": "verify-lsp",
        "semanticVersion": __version__,
        "rules": rules,
        "notifications": _unique({"id": check.kind} for check in report.checks),
    }
    extensions = _unique(_extension(tool.name, tool.version) for tool in report.tools)
    return {"driver": driver, "extensions": extensions} if extensions else {"driver": driver}


def _extension(name: str, version: str | None) -> dict[str, str]:
    shown = {"name": one_line(name, _NAME)}
    return {**shown, "version": one_line(version, _NAME)} if version else shown


def _rules(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """One rule for each id, described by the gravest of its findings."""
    gravest: dict[str, Finding] = {}
    for finding in findings:
        name = _rule_id(finding)
        other = gravest.setdefault(name, finding)
        if SEVERITIES.index(finding.severity) < SEVERITIES.index(other.severity):
            gravest[name] = finding
    return [_rule(name, gravest[name]) for name in sorted(gravest)]


def _rule(name: str, finding: Finding) -> dict[str, Any]:
    weaknesses = (f"external/cwe/{_cwe(cwe)}" for cwe in finding.cwe or ())
    properties: dict[str, Any] = {"tags": _unique((finding.check, *weaknesses))}
    if finding.check == "security":
        properties["security-severity"] = _SECURITY_SEVERITIES[finding.severity]
    rule = {
        "id": name,
        "shortDescription": {"text": f"{name} ({finding.check})"},
        "defaultConfiguration": {"level": _LEVELS[finding.severity]},
        "properties": properties,
    }
    if finding.url and _WEB_ADDRESS.fullmatch(finding.url):
        rule["helpUri"] = finding.url
    return rule


def _rule_id(finding: Finding) -> str:
    return one_line(finding.rule, _NAME) or "no-rule"


def _unique(items: Iterable[Any]) -> list[Any]:
    """SARIF's lists hold nothing twice."""
    return list({repr(item): item for item in items}.values())


def _cwe(cwe: str) -> str:
    return one_line(cwe, _NAME).lower()


def _result(finding: Finding, numbers: dict[str, int]) -> dict[str, Any]:
    rule = _rule_id(finding)
    properties: dict[str, Any] = {"check": finding.check, "severity": finding.severity, "fixable": finding.fixable}
    if finding.suggestion:
        properties["suggestion"] = cut(visible(finding.suggestion), _TEXT)
    return {
        "ruleId": rule,
        "ruleIndex": numbers[rule],
        "level": _LEVELS[finding.severity],
        "message": {"text": _message(finding.message)},
        "locations": [_place(finding)],
        "partialFingerprints": {"verifyLspFindingId/v1": one_line(finding.id, _NAME)},
        "baselineState": "unchanged" if finding.preexisting else "new",
        "properties": properties,
    }


def _place(finding: Finding) -> dict[str, Any]:
    """Code scanning refuses results without a place, so that what has no file stands at the folder verified."""
    place: dict[str, Any] = {"artifactLocation": _location(finding.path or ".")}
    if finding.path and finding.line >= 1:
        place["region"] = dict(_region(finding))
    return {"physicalLocation": place}


def _region(finding: Finding) -> Iterator[tuple[str, Any]]:
    """1-based lines and columns; the end column is the one after the last, as in our own."""
    yield "startLine", finding.line
    if finding.column is not None and finding.column >= 1:
        yield "startColumn", finding.column
    end = finding.end_line if finding.end_line is not None and finding.end_line > finding.line else finding.line
    if end > finding.line:
        yield "endLine", end
    if finding.end_column is not None and finding.end_column >= (1 if end > finding.line else finding.column or 1):
        yield "endColumn", finding.end_column
    if finding.evidence:
        yield "snippet", {"text": cut(visible(finding.evidence), _TEXT)}


def _location(path: str) -> dict[str, str]:
    try:
        name = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        name = path.encode("utf-8", "surrogatepass")
    return {"uri": quote(name, safe="/"), "uriBaseId": "SRCROOT"}


def _invocation(report: Report) -> dict[str, Any]:
    times = {"startTimeUtc": report.created_at, "endTimeUtc": report.finished_at}
    return {
        "executionSuccessful": report.status in {"pass", "warn", "fail", "empty"},
        **{name: one_line(time, _NAME) for name, time in times.items() if time},
        "toolExecutionNotifications": [note for check in report.checks for note in _notifications(check)],
    }


def _notifications(check: Check) -> Iterator[dict[str, Any]]:
    reason = check.reason or check.summary
    if check.status == "error":
        yield _notification(check, "error", f"{check.kind} did not work: {reason}")
    elif outline.is_needless(check):
        yield _notification(check, "note", f"{check.kind} had nothing to verify: {reason}")
    elif check.status == "skipped" or check.reason is not None:
        yield _notification(check, "warning", f"{check.kind} is not verified: {reason}")
    elif check.status in {"pending", "running"}:
        yield _notification(check, "warning", f"{check.kind} is not verified: the run ended before it did")


def _notification(check: Check, level: str, text: str) -> dict[str, Any]:
    return {"descriptor": {"id": check.kind}, "level": level, "message": {"text": _message(text)}}


def _message(text: str) -> str:
    """Brackets before a parenthesis would be a link in SARIF."""
    shown = cut(visible(text).strip(), _TEXT) or "no message"
    return re.sub(r"([\[\]])", r"\\\1", shown) if "](" in shown else shown


def _properties(report: Report) -> dict[str, Any]:
    """What SARIF has no place for."""
    return {
        "reportId": one_line(report.id, _NAME),
        "status": report.status,
        "scope": report.scope.kind,
        **({"baseSha": one_line(report.base.sha, _NAME)} if report.base else {}),
        "riskTier": report.risk_tier,
        "riskReasons": [one_line(reason, _TEXT) for reason in report.risk_reasons],
        "checks": [
            {"kind": check.kind, "status": check.status, "metrics": dict(check.metrics)} for check in report.checks
        ],
        "facts": [{"id": fact.id, "check": fact.check, "text": one_line(fact.text, _TEXT)} for fact in report.facts],
        "claims": [
            {"text": one_line(claim.text, _TEXT), "status": claim.status, "facts": list(claim.facts)}
            for claim in report.claims
        ],
    }
