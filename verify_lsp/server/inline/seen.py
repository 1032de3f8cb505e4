"""Which content of which file has been looked at, and those who wait for it."""

import asyncio
import hashlib
from collections import OrderedDict

import attrs

_KEPT = 4096


@attrs.frozen
class Seen:
    """How far the looks at one file have come.

    Attributes:
        digest: SHA-256 of the text, in UTF-8.
        whole: True when also tools and git have been asked about this text.
        by_tool: True when a tool's word stands in place of what verifiers found in the text.
        skipped: Why the text was not, or not wholly, looked at.
    """

    digest: str
    whole: bool = False
    by_tool: bool = False
    skipped: str | None = None


class SeenTexts:
    """The looks that were taken lately, by file; the oldest are forgotten."""

    def __init__(self) -> None:
        self._by_key: OrderedDict[str, Seen] = OrderedDict()
        self._waiting: set[asyncio.Future[None]] = set()

    def of(self, key: str) -> Seen | None:
        """Return the last look at a file."""
        return self._by_key.get(key)

    def put(self, key: str, seen: Seen) -> None:
        """Remember a look."""
        self._by_key[key] = seen
        self._by_key.move_to_end(key)
        while len(self._by_key) > _KEPT:
            self._by_key.popitem(last=False)
        self.stir()

    def forget(self, key: str) -> None:
        """Forget a file, as its settings changed or it went."""
        self._by_key.pop(key, None)

    def clear(self) -> None:
        """Forget all files."""
        self._by_key.clear()

    def stir(self) -> None:
        """Wake those who wait for something to change."""
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)

    async def change(self, limit_s: float) -> None:
        """Wait until a text was looked at or changed, at most `limit_s` seconds."""
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(waiting)
        try:
            await asyncio.wait([waiting], timeout=limit_s)
        finally:
            self._waiting.discard(waiting)


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, as hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
