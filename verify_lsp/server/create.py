"""The server with all its routes."""

from collections.abc import Callable
from functools import partial
from typing import Any

from lsprotocol import types as lsp

from verify_lsp.model.errors import UsageError
from verify_lsp.server import params, routes
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.features import commands, documents, run_events, runs
from verify_lsp.server.guarded import guarded_notification, guarded_request
from verify_lsp.server.routes import RUN_COMMAND, OwnRoute, Route


def create_server(runs: str) -> VerifyServer:
    """Return a server that answers its routes. Call it on the loop that it will live on.

    Args:
        runs: What makes the runs, as in `verify_lsp.runs:Runs`.
    """
    server = VerifyServer(runs, run_events.deliver)
    for route in routes.REQUESTS:
        _add_request(server, route)
    for route in routes.NOTIFICATIONS:
        handle = partial(route.handler, server)
        server.feature(route.method, route.options)(guarded_notification(route.method, handle))
    for own in routes.OWN_REQUESTS:
        server.feature(own.method)(guarded_request(own.method, _reading(server, own)))
    for own in routes.OWN_NOTIFICATIONS:
        server.feature(own.method)(guarded_notification(own.method, _noting(server, own)))
    _add_commands(server)
    own_methods = {own.method for own in (*routes.OWN_REQUESTS, *routes.OWN_NOTIFICATIONS)}
    server.line.raw_methods = frozenset(own_methods | {lsp.WORKSPACE_EXECUTE_COMMAND})
    server.line.unreadable = partial(documents.unreadable, server)
    return server


def _add_request(server: VerifyServer, route: Route) -> None:
    handle = partial(route.handler, server)
    if route.method == lsp.INITIALIZE:
        handle = partial(_initialize, server, route)
    server.feature(route.method, route.options)(guarded_request(route.method, handle))


def _initialize(server: VerifyServer, route: Route, asked: lsp.InitializeParams) -> None:
    """Offer pulled diagnostics only to a client that pulls, so that the capabilities say no more than holds."""
    route.handler(server, asked)
    if server.session.client.pulls:
        for pulled in routes.PULLED:
            _add_request(server, pulled)


def _reading(server: VerifyServer, own: OwnRoute) -> Callable[[Any], Any]:
    async def answer(raw: Any) -> Any:
        return await own.handler(server, *params.read_params(raw, own.params))

    return answer


def _noting(server: VerifyServer, own: OwnRoute) -> Callable[[Any], None]:
    def take(raw: Any) -> None:
        own.handler(server, params.read_params(raw, own.params)[0])

    return take


def _add_commands(server: VerifyServer) -> None:
    known = {own.command: own for own in routes.OWN_REQUESTS if own.command is not None}
    for name in known:
        server.command(name)(_unreachable)

    async def execute(raw: Any) -> Any:
        command, token = params.read_params(raw, params.Command)
        own = known.get(command.command)
        if own is None:
            raise UsageError(f"command: no such command: {command.command}")
        answer = await own.handler(server, *params.read_params(commands.argument(command, token), own.params))
        if command.command == RUN_COMMAND:
            runs.show_as_document(server, answer)
        return answer

    server.feature(lsp.WORKSPACE_EXECUTE_COMMAND)(guarded_request(lsp.WORKSPACE_EXECUTE_COMMAND, execute))


def _unreachable(*_: Any) -> None:
    """Stand in pygls' table of commands, from which the capabilities are made."""
