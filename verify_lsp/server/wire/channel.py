"""Channels to one client: each gives and takes the bodies of whole messages."""

import asyncio
import contextlib
import os
import queue
import re
import threading
from collections.abc import Callable
from typing import Any, Protocol

LARGEST = 1 << 30
_HEADER_LIMIT = 1 << 16
_CONTENT_LENGTH = re.compile(rb"(?<![\w-])content-length[ \t]*:[ \t]*([0-9]{1,18})[ \t]*\r?\n", re.IGNORECASE)


class Channel(Protocol):
    """A way to one client."""

    async def receive(self) -> bytes | None:
        """Return the body of the next message; None when the client is gone."""

    def send(self, body: bytes) -> None:
        """Send a message; returns at once and never raises, even when the client is gone."""

    async def close(self, limit_s: float) -> None:
        """Send what is still waiting, for at most `limit_s` seconds, and close."""


def framed(body: bytes) -> bytes:
    """Return `body` with its header."""
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


async def read_framed(reader: asyncio.StreamReader) -> bytes | None:
    """Return the body of the next message of a stream; None at its end, or when it is no such stream."""
    try:
        while True:
            length = _length(await reader.readuntil(b"\r\n\r\n"))
            if length is not None:
                return await reader.readexactly(length) if length <= LARGEST else None
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
        return None


def _length(header: bytes) -> int | None:
    # The last one: what stands before it may be left over from a message whose header was wrong.
    lengths = _CONTENT_LENGTH.findall(header)
    return int(lengths[-1]) if lengths else None


class PipeChannel:
    """Two file descriptors, read and written by threads of their own.

    The event loop never waits for the client: not for its messages, and not for it to read ours. The
    threads are daemons, because a read from a pipe cannot be called off.
    """

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._reader = asyncio.StreamReader(limit=_HEADER_LIMIT)
        self._ended = False
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._written = asyncio.Event()
        for work, fd in ((self._read, read_fd), (self._write, write_fd)):
            threading.Thread(target=work, args=(fd,), daemon=True).start()

    async def receive(self) -> bytes | None:
        """Return the body of the next message; None when the client is gone."""
        return await read_framed(self._reader)

    def send(self, body: bytes) -> None:
        """Queue a message."""
        self._outgoing.put(framed(body))

    async def close(self, limit_s: float) -> None:
        """Send what is still waiting, for at most `limit_s` seconds."""
        self._outgoing.put(None)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._written.wait(), limit_s)

    def _read(self, fd: int) -> None:
        with contextlib.suppress(OSError):
            while chunk := os.read(fd, 1 << 16):
                self._soon(self._feed, chunk)
        self._soon(self._end)

    def _write(self, fd: int) -> None:
        with contextlib.suppress(OSError):
            while (message := self._outgoing.get()) is not None:
                rest = memoryview(message)
                while rest:
                    rest = rest[os.write(fd, rest) :]
        self._soon(self._written.set)
        # Whoever does not read us is gone: a broken pipe ends the conversation, quietly.
        self._soon(self._end)

    def _feed(self, chunk: bytes) -> None:
        if not self._ended:
            self._reader.feed_data(chunk)

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self._reader.feed_eof()

    def _soon(self, call: Callable[..., object], *args: Any) -> None:
        with contextlib.suppress(RuntimeError):  # The loop is closed: nobody waits for this any more.
            self._loop.call_soon_threadsafe(call, *args)


class SocketChannel:
    """A TCP connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def receive(self) -> bytes | None:
        """Return the body of the next message; None when the client is gone."""
        return await read_framed(self._reader)

    def send(self, body: bytes) -> None:
        """Queue a message."""
        if not self._writer.is_closing():
            self._writer.write(framed(body))

    async def close(self, limit_s: float) -> None:
        """Send what is still waiting, for at most `limit_s` seconds, and hang up."""
        self._writer.close()
        with contextlib.suppress(TimeoutError, ConnectionError):
            await asyncio.wait_for(self._writer.wait_closed(), limit_s)


class WebSocketChannel:
    """A WebSocket connection: one message a frame, without headers."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._outgoing: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._sender = asyncio.ensure_future(self._send_all())

    async def receive(self) -> bytes | None:
        """Return the next message; None when the client is gone."""
        from websockets.exceptions import ConnectionClosed

        try:
            data = await self._connection.recv()
        except ConnectionClosed:
            return None
        return data.encode() if isinstance(data, str) else bytes(data)

    def send(self, body: bytes) -> None:
        """Queue a message."""
        self._outgoing.put_nowait(body)

    async def close(self, limit_s: float) -> None:
        """Send what is still waiting, for at most `limit_s` seconds, and hang up."""
        self._outgoing.put_nowait(None)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._sender, limit_s)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._connection.close(), limit_s)

    async def _send_all(self) -> None:
        from websockets.exceptions import ConnectionClosed

        with contextlib.suppress(ConnectionClosed):
            while (body := await self._outgoing.get()) is not None:
                await self._connection.send(body.decode())
