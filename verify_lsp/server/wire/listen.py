"""Waiting for one client on a socket."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from verify_lsp.model.errors import EngineError, UsageError
from verify_lsp.server.wire.channel import Channel, SocketChannel, WebSocketChannel

Converse = Callable[[Channel], Awaitable[int]]


async def on_socket(host: str, port: int, converse: Converse) -> int:
    """Serve the first client that connects; later ones are turned away."""
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    taken = False

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal taken
        if taken:
            writer.close()
            return
        taken = True
        await _settle(ended, converse(SocketChannel(reader, writer)))

    try:
        server = await asyncio.start_server(connected, host, port)
    except OSError as error:
        raise EngineError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
    async with server:
        _tell_address(server.sockets)
        return await ended


async def on_websocket(host: str, port: int, converse: Converse) -> int:
    """Serve the first client that connects; later ones are turned away."""
    try:
        from websockets.asyncio.server import serve
    except ImportError:
        raise UsageError("--ws needs the package `websockets`: pip install 'verify-lsp[ws]'") from None
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    taken = False

    async def connected(connection: Any) -> None:
        nonlocal taken
        if not taken:
            taken = True
            await _settle(ended, converse(WebSocketChannel(connection)))

    try:
        server = await serve(connected, host, port, max_size=None)
    except OSError as error:
        raise EngineError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
    async with server:
        _tell_address(server.sockets)
        return await ended


async def _settle(ended: "asyncio.Future[int]", conversation: Awaitable[int]) -> None:
    try:
        ended.set_result(await conversation)
    except Exception as error:  # noqa: BLE001  # Handed on to whoever waits for the end.
        ended.set_exception(error)


def _tell_address(sockets: Any) -> None:
    for socket in sockets:
        host, port = socket.getsockname()[:2]
        print(f"verify-lsp listens on {host}:{port}", file=sys.stderr, flush=True)  # noqa: T201  # for the user
