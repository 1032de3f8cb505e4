"""Settings, folders and trust: what the editor says of them, now and later."""

import asyncio
import contextlib
import logging

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from verify_lsp.server.base import VerifyServer
from verify_lsp.server.editor_settings import SECTION
from verify_lsp.server.features import writes
from verify_lsp.server.folders import is_below
from verify_lsp.server.params import Trust
from verify_lsp.server.session import Session

ASK_LIMIT_S = 5.0
_WAIT_LIMIT_S = 2.0


async def ask(server: VerifyServer) -> None:
    """Ask the client for the settings of each folder, and tell the user what is wrong with them."""
    session = server.session
    folders = list(session.folders.all)
    try:
        if session.client.configures:
            items = [{"scopeUri": folder.uri, "section": SECTION} for folder in folders] or [{"section": SECTION}]
            answer = await server.line.ask(lsp.WORKSPACE_CONFIGURATION, {"items": items}, ASK_LIMIT_S)
            said = answer if isinstance(answer, list) else []
            if folders:
                session.settings.by_folder = {folder.key: one for folder, one in zip(folders, said, strict=False)}
            elif said:
                session.settings.pushed = said[0]
    except (JsonRpcException, TimeoutError) as error:
        server.log_message(f"the editor did not tell its settings: {error}")
    finally:
        session.configured.set()
    report_problems(server)
    writes.look_anew(server)


async def known(server: VerifyServer) -> None:
    """Wait until the editor's settings are known, but not for a client that does not answer."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_WAIT_LIMIT_S):
            await server.session.configured.wait()
    server.session.configured.set()


def changed(server: VerifyServer, params: lsp.DidChangeConfigurationParams) -> None:
    """Take the settings that came along, and ask where the client can be asked."""
    settings = params.settings
    if isinstance(settings, dict) and isinstance(settings.get(SECTION), dict):
        server.session.settings.pushed = settings[SECTION]
    server.in_background("asking for settings", ask(server))


def folders_changed(server: VerifyServer, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    """Open and close folders; the findings of a closed one go with it."""
    session = server.session
    for removed in params.event.removed:
        folder = session.folders.remove(removed.uri)
        if folder is not None:
            session.settings.by_folder.pop(folder.key, None)
            session.showing.update(_closed(session, folder.key), settled=True)
    for added in params.event.added:
        session.folders.add(added.uri)
    session.arrivals.begin(folder.path for folder in session.folders.all)
    session.watch_anew.set()
    server.in_background("asking for settings", ask(server))


def _closed(session: Session, folder: str) -> set[str]:
    """Take down what was found in a folder; a document that stays open is looked at as a loose file."""
    touched = session.layers.runs.put_up(folder, (), {})
    for key in session.layers.files():
        if is_below(key, folder) and key not in session.documents.by_key and session.folders.owner(key) is None:
            touched |= session.layers.take_down(key)
    return touched


def trust_changed(server: VerifyServer, params: Trust) -> None:
    """Take the editor's word on the workspace."""
    server.session.trusted = params.trusted
    report_problems(server)
    writes.look_anew(server)


def set_log_level(trace: str) -> None:
    """Let the log say as much as the trace level asks for."""
    level = {"messages": logging.INFO, "verbose": logging.DEBUG}.get(trace, logging.WARNING)
    logging.getLogger("verify_lsp").setLevel(level)


def report_problems(server: VerifyServer) -> None:
    """Tell each problem with the settings once: all in the log, and wrong ones also to the user, in one message."""
    session = server.session
    wrong = list(session.settings.complaints)
    notes: list[str] = []
    for folder in session.folders.all:
        resolved = session.resolve(folder)
        wrong += session.wrong_settings(folder)
        notes += resolved.problems
        set_log_level(resolved.settings.trace)
    if not session.folders.all:
        wrong += session.settings.options(None).problems
    new = [problem for problem in dict.fromkeys([*wrong, *notes]) if problem not in session.told]
    session.told.update(new)
    for problem in new:
        server.log_message(f"verify-lsp: {problem}", lsp.MessageType.Warning)
    new_wrong = [problem for problem in new if problem in wrong]
    if new_wrong:
        more = f" (and {len(new_wrong) - 1} more, see the log)" if len(new_wrong) > 1 else ""
        server.show_message(f"verify-lsp: {new_wrong[0]}{more}")
