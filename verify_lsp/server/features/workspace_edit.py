"""Edits of one document, in the form that the client understands."""

from typing import Any

from verify_lsp.server.session import Session

Json = dict[str, Any]


def workspace_edit(session: Session, key: str, uri: str, edits: list[Json]) -> Json:
    """Return the edit of one document, bound to its version where the client understands that."""
    document = session.documents.by_key.get(key)
    if not session.client.versions_edits:
        return {"changes": {uri: edits}}
    version = None if document is None else document.version
    return {"documentChanges": [{"textDocument": {"uri": uri, "version": version}, "edits": edits}]}
