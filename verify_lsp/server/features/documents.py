"""Open documents: what they say now decides which findings still hold."""

from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from verify_lsp.server.base import VerifyServer
from verify_lsp.server.board.spans import same_text
from verify_lsp.server.features import inline, writes
from verify_lsp.server.texts.disk import look_at
from verify_lsp.server.texts.document import Change, Document


def opened(server: VerifyServer, params: lsp.DidOpenTextDocumentParams) -> None:
    """Take a text and look at it; what was found in another one does not hold for it."""
    session, item = server.session, params.text_document
    key = session.documents.open(item.uri, item.version, item.text, item.language_id)
    if key is None:
        return
    document = session.documents.by_key[key]
    document.saved = _is_on_disk(key, document)
    touched = session.layers.settle(key, item.text) | inline.look(server, key, tell=False)
    session.showing.update(touched, settled=True, looked={key})
    inline.ask_around(server, key)


def _is_on_disk(key: str, document: Document) -> bool:
    on_disk, text = look_at(Path(key)).text, document.text()
    return on_disk is not None and text is not None and same_text(on_disk, text)


def changed(server: VerifyServer, params: lsp.DidChangeTextDocumentParams) -> None:
    """Follow edits: findings move with their lines, and go when their own line was edited, until the next look."""
    session = server.session
    known = session.documents.get(params.text_document.uri)
    if known is None:
        return
    key, document = known
    encoding, was_known = session.client.encoding, document.synced
    edits = [document.apply(_change(event), encoding) for event in params.content_changes]
    document.version = params.text_document.version
    session.documents.use(key)
    if session.layers.knows(key):
        text = document.text()
        touched = session.layers.edit(key, edits, text) if was_known else session.layers.settle(key, text)
        session.showing.update(touched, settled=False)
    session.seen.stir()
    if session.settings_of(session.folders.owner(key)).inline_on_change:
        inline.look_later(server, key)


def saved(server: VerifyServer, params: lsp.DidSaveTextDocumentParams) -> None:
    """Look at a file anew: now its text is the one on disk."""
    session = server.session
    known = session.documents.get(params.text_document.uri)
    if known is None:
        writes.arrived(server, [params.text_document.uri])
        return
    key, document = known
    if params.text is not None and document.text() != params.text:
        document.apply(Change(params.text), session.client.encoding)
    document.saved = True
    session.documents.use(key)
    touched = {key} if session.layers.knows(key) else set[str]()
    if any(sheet.settled is None for board in session.layers.all if (sheet := board.sheets.get(key)) is not None):
        touched |= session.layers.settle(key, document.text())
    if session.settings_of(session.folders.owner(key)).inline_on_save:
        touched |= inline.look(server, key, tell=False)
        session.showing.update(touched, settled=True, looked={key})
        inline.ask_around(server, key)
    else:
        session.showing.update(touched, settled=True)


def closed(server: VerifyServer, params: lsp.DidCloseTextDocumentParams) -> None:
    """From now on the file's text is the one on disk, and its findings are those of that text.

    A buffer without a name is gone.
    """
    session = server.session
    key = session.documents.close(params.text_document.uri)
    if key is None:
        return
    inline.cancel_later_look(server, key)
    if key == params.text_document.uri:
        touched = session.layers.settle(key, None) | session.layers.take_down(key)
        session.showing.update(touched, settled=True)
        return
    session.showing.update(session.layers.settle(key, look_at(Path(key)).text), settled=True)
    writes.arrived(server, [params.text_document.uri])


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
        inline.cancel_later_look(server, key)
        session.showing.update(session.layers.settle(key, None), settled=True)


def _change(event: lsp.TextDocumentContentChangeEvent) -> Change:
    if not isinstance(event, lsp.TextDocumentContentChangePartial):
        return Change(event.text)
    start, end = event.range.start, event.range.end
    return Change(event.text, (start.line, start.character), (end.line, end.character))
