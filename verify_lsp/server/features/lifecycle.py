"""The beginning and the end of the conversation."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from verify_lsp.server.base import VerifyServer
from verify_lsp.server.board.policy import View, policy_for
from verify_lsp.server.client import client_of
from verify_lsp.server.features import configuration, files, looking, watching
from verify_lsp.server.texts.uris import uri_of
from verify_lsp.server.wire.parent import watch_parent

CLOSE_LIMIT_S = 2.0


def initialize(server: VerifyServer, params: lsp.InitializeParams) -> None:
    """Learn who the client is. What it is then offered follows from the routes, see `create.py`."""
    session = server.session
    for uri in _roots(params):
        session.folders.add(uri)
    options = params.initialization_options
    collects = options is not None and _read_options(server, options)
    session.client = client_of(params, server.workspace.position_encoding, collects=collects)
    policy = policy_for(session.client.name, offers_pull=session.client.pulls)
    session.showing.view = View(policy, session.client.encoding)
    if params.process_id is not None:
        server.in_background("watching the parent", watch_parent(params.process_id, server.line.leaving.set))
    server.line.initialized = True


def _roots(params: lsp.InitializeParams) -> list[str]:
    """Return what the client has open. A null and an absent field are the same to us: nothing."""
    if params.workspace_folders:
        return [folder.uri for folder in params.workspace_folders]
    if params.root_uri:
        return [params.root_uri]
    return [uri_of(Path(params.root_path))] if params.root_path else []


def _read_options(server: VerifyServer, options: Any) -> bool:
    """Take what is right of `initializationOptions`, keep what is wrong for the log; return the client's one offer."""
    session = server.session
    complain = session.settings.complaints.append
    if not isinstance(options, dict):
        complain("initializationOptions: expected an object")
        return False
    session.settings.initial = options.get("settings")
    session.trusted = _flag(options, "trusted", complain)
    for key in sorted(options.keys() - {"settings", "trusted", "capabilities"}):
        complain(f"initializationOptions: unknown field {key!r}")
    offers = options.get("capabilities")
    return _flag(offers, "collectDiagnostics", complain) is True if isinstance(offers, dict) else False


def _flag(options: Mapping[str, Any], name: str, complain: Callable[[str], None]) -> bool | None:
    value = options.get(name)
    if value is not None and not isinstance(value, bool):
        complain(f"initializationOptions: {name}: expected true or false")
        return None
    return value


def initialized(server: VerifyServer, _: lsp.InitializedParams) -> None:
    """Ask for what can only be asked for now: settings, and a watch on files."""
    server.session.arrivals.begin(folder.path for folder in server.session.folders.all)
    server.in_background("asking for settings", configuration.ask(server))
    if server.session.client.watches:
        server.in_background("asking to watch files", files.ask_to_watch(server))
    else:
        server.in_background("watching files", watching.watch(server))
    if server.session.folders.all:
        server.in_background("starting the worker", server.worker.warm_up())
    server.in_background("looking around", looking.look_around(server))


def set_trace(server: VerifyServer, params: lsp.SetTraceParams) -> None:
    """Log as much as the client wants to read."""
    server.line.trace = params.value
    configuration.set_log_level(params.value.value)


async def shutdown(server: VerifyServer, _: Any) -> None:
    """End all runs; `exit` is all that may come after."""
    server.line.begin_shutdown()
    await server.worker.close(CLOSE_LIMIT_S)


def leave(server: VerifyServer, _: Any) -> None:
    """End the conversation."""
    server.line.leaving.set()
