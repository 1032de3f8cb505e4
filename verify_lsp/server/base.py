"""The server: pygls' one with our protocol, one session, and the ways to speak to the client."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, cast

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from verify_lsp import __version__
from verify_lsp.model.finding import Problem
from verify_lsp.server.running.collect import EditorDiagnostics
from verify_lsp.server.running.host import WorkerHost
from verify_lsp.server.running.messages import News, Question
from verify_lsp.server.session import Session
from verify_lsp.server.tasks import Tasks
from verify_lsp.server.wire.protocol import VerifyProtocol

_REFRESH_LIMIT_S = 30.0

log = logging.getLogger(__name__)


class VerifyServer(LanguageServer):
    """One conversation with one client. Made on the loop it lives on.

    Args:
        runs: What makes the runs, as in `verify_lsp.runs:Runs`.
        deliver: Takes the news of runs: see `features.run_events`.
    """

    def __init__(self, runs: str, deliver: Callable[["VerifyServer", News], None]) -> None:
        super().__init__("verify-lsp", __version__, protocol_cls=VerifyProtocol, converter_factory=default_converter)
        self.line = cast("VerifyProtocol", self.protocol)
        self.worker = WorkerHost(runs, lambda news: deliver(self, news), self._ask_editor)
        self.session = Session(self._push, self._ask_to_pull)
        self.tasks = Tasks()
        self._asking_to_pull = False

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log what went wrong: a pop-up for each would be in the user's way while typing."""
        log.error("%s: %s", getattr(source, "__name__", source), error)

    def in_background(self, name: str, work: Awaitable[Any]) -> None:
        """Do work that nobody waits for."""
        self.tasks.start(name, work)

    def log_message(self, message: str, kind: lsp.MessageType = lsp.MessageType.Info) -> None:
        """Write a line to the client's log of this server."""
        self.line.tell(lsp.WINDOW_LOG_MESSAGE, {"type": kind.value, "message": message})

    def show_message(self, message: str, kind: lsp.MessageType = lsp.MessageType.Warning) -> None:
        """Show the user a sentence."""
        self.line.tell(lsp.WINDOW_SHOW_MESSAGE, {"type": kind.value, "message": message})

    async def _ask_editor(self, question: Question) -> Mapping[str, tuple[Problem, ...]]:
        session = self.session
        folder, encoding = Path(question.folder), session.client.encoding
        editor = EditorDiagnostics(self.line, session.folders, session.documents, folder, encoding)
        return await editor.collect(question.paths)

    def _push(self, params: dict[str, Any]) -> None:
        self.line.tell(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)

    def _ask_to_pull(self) -> None:
        """Ask once for many changes: the client pulls all files at once anyway."""
        if self.session.client.refreshes and not self._asking_to_pull:
            self._asking_to_pull = True
            self.in_background("asking for a pull", self._refresh())

    async def _refresh(self) -> None:
        self._asking_to_pull = False
        try:
            await self.line.ask(lsp.WORKSPACE_DIAGNOSTIC_REFRESH, None, _REFRESH_LIMIT_S)
        except (JsonRpcException, TimeoutError) as error:
            log.info("the client did not refresh its diagnostics: %s", error)
