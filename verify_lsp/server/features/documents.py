"""Open documents: what they say now decides which findings still hold."""

from typing import Any

from lsprotocol import types as lsp

from verify_lsp.server.base import VerifyServer
from verify_lsp.server.texts.disk import look_at
from verify_lsp.server.texts.document import Change
from verify_lsp.server.texts.uris import path_of


def opened(server: VerifyServer, params: lsp.DidOpenTextDocumentParams) -> None:
    """Take a text; what was found in another one does not hold for it."""
    session, item = server.session, params.text_document
    key = session.documents.open(item.uri, item.version, item.text)
    if key is not None:
        session.showing.update(session.board.settle(key, item.text), settled=True)


def changed(server: VerifyServer, params: lsp.DidChangeTextDocumentParams) -> None:
    """Follow edits: findings move with their lines, and go when their own line was edited."""
    session = server.session
    known = session.documents.get(params.text_document.uri)
    if known is None:
        return
    key, document = known
    encoding, was_known = session.client.encoding, document.synced
    edits = [document.apply(_change(event), encoding) for event in params.content_changes]
    document.version = params.text_document.version
    session.documents.last_used = key
    if key in session.board.sheets:
        text = document.text()
        touched = session.board.edit(key, edits, text) if was_known else session.board.settle(key, text)
        session.showing.update(touched, settled=False)


def saved(server: VerifyServer, params: lsp.DidSaveTextDocumentParams) -> None:
    """Look at a file anew: now its text is the one on disk."""
    session = server.session
    known = session.documents.get(params.text_document.uri)
    if known is None:
        return
    key, document = known
    if params.text is not None and document.text() != params.text:
        document.apply(Change(params.text), session.client.encoding)
    session.documents.last_used = key
    sheet = session.board.sheets.get(key)
    if sheet is not None and sheet.settled is None:
        session.board.settle(key, document.text())
    session.showing.update({key} if sheet is not None else (), settled=True)


def closed(server: VerifyServer, params: lsp.DidCloseTextDocumentParams) -> None:
    """From now on the file's text is the one on disk: its findings stay when that is the text they were found in."""
    session = server.session
    key = session.documents.close(params.text_document.uri)
    path = path_of(params.text_document.uri)
    if key is not None and path is not None:
        present = look_at(path).text if key in session.board.sheets else None
        session.showing.update(session.board.settle(key, present), settled=True)


def unreadable(server: VerifyServer, method: str, params: Any) -> None:
    """After a change that cannot be read we do not know the text, and nothing holds for an unknown text."""
    if method != lsp.TEXT_DOCUMENT_DID_CHANGE or not isinstance(params, dict):
        return
    identifier = params.get("textDocument")
    uri = identifier.get("uri") if isinstance(identifier, dict) else None
    session = server.session
    known = session.documents.get(uri) if isinstance(uri, str) else None
    if known is not None:
        key, document = known
        document.synced = False
        session.showing.update(session.board.settle(key, None), settled=True)


def _change(event: lsp.TextDocumentContentChangeEvent) -> Change:
    if not isinstance(event, lsp.TextDocumentContentChangePartial):
        return Change(event.text)
    start, end = event.range.start, event.range.end
    return Change(event.text, (start.line, start.character), (end.line, end.character))
