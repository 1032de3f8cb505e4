"""A report on one line of a list."""

from collections import Counter

from verify_lsp.model.report import Report, ReportSummary, SeverityCounts


def summarize(report: Report) -> ReportSummary:
    """Return the summary of `report`.

    The counts are of the change's own findings: what was there before it is not its doing, and a list that counted
    it would blame every change in an old code base.
    """
    own: Counter[str] = Counter(finding.severity for finding in report.findings() if not finding.preexisting)
    return ReportSummary(
        id=report.id,
        created_at=report.created_at,
        scope=report.scope,
        status=report.status,
        risk_tier=report.risk_tier,
        counts=SeverityCounts(**own),
        session_id=report.session_id,
    )
