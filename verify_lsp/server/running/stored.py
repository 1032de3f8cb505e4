"""Reports of earlier runs, of any program's, by workspace folder. Each call reads files: call it on a thread."""

from collections.abc import Sequence
from pathlib import Path

from verify_lsp.model.errors import NoSuchReportError
from verify_lsp.model.report import Report, ReportSummary
from verify_lsp.server.running.news import report_json


def report(folders: Sequence[Path], report_id: str) -> bytes:
    """Return a stored report as JSON.

    Raises:
        NoSuchReportError: None of the folders has it.
    """
    return report_json(load(folders, report_id))


def load(folders: Sequence[Path], report_id: str) -> Report:
    """Return a stored report.

    Raises:
        NoSuchReportError: None of the folders has it.
    """
    from verify_lsp.reports.store import ReportStore

    for folder in folders:
        try:
            return ReportStore(folder).load(report_id)
        except NoSuchReportError:
            continue
    raise NoSuchReportError(f"no such report: {report_id}")


def is_there(folders: Sequence[Path], report_id: str) -> bool:
    """Return whether one of the folders has this report."""
    try:
        load(folders, report_id)
    except NoSuchReportError:
        return False
    return True


def summaries(folders: Sequence[Path], session_id: str | None, limit: int | None) -> list[ReportSummary]:
    """Return the reports of all folders, newest first."""
    from verify_lsp.reports.store import ReportStore

    found = [one for folder in folders for one in ReportStore(folder).summaries(session_id, limit)]
    return sorted(found, key=lambda one: one.created_at, reverse=True)[:limit]


def latest(folders: Sequence[Path], session_id: str | None) -> bytes:
    """Return the newest report as JSON; a JSON null when there is none."""
    newest = summaries(folders, session_id, 1)
    return report(folders, newest[0].id) if newest else b"null"
