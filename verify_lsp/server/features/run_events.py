"""What a run's events set off: the stream to the client, progress, findings on the board."""

import json
from pathlib import Path

from lsprotocol import types as lsp

from verify_lsp.model.event import CheckChanged, ReportDone, ReportFailed, ReportStarted
from verify_lsp.model.report import Report
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.board.board import Verified
from verify_lsp.server.running.news import News
from verify_lsp.server.running.records import Record
from verify_lsp.server.texts.uris import key_of
from verify_lsp.server.wire.answer import RawJson

EVENT = "verify/event"
CHANGED = "verify/changed"
SESSION_EVENT = "verify/sessionEvent"


def deliver(server: VerifyServer, news: News) -> None:
    """Take an event of a run, and pass it on as soon as the client knows of the run."""
    record = server.session.records.take(news)
    if record is not None:
        _pass_on(server, record, news)


def release(server: VerifyServer, record: Record) -> None:
    """Pass on what was held back until the client knew of the run, and hold back no more."""
    held, record.held = record.held or [], None
    if record.progress is not None:
        record.progress.begin()
    for news in held:
        _pass_on(server, record, news)


def _pass_on(server: VerifyServer, record: Record, news: News) -> None:
    match news.event:
        case ReportStarted():
            _tell(server, news, b"report", b"report")
        case CheckChanged(_, check):
            _tell(server, news, b"check", b"check")
            if record.progress is not None:
                record.progress.check(check, record.report)
        case ReportDone(report):
            _tell(server, news, b"done", b"report")
            _end_progress(record, report.status)
            conclude(server, report, news)
        case ReportFailed(report_id, error):
            _tell(server, news, b"error", b"error")
            _end_progress(record, "error")
            server.log_message(f"verify-lsp: {error}", lsp.MessageType.Warning)
            server.line.tell(CHANGED, _changed(report_id, record.session_id))


def _tell(server: VerifyServer, news: News, kind: bytes, field: bytes) -> None:
    pattern = b'{"reportId":"%b","event":{"type":"%b","%b":%b}}'
    server.line.tell(EVENT, RawJson(pattern % (news.report_id.encode(), kind, field, news.text)))


def _end_progress(record: Record, message: str) -> None:
    if record.progress is not None:
        record.progress.end(message)


def conclude(server: VerifyServer, report: Report, news: News) -> None:
    """Show what was found, and tell that there is a new report."""
    # What was called off, or could not even be begun, says nothing of what an earlier run had found.
    if report.status != "cancelled" and (report.files or report.status != "error"):
        _put_up(server, report, news.found)
    _tell_changed(server, report, news.text)


def _put_up(server: VerifyServer, report: Report, found: tuple[Verified, ...]) -> None:
    """Show the findings of an ended run in place of those of the last one in its folder."""
    session = server.session
    present = {key: document.text() for key, document in session.documents.by_key.items()}
    touched = session.board.put_up(key_of(Path(report.workspace)), found, present)
    session.showing.update(touched, settled=True)


def _tell_changed(server: VerifyServer, report: Report, text: bytes) -> None:
    if report.session_id is not None:
        session_id = json.dumps(report.session_id).encode()
        pattern = b'{"sessionId":%b,"event":{"type":"verification","report":%b}}'
        server.line.tell(SESSION_EVENT, RawJson(pattern % (session_id, text)))
    server.line.tell(CHANGED, _changed(report.id, report.session_id))


def _changed(report_id: str, session_id: str | None) -> dict[str, str]:
    changed = {"reportId": report_id}
    return changed if session_id is None else changed | {"sessionId": session_id}
