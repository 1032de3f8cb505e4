"""Diagnostics for clients that pull them."""

from typing import Any

from lsprotocol import types as lsp

from verify_lsp.server.base import VerifyServer
from verify_lsp.server.features import inline
from verify_lsp.server.texts.open_documents import document_key, file_key


def document(server: VerifyServer, params: lsp.DocumentDiagnosticParams) -> dict[str, Any]:
    """Answer what holds for one document, looking at its present text first; nothing does for what is no file."""
    key = document_key(params.text_document.uri)
    if key is None:
        return {"kind": "full", "items": []}
    if key in server.session.documents.by_key:
        inline.look_if_new(server, key)
    return server.session.showing.report(key, params.previous_result_id)


def workspace(server: VerifyServer, params: lsp.WorkspaceDiagnosticParams) -> dict[str, Any]:
    """Answer what holds for all files with findings, and for those that the client still shows some of."""
    previous = {
        key: (before.uri, before.value) for before in params.previous_result_ids if (key := file_key(before.uri))
    }
    return {"items": server.session.showing.reports(previous)}
