from tests.harness.sample_reports import crowded, everything, passing
from tests.harness.samples import a_check, a_finding, a_report
from verify_lsp.model.report import ReportSummary, SeverityCounts
from verify_lsp.reports.summary import summarize


def test_a_summary_says_which_report_it_is_of():
    report = everything()
    assert summarize(report) == ReportSummary(
        id=report.id,
        created_at=report.created_at,
        scope=report.scope,
        status="fail",
        risk_tier=2,
        counts=SeverityCounts(critical=1, high=1, info=1),
        session_id="session-1",
    )


def test_findings_older_than_the_change_are_not_counted():
    old = a_check(findings=(a_finding(severity="critical", preexisting=True), a_finding(id="2", severity="low")))
    assert summarize(a_report(checks=(old,))).counts == SeverityCounts(low=1)


def test_findings_of_all_checks_are_counted_together():
    assert summarize(crowded()).counts == SeverityCounts(200, 200, 200, 200, 100)
    assert summarize(passing()).counts == SeverityCounts()
