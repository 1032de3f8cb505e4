"""Where mutants are tried: processes that were forked off at some point of the run, each for others that go on from there.

Everything here must work with Python 3.8.
"""

from __future__ import annotations

from collections.abc import Callable

from verify_lsp_forks import Visit  # type: ignore[import-not-found]  # it stands beside this file at run time
from verify_lsp_template import Template  # type: ignore[import-not-found]  # likewise


class Places:
    """The processes by the point at which they were forked off.

    Attributes:
        idle: Those that wait for orders.
    """

    def __init__(self) -> None:
        self.idle: dict[str, list[Template]] = {}
        self._all: list[Template] = []

    def fork(self, place: str, prepare: Callable[[], None], number: int) -> Visit | None:
        """Fork some off here. This returns None; in each process that they fork for an order, it returns that order.

        Args:
            prepare: See `Template.started`.
        """
        started = Template.started(prepare, self._all, number)
        if isinstance(started, Visit):
            return started
        self._all += started
        self.idle.setdefault(place, []).extend(started)
        return None

    def close(self) -> None:
        """Let the processes go, all at the same time."""
        for template in self._all:
            template.dismiss()
        for template in self._all:
            template.close()
