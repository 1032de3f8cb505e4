"""Starting the server on one of its three ways to a client."""

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from verify_lsp.server.running.host import Runs
    from verify_lsp.server.wire.channel import Channel

FLUSH_LIMIT_S = 1.0


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


def serve(transport: Transport, make_runs: "Callable[[], Runs] | None" = None) -> int:
    """Serve one client until it leaves; return the exit code: 0 after a `shutdown`, 1 without.

    Raises:
        UsageError: The address cannot be listened on, or WebSockets are not installed.
    """
    pipes = _keep_protocol_apart() if isinstance(transport, Stdio) else None
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    return asyncio.run(_serve(transport, pipes, make_runs or _real_runs))


def _real_runs() -> "Runs":
    from verify_lsp.runs import Runs as RealRuns

    return RealRuns()


def _keep_protocol_apart() -> tuple[int, int]:
    """Move the protocol to descriptors that nobody else knows.

    What prints, here or in a child that inherits descriptor 1, prints to stderr from now on; what
    reads, reads nothing.
    """
    sys.stdout.flush()
    incoming, outgoing = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (incoming, outgoing):
            msvcrt.setmode(descriptor, os.O_BINARY)
    return incoming, outgoing


async def _serve(transport: Transport, pipes: tuple[int, int] | None, make_runs: "Callable[[], Runs]") -> int:
    from verify_lsp.server.wire import listen
    from verify_lsp.server.wire.channel import PipeChannel

    match transport:
        case Stdio():
            incoming, outgoing = pipes or (0, 1)
            return await converse(PipeChannel(incoming, outgoing), make_runs)
        case Tcp(host, port):
            return await listen.on_socket(host, port, lambda channel: converse(channel, make_runs))
        case WebSocket(host, port):
            return await listen.on_websocket(host, port, lambda channel: converse(channel, make_runs))


async def converse(channel: "Channel", make_runs: "Callable[[], Runs]") -> int:
    """Talk to one client until it leaves, then end what it started; return the exit code."""
    from verify_lsp.server.create import create_server
    from verify_lsp.server.features.lifecycle import CLOSE_LIMIT_S

    server = create_server(make_runs)
    server.line.channel = channel
    for name in ("SIGTERM", "SIGINT"):
        with contextlib.suppress(NotImplementedError, ValueError):  # Windows has no such handlers.
            asyncio.get_running_loop().add_signal_handler(getattr(signal, name), server.line.leaving.set)
    listening = asyncio.ensure_future(_listen(channel, server.line.receive))
    leaving = asyncio.ensure_future(server.line.leaving.wait())
    await asyncio.wait([listening, leaving], return_when=asyncio.FIRST_COMPLETED)
    for task in (listening, leaving):
        task.cancel()
    # After `shutdown` the runs have had their time to end.
    await server.runs.close(FLUSH_LIMIT_S if server.line.shut_down else CLOSE_LIMIT_S)
    await channel.close(FLUSH_LIMIT_S)
    return 0 if server.line.shut_down else 1


async def _listen(channel: "Channel", receive: Callable[[bytes], None]) -> None:
    while (body := await channel.receive()) is not None:
        receive(body)
        await asyncio.sleep(0)  # Let what the message set off begin before the next one is read.
