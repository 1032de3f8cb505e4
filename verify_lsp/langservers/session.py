"""A conversation with one language server, from `initialize` to `exit`."""

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from verify_lsp.langservers.client import Client
from verify_lsp.langservers.problems import problems_of
from verify_lsp.model.finding import Problem
from verify_lsp.system.broken_pipes import expect_broken_pipes
from verify_lsp.system.guard import guard
from verify_lsp.system.results import private_folder
from verify_lsp.toolchains.base import LanguageServer
from verify_lsp.toolchains.output import head

EXIT_GRACE_S = 1.0


class ServerGoneError(Exception):
    """The server ended, or answered an error where it may not; the text says which, without its name."""


class Session:
    """An initialized server and the documents opened in it."""

    def __init__(self, client: Client, server: LanguageServer, folder: Path, answer: lsp.InitializeResult) -> None:
        self._client = client
        self._server = server
        self._folder = folder
        self._texts: dict[str, str] = {}
        self._pulls = answer.capabilities.diagnostic_provider is not None
        self.version = _version(answer)

    def open(self, name: str, language: str, text: str) -> None:
        """Show the server a file. `name` is relative to the session's folder."""
        self._texts[name] = text
        document = lsp.TextDocumentItem(uri=self._uri(name), language_id=language, version=1, text=text)
        self._client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))

    async def settled(self, names: tuple[str, ...], *, quiet_s: float) -> tuple[Problem, ...]:
        """Return the files' problems when the server has looked at all of them.

        Raises:
            ServerGoneError: It ended before that.
        """
        async with _or_gone(self._client):
            if self._server.settles_by == "progress":
                await self._client.idle()
                if self._client.complaint is not None:
                    raise ServerGoneError(f"cannot load the project: {head(self._client.complaint, 200)}")
            pulled = {name: await self._pull(name) for name in names} if self._pulls else {}
            if not self._pulls:
                await self._pushed(names, quiet_s)
        problems: list[Problem] = []
        for name in names:
            pushed = self._client.published.get(self._uri(name), [])
            found = {_key(item): item for item in [*pulled.get(name, []), *pushed]}
            problems += problems_of(name, self._texts[name], found.values(), self._server.tool)
        return tuple(problems)

    async def _pull(self, name: str) -> list[lsp.Diagnostic]:
        params = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(self._uri(name)))
        while True:
            try:
                answer = await self._client.text_document_diagnostic_async(params)
            except JsonRpcException as error:
                if error.code not in _TRY_AGAIN:
                    raise ServerGoneError(f"answered an error: {error.message}") from None
                await anyio.sleep(0.1)  # The server asks for it: it is busy with the project.
                continue
            return list(answer.items) if isinstance(answer, lsp.RelatedFullDocumentDiagnosticReport) else []

    async def _pushed(self, names: tuple[str, ...], quiet_s: float) -> None:
        for name in names:
            await self._client.published_for(self._uri(name))
        if self._server.barrier is not None:
            for name in names:
                command, arguments = self._server.barrier(str(self._folder / name))
                params = lsp.ExecuteCommandParams(command, arguments)
                await self._client.workspace_execute_command_async(params)
        await self._client.quiet(quiet_s)

    def _uri(self, name: str) -> str:
        return (self._folder / name).as_uri()


def _version(answer: lsp.InitializeResult) -> str | None:
    """Return the server's version; gopls answers with its whole build information as JSON instead."""
    said = answer.server_info.version if answer.server_info else None
    found = re.search(r'"Version":"(v[^"]+)"}$', said) if said and said.startswith("{") else None
    return found.group(1) if found else head(said, 60) if said else None


_TRY_AGAIN = frozenset({lsp.LSPErrorCodes.ServerCancelled.value, lsp.LSPErrorCodes.ContentModified.value})


@asynccontextmanager
async def opened_session(server: LanguageServer, folder: Path, environment: dict[str, str]) -> AsyncIterator[Session]:
    """Start a server for a folder and end it, and all that it started or left, on the way out.

    Raises:
        FileNotFoundError: The program is not there.
        ServerGoneError: It ended or failed while starting.
    """
    # A server that is killed cannot clean up; its temporary files go with this folder.
    async with private_folder() as temporary:
        process = await _start(server, folder, {**environment, "TMPDIR": str(temporary)})
        guard().hold_group(process.pid)
        client = Client(server.settings)
        try:
            client.attach(process)
            async with _or_gone(client):
                answer = await client.initialize_async(_initialize(server, folder))
            client.initialized(lsp.InitializedParams())
            if server.settings:
                client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(dict(server.settings)))
            yield Session(client, server, folder, answer)
        finally:
            with anyio.CancelScope(shield=True):
                await _end(client, process)
            guard().release_group(process.pid)


async def _start(server: LanguageServer, folder: Path, environment: dict[str, str]) -> asyncio.subprocess.Process:
    path = os.pathsep.join([*server.command.path_prepend, environment.get("PATH", "")])
    expect_broken_pipes()
    return await asyncio.create_subprocess_exec(
        *server.command.argv,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        cwd=folder,
        env={**environment, **server.command.env, "PATH": path},
        start_new_session=True,
    )


@asynccontextmanager
async def _or_gone(client: Client) -> AsyncIterator[None]:
    """Turn the end of the server into an error instead of waiting for an answer that cannot come."""
    try:
        yield
    except JsonRpcException as error:
        raise ServerGoneError(f"answered an error: {error.message}") from None
    except (RuntimeError, ConnectionError):
        if client.gone.is_set():
            raise ServerGoneError("ended before it had answered") from None
        raise


async def _end(client: Client, process: asyncio.subprocess.Process) -> None:
    """Ask politely, wait a moment, then end the whole process group."""
    with suppress(Exception), anyio.move_on_after(EXIT_GRACE_S):
        await client.shutdown_async(None)
        client.exit(None)
        await process.wait()
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
    await client.detach()


def _initialize(server: LanguageServer, folder: Path) -> lsp.InitializeParams:
    return lsp.InitializeParams(
        process_id=os.getpid(),
        client_info=lsp.ClientInfo("verify-lsp"),
        root_uri=folder.as_uri(),
        workspace_folders=[lsp.WorkspaceFolder(folder.as_uri(), folder.name or "workspace")],
        initialization_options=dict(server.initialization_options) or None,
        capabilities=_capabilities(),
    )


def _capabilities() -> lsp.ClientCapabilities:
    experimental: Any = {"serverStatusNotification": True}
    return lsp.ClientCapabilities(
        workspace=lsp.WorkspaceClientCapabilities(
            configuration=True,
            workspace_folders=True,
            did_change_configuration=lsp.DidChangeConfigurationClientCapabilities(),
        ),
        text_document=lsp.TextDocumentClientCapabilities(
            synchronization=lsp.TextDocumentSyncClientCapabilities(did_save=True),
            publish_diagnostics=lsp.PublishDiagnosticsClientCapabilities(
                version_support=True, related_information=True
            ),
            diagnostic=lsp.DiagnosticClientCapabilities(),
        ),
        window=lsp.WindowClientCapabilities(work_done_progress=True),
        general=lsp.GeneralClientCapabilities(position_encodings=[lsp.PositionEncodingKind.Utf16]),
        experimental=experimental,
    )


def _key(item: lsp.Diagnostic) -> tuple[Any, ...]:
    start = item.range.start
    return (start.line, start.character, item.code, item.message)
