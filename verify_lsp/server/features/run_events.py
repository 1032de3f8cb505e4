"""What the news of a run set off: the stream to the client, progress, findings on the board."""

import json
from pathlib import Path

from lsprotocol import types as lsp

from verify_lsp.server.base import VerifyServer
from verify_lsp.server.features.shown_report import show_report
from verify_lsp.server.running.messages import News
from verify_lsp.server.running.records import Record
from verify_lsp.server.texts.uris import key_of
from verify_lsp.server.wire.answer import RawJson

EVENT = "verify/event"
CHANGED = "verify/changed"
SESSION_EVENT = "verify/sessionEvent"
_FACTS_KEPT = 32
_FIELDS = {"report": "report", "check": "check", "done": "report", "error": "error"}


def deliver(server: VerifyServer, news: News) -> None:
    """Take news of a run, and pass them on as soon as the client knows of the run."""
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
    pattern = b'{"reportId":"%b","event":{"type":"%b","%b":%b}}'
    parts = (news.report_id.encode(), news.kind.encode(), _FIELDS[news.kind].encode(), news.text)
    server.line.tell(EVENT, RawJson(pattern % parts))
    if record.progress is not None:
        for kind, _ in news.checks if news.kind == "check" else ():
            record.progress.check(kind, record.checks)
        if news.kind in {"done", "error"}:
            record.progress.end(news.status or "error")
    if news.kind == "done":
        conclude(server, news)
        if record.as_document:
            server.in_background("showing a report", show_report(server, news.report_id, record.folder))
    elif news.kind == "error":
        server.log_message(f"verify-lsp: {json.loads(news.text)}", lsp.MessageType.Warning)
        server.line.tell(CHANGED, _changed(news.report_id, record.session_id))


def conclude(server: VerifyServer, news: News) -> None:
    """Show what an ended run found in place of what the last one of its folder did, and tell of its report."""
    session = server.session
    if news.concludes:
        present = {key: document.text() for key, document in session.documents.by_key.items()}
        touched = session.layers.runs.put_up(key_of(Path(news.workspace)), news.found, present)
        session.facts[news.report_id] = news.facts
        while len(session.facts) > _FACTS_KEPT:
            del session.facts[next(iter(session.facts))]
        session.showing.update(touched, settled=True)
    if news.session_id is not None:
        pattern = b'{"sessionId":%b,"event":{"type":"verification","report":%b}}'
        server.line.tell(SESSION_EVENT, RawJson(pattern % (json.dumps(news.session_id).encode(), news.text)))
    server.line.tell(CHANGED, _changed(news.report_id, news.session_id))


def _changed(report_id: str, session_id: str | None) -> dict[str, str]:
    changed = {"reportId": report_id}
    return changed if session_id is None else changed | {"sessionId": session_id}
