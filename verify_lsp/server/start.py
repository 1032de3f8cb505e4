"""Starting the server on one of its three ways to a client."""

import asyncio
import contextlib
import logging
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from verify_lsp.server.wire.apart import keep_protocol_apart

if TYPE_CHECKING:
    from verify_lsp.server.wire.channel import Channel

FLUSH_LIMIT_S = 1.0
TASKS_LIMIT_S = 2.0


@attrs.frozen
class Stdio:
    """The process's own input and output."""


@attrs.frozen
class Tcp:
    """One client on a socket; port 0 takes any free one, which is told on stderr."""

    host: str
    port: int


@attrs.frozen
class WebSocket:
    """One client on a WebSocket."""

    host: str
    port: int


Transport = Stdio | Tcp | WebSocket


def serve(transport: Transport, runs: str = "verify_lsp.runs:Runs") -> int:
    """Serve one client until it leaves; return the exit code: 0 after a `shutdown`, 1 without.

    Args:
        transport: The way to the client.
        runs: What makes the runs: module and name.

    Raises:
        EngineError: The address cannot be listened on.
        UsageError: WebSockets are not installed.
    """
    pipes = keep_protocol_apart() if isinstance(transport, Stdio) else (0, 1)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    return asyncio.run(_serve(transport, pipes, runs))


async def _serve(transport: Transport, pipes: tuple[int, int], runs: str) -> int:
    from verify_lsp.server.wire import listen
    from verify_lsp.server.wire.channel import PipeChannel

    match transport:
        case Stdio():
            return await converse(PipeChannel(*pipes), runs)
        case Tcp(host, port):
            return await listen.on_socket(host, port, lambda channel: converse(channel, runs))
        case WebSocket(host, port):
            return await listen.on_websocket(host, port, lambda channel: converse(channel, runs))


async def converse(channel: "Channel", runs: str) -> int:
    """Talk to one client until it leaves, then end what it started; return the exit code."""
    from verify_lsp.server.create import create_server
    from verify_lsp.server.features.lifecycle import CLOSE_LIMIT_S

    server = create_server(runs)
    server.line.channel = channel
    for name in ("SIGTERM", "SIGINT"):
        with contextlib.suppress(NotImplementedError, ValueError):  # Windows has no such handlers.
            asyncio.get_running_loop().add_signal_handler(getattr(signal, name), server.line.leaving.set)
    listening = asyncio.ensure_future(_listen(channel, server.line.receive))
    leaving = asyncio.ensure_future(server.line.leaving.wait())
    await asyncio.wait([listening, leaving], return_when=asyncio.FIRST_COMPLETED)
    for task in (listening, leaving):
        task.cancel()
    server.session.watch_anew.set()  # The thread that watches files hears of nothing else.
    await server.tasks.close(TASKS_LIMIT_S)
    await server.worker.close(CLOSE_LIMIT_S)
    await channel.close(FLUSH_LIMIT_S)
    return 0 if server.line.shut_down else 1


async def _listen(channel: "Channel", receive: Callable[[bytes], None]) -> None:
    while (body := await channel.receive()) is not None:
        receive(body)
        await asyncio.sleep(0)  # Let what the message set off begin before the next one is read.
