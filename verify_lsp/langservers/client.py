"""The client's side of the protocol: what a server may ask of an editor, and what it publishes."""

import asyncio
from collections.abc import Callable, Mapping
from threading import Event
from typing import Any

from lsprotocol import types as lsp
from pygls.io_ import run_async
from pygls.lsp.client import LanguageClient

from verify_lsp import __version__

PROGRESS_PAUSE_S = 0.5
"""Servers end one progress and begin the next; idle is when none has run for this long."""


class Client(LanguageClient):
    """Keeps what a server publishes. An answer of the server's is awaited through `pygls`."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        super().__init__("verify-lsp", __version__)
        self._settings = settings
        self._progress: set[object] = set()
        self._was_busy = False
        self._quiescent: bool | None = None
        self._news = asyncio.Condition()
        self._tasks: list[asyncio.Task[Any]] = []
        self.published: dict[str, list[lsp.Diagnostic]] = {}
        self.gone = asyncio.Event()
        self.complaint: str | None = None
        self._stop = Event()
        for method, handler in self._handlers().items():
            self.feature(method)(handler)

    def attach(self, process: asyncio.subprocess.Process) -> None:
        """Talk to a server process over its pipes."""
        self.protocol.set_writer(process.stdin)  # type: ignore[arg-type]  # a StreamWriter is what it wants
        reading = run_async(self._stop, process.stdout, self.protocol, None, lambda *_: None)  # type: ignore[arg-type]  # likewise
        self._tasks = [asyncio.create_task(reading), asyncio.create_task(self._watch(process))]

    async def detach(self) -> None:
        """Stop listening to a server that has ended."""
        self._stop.set()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def published_for(self, uri: str) -> None:
        """Return when diagnostics, perhaps none, were published for a document."""
        await self._until(lambda: uri in self.published)

    async def idle(self) -> None:
        """Return when the server says that it is idle, after having been busy."""
        while True:
            await self._until(lambda: self._quiescent is True or (self._quiescent is None and self._rests()))
            if self._quiescent or not await self._news_within(PROGRESS_PAUSE_S):
                return

    async def quiet(self, seconds: float) -> None:
        """Return when nothing was published for this long."""
        while await self._news_within(seconds):
            pass

    def _rests(self) -> bool:
        return self._was_busy and not self._progress

    async def _until(self, holds: Callable[[], bool]) -> None:
        async with self._news:
            await self._news.wait_for(lambda: holds() or self.gone.is_set())
        if self.gone.is_set() and not holds():
            raise ConnectionError

    async def _news_within(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds), self._news:
                await self._news.wait()
        except TimeoutError:
            return False
        return not self.gone.is_set()

    async def _tell(self) -> None:
        async with self._news:
            self._news.notify_all()

    async def _watch(self, process: asyncio.subprocess.Process) -> None:
        await process.wait()
        self.gone.set()
        for pending in list(self.protocol._request_futures.values()):  # noqa: SLF001  # pygls' own client does the same
            if not pending.done():
                pending.set_exception(ConnectionError())
        await self._tell()

    def _handlers(self) -> dict[str, Callable[..., Any]]:
        async def publish(params: lsp.PublishDiagnosticsParams) -> None:
            self.published[params.uri] = list(params.diagnostics)
            await self._tell()

        async def progress(params: lsp.ProgressParams) -> None:
            kind = params.value.get("kind") if isinstance(params.value, dict) else getattr(params.value, "kind", None)
            if kind == "begin":
                self._was_busy = True
                self._progress.add(params.token)
            elif kind == "end":
                self._progress.discard(params.token)
            await self._tell()

        async def status(params: Any) -> None:
            self._quiescent = bool(getattr(params, "quiescent", True))
            failed = self._quiescent and getattr(params, "health", "ok") == "error"
            self.complaint = str(getattr(params, "message", "")) if failed else None
            await self._tell()

        def configuration(params: lsp.ConfigurationParams) -> list[object]:
            return [self._section(item.section or "") for item in params.items]

        def nothing(_params: Any) -> None:
            return None

        def not_applied(_params: Any) -> lsp.ApplyWorkspaceEditResult:
            return lsp.ApplyWorkspaceEditResult(applied=False)

        return {
            lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: publish,
            lsp.PROGRESS: progress,
            "experimental/serverStatus": status,
            lsp.WORKSPACE_CONFIGURATION: configuration,
            lsp.WINDOW_LOG_MESSAGE: nothing,
            lsp.WINDOW_SHOW_MESSAGE: nothing,
            lsp.TELEMETRY_EVENT: nothing,
            lsp.LOG_TRACE: nothing,
            "$/typescriptVersion": nothing,
            lsp.WORKSPACE_APPLY_EDIT: not_applied,
            lsp.CLIENT_REGISTER_CAPABILITY: nothing,
            lsp.CLIENT_UNREGISTER_CAPABILITY: nothing,
            lsp.WINDOW_WORK_DONE_PROGRESS_CREATE: nothing,
            lsp.WINDOW_SHOW_MESSAGE_REQUEST: nothing,
            lsp.WORKSPACE_DIAGNOSTIC_REFRESH: nothing,
            lsp.WORKSPACE_SEMANTIC_TOKENS_REFRESH: nothing,
            lsp.WORKSPACE_CODE_LENS_REFRESH: nothing,
            lsp.WORKSPACE_INLAY_HINT_REFRESH: nothing,
        }

    def _section(self, section: str) -> object:
        """Return the settings below a dotted section name."""
        found: Any = self._settings
        for name in filter(None, section.split(".")):
            found = found.get(name) if isinstance(found, Mapping) else None
        return found
