"""Reading a pipe to its end in bounded memory: the head and the tail of what comes are kept."""

import codecs
import os
from collections.abc import Callable

import anyio

_CHUNK = 65536
_LONGEST_LINE = 65536


class Capture:
    """One output pipe of a command. The descriptor stays the caller's to close.

    Args:
        head: Bytes kept of the beginning.
        tail: Bytes kept of the end, where there is more than the head.
        on_output: Told each piece as it comes.
    """

    def __init__(self, descriptor: int, head: int, tail: int, on_output: Callable[[str], None] | None) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._limits = (head, tail)
        self._head = bytearray()
        self._tail = bytearray()
        self._left_out = 0
        self._on_output = on_output
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.ended = anyio.Event()

    @property
    def truncated(self) -> bool:
        """True when the middle was left out."""
        return self._left_out > 0

    async def drain(self) -> None:
        """Read until the last process that holds the other end has closed it."""
        while True:
            await anyio.wait_readable(self._descriptor)
            try:
                chunk = os.read(self._descriptor, _CHUNK)
            except BlockingIOError:
                continue
            if not chunk:
                break
            self._keep(chunk)
            if self._on_output is not None and (text := self._decoder.decode(chunk)):
                self._on_output(text)
        self.ended.set()

    def text(self) -> str:
        """Return what was kept. Where something was left out, whole lines surround a sentence that says so."""
        if not self.truncated:
            return (self._head + self._tail).decode("utf-8", "replace")
        tail = bytes(self._tail[-self._limits[1] :])
        dropped = self._left_out + len(self._tail) - len(tail)
        # A parser of lines must not take the rest of a line for a line.
        head_end = self._head.rfind(b"\n", -_LONGEST_LINE) + 1 or len(self._head)
        tail_start = tail.find(b"\n", 0, _LONGEST_LINE) + 1
        dropped += len(self._head) - head_end + tail_start
        before = self._head[:head_end].decode("utf-8", "replace")
        after = tail[tail_start:].decode("utf-8", "replace")
        separator = "" if before.endswith("\n") else "\n"
        return f"{before}{separator}[... {dropped} bytes left out ...]\n{after}"

    def _keep(self, chunk: bytes) -> None:
        head, tail = self._limits
        room = head - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        self._tail += chunk
        # Cutting only at double the limit moves each byte once, whatever the size of the pieces.
        if len(self._tail) > 2 * tail:
            self._left_out += len(self._tail) - tail
            del self._tail[:-tail]
