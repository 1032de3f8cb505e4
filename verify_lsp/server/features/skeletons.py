"""`verify/insertTest`: a test for a fault that none notices, begun where its kind stand, for the user to finish."""

from pathlib import Path
from typing import Any

from pygls.exceptions import JsonRpcException

from verify_lsp.inspection.relocate import Refusal
from verify_lsp.model.rewrite import Rewrite, TextEdit
from verify_lsp.mutation.skeletons.base import NOT_WRITTEN, Skeleton
from verify_lsp.server import params
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.features.survivors import survivor_of
from verify_lsp.server.features.workspace_edit import apply_edit, new_file, workspace_edit
from verify_lsp.server.inline.edits import edits_of
from verify_lsp.server.texts.uris import key_of

Json = dict[str, Any]

_SHOW_LIMIT_S = 10.0
_LABEL = "verify-lsp: insert a failing test"


async def insert_test(server: VerifyServer, asked: params.OneMutant, _: params.Token | None) -> Json:
    """Have the client insert a failing test and show it, or answer why there is none."""
    survivor = await survivor_of(server, asked)
    if isinstance(survivor, Refusal):
        return _refused(server, survivor.reason)
    workspace = survivor.workspace
    texts = _open_texts(server, workspace)
    skeleton: Skeleton | None = await server.worker.call("skeleton", workspace, survivor.mutant, texts)
    if skeleton is None:
        return _refused(server, f"no place for a test of {survivor.mutant.path} was found")
    edit = _edit(server, workspace, skeleton)
    if isinstance(edit, Refusal):
        return {**_refused(server, edit.reason), "path": skeleton.path, "text": skeleton.text}
    answer = await apply_edit(server, _LABEL, edit)
    if answer["applied"]:
        await _show(server, workspace, skeleton)
    return {**answer, "path": skeleton.path, "text": skeleton.text}


def _refused(server: VerifyServer, reason: str) -> Json:
    server.show_message(f"verify-lsp: {reason}")
    return {"applied": False, "reason": reason}


def _open_texts(server: VerifyServer, workspace: Path) -> dict[str, str]:
    """Return the open documents below a folder by their paths relative to it."""
    folder = Path(key_of(workspace))
    open_documents = server.session.documents.by_key.items()
    return {
        Path(key).relative_to(folder).as_posix(): text
        for key, document in open_documents
        if Path(key).is_relative_to(folder) and (text := document.text()) is not None
    }


def _edit(server: VerifyServer, workspace: Path, skeleton: Skeleton) -> Json | Refusal:
    session = server.session
    full = workspace / skeleton.path
    key = key_of(full)
    document = session.documents.by_key.get(key)
    uri = session.folders.address(full) if document is None else document.uri
    if skeleton.before is None:
        if not session.client.creates_files:
            return Refusal(f"this client makes no files; put the test into {skeleton.path} yourself")
        return new_file(uri, skeleton.text)
    if document is not None and document.text() != skeleton.before:
        return Refusal(f"{skeleton.path} was changed meanwhile; try again")
    rewrite = Rewrite(_LABEL, (TextEdit(skeleton.at, skeleton.at, skeleton.text),))
    return workspace_edit(session, key, uri, edits_of(rewrite, skeleton.before, session.client.encoding))


async def _show(server: VerifyServer, workspace: Path, skeleton: Skeleton) -> None:
    """Take the user to what is to be written; a client that shows nothing has made the edit all the same."""
    if not server.session.client.shows_documents:
        return
    lines = skeleton.after.split("\n")
    first = skeleton.after.count("\n", 0, skeleton.at)
    line = next((row for row in range(first, len(lines)) if NOT_WRITTEN in lines[row]), first)
    place = {"line": line, "character": len(lines[line]) - len(lines[line].lstrip())}
    uri = server.session.folders.address(workspace / skeleton.path)
    shown = {"uri": uri, "takeFocus": True, "selection": {"start": place, "end": place}}
    try:
        await server.line.ask("window/showDocument", shown, _SHOW_LIMIT_S)
    except (JsonRpcException, TimeoutError) as error:
        server.log_message(f"verify-lsp: the test was not shown: {error}")
