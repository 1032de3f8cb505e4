"""Files on disk: what is gone, renamed or written by others takes its findings along."""

from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from verify_lsp.server.base import VerifyServer
from verify_lsp.server.folders import is_below
from verify_lsp.server.texts.disk import look_at
from verify_lsp.server.texts.open_documents import file_key
from verify_lsp.server.texts.uris import path_of

_REGISTER_LIMIT_S = 10.0


async def ask_to_watch(server: VerifyServer) -> None:
    """Ask the client to tell of files that change on disk."""
    watch = {
        "id": "verify-watched-files",
        "method": lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        "registerOptions": {"watchers": [{"globPattern": "**/*"}]},
    }
    try:
        await server.line.ask(lsp.CLIENT_REGISTER_CAPABILITY, {"registrations": [watch]}, _REGISTER_LIMIT_S)
    except (JsonRpcException, TimeoutError) as error:
        server.log_message(f"the editor does not watch files: {error}")


def watched(server: VerifyServer, params: lsp.DidChangeWatchedFilesParams) -> None:
    """Look anew at files that were written or removed, by whomever."""
    _look_at(server, (event.uri for event in params.changes))


def created(server: VerifyServer, params: lsp.CreateFilesParams) -> None:
    """Look anew at files that are back."""
    _look_at(server, (file.uri for file in params.files))


def deleted(server: VerifyServer, params: lsp.DeleteFilesParams) -> None:
    """Take down what was shown of files and folders that are gone."""
    board = server.session.board
    touched: set[str] = set()
    for file in params.files:
        gone = file_key(file.uri)
        for key in [key for key in board.sheets if gone is not None and is_below(key, gone)]:
            touched |= board.settle(key, None)
    server.session.showing.update(touched, settled=True)


def renamed(server: VerifyServer, params: lsp.RenameFilesParams) -> None:
    """Let findings go with their file, or with the files of their folder, to the new name."""
    board = server.session.board
    touched: set[str] = set()
    for file in params.files:
        old, new, path = file_key(file.old_uri), file_key(file.new_uri), path_of(file.new_uri)
        if old is None or new is None or path is None:
            continue
        for key in [key for key in board.sheets if is_below(key, old)]:
            below = key[len(old) :]
            touched |= board.rename(key, new + below, str(path) + below)
            look_at_files(server, {new + below})
    server.session.showing.update(touched, settled=True)


def look_at_files(server: VerifyServer, keys: Iterable[str]) -> None:
    """Look at files with findings anew that changed on disk."""
    session = server.session
    touched: set[str] = set()
    for key in keys:
        sheet, document = session.board.sheets[key], session.documents.by_key.get(key)
        on_disk = look_at(Path(key))
        sheet.stamp = on_disk.stamp
        if document is None:
            touched |= session.board.settle(key, on_disk.text)
        elif on_disk.stamp is None or sheet.settled is None:
            # What counts of an open document is its own text, unless its file went, or came back.
            touched |= session.board.settle(key, document.text() if on_disk.stamp else None)
    session.showing.update(touched, settled=True)


def _look_at(server: VerifyServer, uris: Iterable[str]) -> None:
    keys = {key for uri in uris if (key := file_key(uri)) is not None}
    look_at_files(server, keys & set(server.session.board.sheets))
