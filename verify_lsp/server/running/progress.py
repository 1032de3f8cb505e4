"""A run as the client's progress display shows it: one title a run, one message a check."""

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol

from pygls.exceptions import JsonRpcException

from verify_lsp.model.finding import CheckKind
from verify_lsp.model.report import CheckStatus
from verify_lsp.model.scope import VerifyScope

PROGRESS = "$/progress"
CREATE = "window/workDoneProgress/create"
_CREATE_LIMIT_S = 10.0
_SCOPES = {"working-tree": "the working tree", "staged": "what is staged", "branch": "the branch"}


class Line(Protocol):
    """The way to the client."""

    def tell(self, method: str, params: Any) -> None:
        """Send a notification."""

    async def ask(self, method: str, params: Any, limit_s: float) -> Any:
        """Send a request and return its result."""


class Progress:
    """One run's display.

    Args:
        create: True for a token of our own, which the client must accept first.
    """

    def __init__(self, line: Line, token: str | int, scope: VerifyScope, *, create: bool) -> None:
        self.line, self.token, self.scope = line, token, scope
        self._ready = not create
        self._waiting: list[dict[str, Any]] = []
        self._begun = self._ended = False
        self._named: set[CheckKind] = set()
        self._creating = asyncio.ensure_future(self._create()) if create else None

    def begin(self) -> None:
        """Show the title."""
        if not self._begun:
            self._begun = True
            title = f"Verifying {_SCOPES.get(self.scope.kind, 'the ' + self.scope.kind)}"
            self._send({"kind": "begin", "title": title, "cancellable": True, "percentage": 0})

    def check(self, kind: CheckKind, checks: Mapping[CheckKind, CheckStatus]) -> None:
        """Name a check once, when it begins; `checks` tells how all of them stand."""
        if checks[kind] == "pending" or kind in self._named:
            return
        self.begin()
        self._named.add(kind)
        ended = sum(status not in {"pending", "running"} for status in checks.values())
        self._send({"kind": "report", "message": kind, "percentage": 100 * ended // len(checks)})

    def end(self, message: str) -> None:
        """Take the display away."""
        if not self._ended:
            self.begin()
            self._ended = True
            self._send({"kind": "end", "message": message})

    def _send(self, value: dict[str, Any]) -> None:
        if self._ready:
            self.line.tell(PROGRESS, {"token": self.token, "value": value})
        else:
            self._waiting.append(value)

    async def _create(self) -> None:
        try:
            await self.line.ask(CREATE, {"token": self.token}, _CREATE_LIMIT_S)
        except (JsonRpcException, TimeoutError):
            return  # A client that will not show it is left in peace.
        self._ready = True
        for value in self._waiting:
            self._send(value)
