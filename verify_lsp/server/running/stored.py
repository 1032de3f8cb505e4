"""Reports of earlier runs, of any program's, by workspace folder. Each call reads files."""

from collections.abc import Sequence
from pathlib import Path

from verify_lsp.codec import dumps
from verify_lsp.model.errors import EngineError, NoSuchReportError
from verify_lsp.model.event import ReportDone
from verify_lsp.model.report import Report, ReportSummary
from verify_lsp.reports.store import ReportStore
from verify_lsp.server.running.messages import News
from verify_lsp.server.running.news import news_of, report_json


def report(folders: Sequence[Path], report_id: str) -> bytes:
    """Return a stored report as JSON.

    Raises:
        NoSuchReportError: None of the folders has it.
    """
    return report_json(_load(folders, report_id))


def _load(folders: Sequence[Path], report_id: str) -> Report:
    for folder in folders:
        try:
            return ReportStore(folder).load(report_id)
        except NoSuchReportError:
            continue
    raise NoSuchReportError(f"no such report: {report_id}")


def is_there(folders: Sequence[Path], report_id: str) -> bool:
    """Return whether one of the folders has this report."""
    return any(summary.id == report_id for folder in folders for summary in ReportStore(folder).summaries())


def summaries_json(folders: Sequence[Path], session_id: str | None, limit: int | None) -> bytes:
    """Return the summaries of all folders as JSON, newest first."""
    return dumps(_summaries(folders, session_id, limit)).encode()


def _summaries(folders: Sequence[Path], session_id: str | None, limit: int | None) -> list[ReportSummary]:
    found = [one for folder in folders for one in ReportStore(folder).summaries(session_id, limit)]
    return sorted(found, key=lambda one: one.created_at, reverse=True)[:limit]


def latest(folders: Sequence[Path], session_id: str | None) -> bytes:
    """Return the newest report as JSON; a JSON null when there is none."""
    newest = _summaries(folders, session_id, 1)
    return report(folders, newest[0].id) if newest else b"null"


def arrived(folder: Path, report_id: str) -> News | None:
    """Return the news of a report that another program stored; None when it is gone or cannot be read."""
    try:
        return news_of(ReportDone(ReportStore(folder).load(report_id)))
    except (NoSuchReportError, EngineError):
        return None
