"""Edits of one document, in the form that the client understands, and the client asked to make them."""

from typing import Any

from pygls.exceptions import JsonRpcException

from verify_lsp.server.base import VerifyServer
from verify_lsp.server.session import Session

Json = dict[str, Any]

_APPLY_LIMIT_S = 30.0


def workspace_edit(session: Session, key: str, uri: str, edits: list[Json]) -> Json:
    """Return the edit of one document, bound to its version where the client understands that."""
    document = session.documents.by_key.get(key)
    if not session.client.versions_edits:
        return {"changes": {uri: edits}}
    version = None if document is None else document.version
    return {"documentChanges": [{"textDocument": {"uri": uri, "version": version}, "edits": edits}]}


def new_file(uri: str, text: str) -> Json:
    """Return the edit that makes a file, for a client that can; a file that is there stays as it is."""
    start = {"line": 0, "character": 0}
    written = {"range": {"start": start, "end": start}, "newText": text}
    create = {"kind": "create", "uri": uri, "options": {"ignoreIfExists": False, "overwrite": False}}
    return {"documentChanges": [create, {"textDocument": {"uri": uri, "version": None}, "edits": [written]}]}


async def apply_edit(server: VerifyServer, label: str, edit: Json) -> Json:
    """Have the client make an edit, and answer what came of it: `{applied, edit, reason?}`."""
    if not server.session.client.applies_edits:
        reason = "this client makes no edits that it is sent; make it yourself"
        return {"applied": False, "edit": edit, "reason": reason}
    try:
        answer = await server.line.ask("workspace/applyEdit", {"label": label, "edit": edit}, _APPLY_LIMIT_S)
    except (JsonRpcException, TimeoutError) as error:
        return {"applied": False, "edit": edit, "reason": f"the client did not make the edit: {error}"}
    applied = isinstance(answer, dict) and answer.get("applied") is True
    if applied:
        return {"applied": True, "edit": edit}
    said = answer.get("failureReason") if isinstance(answer, dict) else None
    return {"applied": False, "edit": edit, "reason": str(said or "the client refused the edit")}
