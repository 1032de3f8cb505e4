"""Files that were written, by whomever, until they have come to rest."""

import asyncio
from collections.abc import Callable, Iterable

QUIET_S = 0.1
LONGEST_S = 1.0
"""A pass begins when nothing more was written for `QUIET_S`, and at the latest after `LONGEST_S`."""


class Writes:
    """Collects what was written, and hands it over in one go."""

    def __init__(self) -> None:
        self._keys: set[str] = set()
        self._since: float | None = None
        self._timer: asyncio.TimerHandle | None = None

    def arrived(self, keys: Iterable[str], hand_over: Callable[[set[str]], None]) -> None:
        """Add files; `hand_over` is called with all of them once they have come to rest."""
        new = set(keys)
        if not new:
            return
        loop = asyncio.get_running_loop()
        self._keys |= new
        self._since = loop.time() if self._since is None else self._since
        if self._timer is not None:
            self._timer.cancel()
        due = min(loop.time() + QUIET_S, self._since + LONGEST_S)
        self._timer = loop.call_at(due, self._deliver, hand_over)

    def _deliver(self, hand_over: Callable[[set[str]], None]) -> None:
        keys, self._keys, self._since, self._timer = self._keys, set(), None, None
        hand_over(keys)
