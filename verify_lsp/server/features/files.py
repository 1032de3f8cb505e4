"""Files on disk: what is gone, renamed or written by others takes its findings along."""

import asyncio
import os
from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from verify_lsp.server.base import VerifyServer
from verify_lsp.server.folders import is_below
from verify_lsp.server.running.news import text_on_disk
from verify_lsp.server.texts.open_documents import file_key
from verify_lsp.server.texts.uris import path_of

_REGISTER_LIMIT_S = 10.0
LOOK_EVERY_S = 1.0


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
            touched |= board.settle(new + below, _present(server, new + below))
    server.session.showing.update(touched, settled=True)


async def watch(server: VerifyServer) -> None:
    """Look after the files with findings ourselves: not every client watches, or tells of what others wrote."""
    stamps: dict[str, tuple[int, int] | None] = {}
    while True:
        await asyncio.sleep(LOOK_EVERY_S)
        sheets = server.session.board.sheets
        now = {key: _stamp(key) for key in sheets}
        changed = [key for key, stamp in now.items() if key in stamps and stamps[key] != stamp]
        stamps = now
        _settle(server, changed)


def _look_at(server: VerifyServer, uris: Iterable[str]) -> None:
    keys = {key for uri in uris if (key := file_key(uri)) is not None}
    _settle(server, keys & set(server.session.board.sheets))


def _settle(server: VerifyServer, keys: Iterable[str]) -> None:
    session = server.session
    touched: set[str] = set()
    for key in keys:
        document = session.documents.by_key.get(key)
        sheet = session.board.sheets[key]
        there = Path(key).is_file()
        if document is not None and there and sheet.settled is not None:
            continue  # What counts of an open document is its own text, and that is followed already.
        touched |= session.board.settle(key, _present(server, key) if there else None)
    session.showing.update(touched, settled=True)


def _present(server: VerifyServer, key: str) -> str | None:
    document = server.session.documents.by_key.get(key)
    return document.text() if document else text_on_disk(Path(key))


def _stamp(key: str) -> tuple[int, int] | None:
    try:
        found = os.stat(key)  # noqa: PTH116  # One call for a name that is no Path.
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
