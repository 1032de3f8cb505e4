"""What the editor's other language servers say, asked of the client while a run waits for it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
from pygls.exceptions import JsonRpcException

from verify_lsp.codec import from_wire
from verify_lsp.model.errors import EngineError, UsageError
from verify_lsp.model.finding import Problem, Severity
from verify_lsp.server.board.render import SOURCE
from verify_lsp.server.folders import Folders
from verify_lsp.server.positions import Encoding, Place, clamped
from verify_lsp.server.running.progress import Line
from verify_lsp.server.texts.disk import look_at
from verify_lsp.server.texts.open_documents import OpenDocuments, file_key
from verify_lsp.server.texts.uris import key_of

METHOD = "verify/collectDiagnostics"
LIMIT_S = 15.0
_SEVERITIES: dict[int, Severity] = {1: "high", 2: "medium", 3: "low", 4: "info"}


@attrs.frozen
class FileDiagnostics:
    """One file's part of the client's answer."""

    uri: str
    diagnostics: tuple[Any, ...]
    version: int | None = None


@attrs.frozen
class EditorDiagnostics:
    """Asks one client for one workspace folder."""

    line: Line
    folders: Folders
    documents: OpenDocuments
    workspace: Path
    encoding: Encoding

    async def collect(self, paths: tuple[str, ...]) -> Mapping[str, tuple[Problem, ...]]:
        """Return the problems by path; a file the editor said nothing of, or spoke of an older text of, is left out.

        Raises:
            TimeoutError: The client did not answer in time.
            EngineError: It answered something else than diagnostics.
        """
        by_key = {key_of(self.workspace / path): path for path in paths}
        uris = [self._address(key, path) for key, path in by_key.items()]
        try:
            answer = await self.line.ask(METHOD, {"uris": uris}, LIMIT_S)
        except JsonRpcException as error:
            raise EngineError(f"the editor could not collect diagnostics: {error.message}") from None
        collected: dict[str, tuple[Problem, ...]] = {}
        for file in self._files(answer):
            key = file_key(file.uri)
            path = by_key.get(key) if key is not None else None
            if key is not None and path is not None and not self._is_outdated(key, file):
                collected[path] = self._problems(key, path, file)
        return collected

    def _address(self, key: str, path: str) -> str:
        document = self.documents.by_key.get(key)
        return document.uri if document else self.folders.address(self.workspace / path)

    @staticmethod
    def _files(answer: Any) -> tuple[FileDiagnostics, ...]:
        if not isinstance(answer, list):
            raise EngineError("the editor answered something else than a list of diagnostics")
        try:
            return tuple(from_wire(file, FileDiagnostics) for file in answer)
        except UsageError as error:
            raise EngineError(f"the editor's diagnostics cannot be read: {error}") from None

    def _is_outdated(self, key: str, file: FileDiagnostics) -> bool:
        document = self.documents.by_key.get(key)
        known = document.version if document else None
        return known is not None and file.version is not None and file.version < known

    def _problems(self, key: str, path: str, file: FileDiagnostics) -> tuple[Problem, ...]:
        document = self.documents.by_key.get(key)
        lines = document.lines if document else (look_at(Path(key)).text or "").split("\n")
        others = (shown for shown in file.diagnostics if isinstance(shown, dict) and shown.get("source") != SOURCE)
        return tuple(_problem(shown, path, lines, self.encoding) for shown in others)


def _problem(shown: Mapping[str, Any], path: str, lines: list[str], encoding: Encoding) -> Problem:
    try:
        start, end = (
            clamped(lines, int(at["line"]), int(at["character"]), encoding)
            for at in (shown["range"]["start"], shown["range"]["end"])
        )
        message = str(shown["message"])
    except (KeyError, TypeError, ValueError) as error:
        raise EngineError(f"a diagnostic of the editor for {path} cannot be read: {error!r}") from None
    rule = ":".join(str(part) for part in (shown.get("source"), shown.get("code")) if part is not None)
    severity = _SEVERITIES.get(shown.get("severity", 1), "high")
    return _placed(Problem(path, 1, severity, rule or "diagnostic", message), start, end)


def _placed(problem: Problem, start: Place, end: Place) -> Problem:
    return attrs.evolve(
        problem, line=start.line + 1, column=start.column + 1, end_line=end.line + 1, end_column=end.column + 1
    )
