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


def deleted(server: VerifyServer, params: lsp.DeleteFilesParams) -> None:
    """Take down what was shown of files and folders that are gone."""
    session = server.session
    touched: set[str] = set()
    for file in params.files:
        gone = file_key(file.uri)
        for key in [key for key in session.layers.files() if gone is not None and is_below(key, gone)]:
            touched |= session.layers.settle(key, None)
    session.showing.update(touched, settled=True)


def renamed(server: VerifyServer, params: lsp.RenameFilesParams) -> set[str]:
    """Let findings go with their file, or with the files of their folder, to the new name; return the new names."""
    session = server.session
    touched: set[str] = set()
    names: set[str] = set()
    for file in params.files:
        old, new, path = file_key(file.old_uri), file_key(file.new_uri), path_of(file.new_uri)
        if old is None or new is None or path is None:
            continue
        names.add(new)
        for key in [key for key in session.layers.files() if is_below(key, old)]:
            below = key[len(old) :]
            # What was said of the text depends on the name, too; it is looked at anew.
            touched |= session.layers.take_down(key)
            touched |= session.layers.rename(key, new + below, str(path) + below)
            touched |= look_at_files(server, {new + below} & session.layers.files())
            names.add(new + below)
    session.showing.update(touched, settled=True)
    return names


def look_at_files(server: VerifyServer, keys: Iterable[str]) -> set[str]:
    """Look anew at files with findings that changed on disk; return those that may look different."""
    session = server.session
    touched: set[str] = set()
    for key in keys:
        document = session.documents.by_key.get(key)
        on_disk = look_at(Path(key))
        sheets = [sheet for board in session.layers.all if (sheet := board.sheets.get(key)) is not None]
        for sheet in sheets:
            sheet.stamp = on_disk.stamp
        if document is None:
            touched |= session.layers.settle(key, on_disk.text)
        elif on_disk.stamp is None or any(sheet.settled is None for sheet in sheets):
            # What counts of an open document is its own text, unless its file went, or came back.
            touched |= session.layers.settle(key, document.text() if on_disk.stamp else None)
    return touched
