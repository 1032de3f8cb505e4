"""Our own requests about runs and their reports."""

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from verify_lsp.model.errors import EngineError, NoSuchReportError, UsageError
from verify_lsp.model.scope import VerifyScope
from verify_lsp.server import params
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.features import configuration, run_events
from verify_lsp.server.folders import Folder
from verify_lsp.server.running.progress import Progress
from verify_lsp.server.running.records import Record
from verify_lsp.server.texts.uris import key_of, path_of, uri_of
from verify_lsp.server.wire.answer import Answer, RawJson

if TYPE_CHECKING:
    from verify_lsp.verify import RunRequest


async def run(server: VerifyServer, asked: params.Run, token: params.Token | None) -> Answer:
    """Start a run and answer its report id; its events follow the answer."""
    folder = _folder(server, asked)
    scope = _scope_in(asked, folder)
    await configuration.known(server)
    configuration.report_problems(server)
    request = _request(server, folder, attrs.evolve(asked, scope=scope))
    report_id = await server.worker.start(request, collects=server.session.client.collects)
    progress = _progress(server, token, report_id, scope)
    record = Record(folder.path, scope, request.session_id, progress)
    server.session.records.add(report_id, record)
    return Answer({"reportId": report_id}, lambda: run_events.release(server, record))


def show_as_document(server: VerifyServer, answer: Answer) -> None:
    """Let the report of a run that a command started be shown once it is there: its client may know no other way."""
    record = server.session.records.get(answer.result["reportId"])
    if record is not None and server.session.client.shows_documents:
        record.as_document = True


def _request(server: VerifyServer, folder: Folder, asked: params.Run) -> "RunRequest":
    from verify_lsp.verify import RunRequest

    resolved = server.session.resolve(folder)
    return RunRequest(
        workspace=folder.path,
        scope=asked.scope,
        settings=resolved.settings,
        notes=resolved.problems,
        trusted=server.session.is_trusted(folder.path),
        checks=asked.checks,
        message=asked.message,
        session_id=asked.session_id or asked.scope.session_id,
    )


def _progress(server: VerifyServer, token: params.Token | None, report_id: str, scope: VerifyScope) -> Progress | None:
    if token is not None:
        return Progress(server.line, token, scope, create=False)
    if server.session.client.shows_progress:
        return Progress(server.line, f"verify-run-{report_id}", scope, create=True)
    return None


def _folder(server: VerifyServer, asked: params.Run) -> Folder:
    """Return the folder to verify: the one that is named, that holds the files, that was last worked in, the first."""
    session = server.session
    if asked.workspace is not None:
        named = path_of(asked.workspace) or Path(asked.workspace)
        folder = next((folder for folder in session.folders.all if folder.key == key_of(named)), None)
        if folder is None:
            raise UsageError(f"workspace: no such folder is open: {asked.workspace}")
        return folder
    for file in asked.scope.files or ():
        path = _absolute(file) if isinstance(file, str) else None
        if path is not None and (owner := session.folders.owner(key_of(path))) is not None:
            return owner
    last = session.documents.last_used
    if last is not None and (owner := session.folders.owner(last)) is not None:
        return owner
    if session.folders.all:
        return session.folders.all[0]
    if last is not None:
        parent = Path(last).parent
        return Folder(uri_of(parent), parent, key_of(parent))
    raise EngineError("no folder is open, so that there is nothing to verify")


def _scope_in(asked: params.Run, folder: Folder) -> VerifyScope:
    """Return the scope with its files relative to the folder, and refuse one that lacks what its kind needs."""
    scope = asked.scope
    if scope.kind == "session" and not scope.session_id:
        scope = attrs.evolve(scope, session_id=asked.session_id)
    if scope.kind == "files" and not scope.files:
        raise UsageError("scope.files: expected at least one file")
    if scope.kind == "session" and not scope.session_id:
        raise UsageError("scope: missing field 'sessionId'")
    if scope.kind == "change-set" and scope.diff is None and not scope.files:
        raise UsageError("scope: missing field 'diff' or 'files'")
    if scope.files is None:
        return scope
    files = tuple(_relative(file, folder) if isinstance(file, str) else file for file in scope.files)
    return attrs.evolve(scope, files=files)


def _relative(file: str, folder: Folder) -> str:
    try:
        nameable = b"\0" not in os.fsencode(file)
    except UnicodeEncodeError:
        nameable = False
    if not nameable:
        raise UsageError(f"scope.files: no file can have such a name: {file!r}")
    path = _absolute(file)
    if path is None:
        if Path(os.path.normpath(file)).parts[:1] == (os.pardir,):
            raise UsageError(f"scope.files: {file} is not in the folder {folder.path}")
        return file
    if path.is_relative_to(folder.path):
        return path.relative_to(folder.path).as_posix()
    real = Path(key_of(path))
    if real.is_relative_to(folder.key):
        return real.relative_to(folder.key).as_posix()
    raise UsageError(f"scope.files: {file} is not in the folder {folder.path}")


def _absolute(file: str) -> Path | None:
    path = path_of(file) or Path(file)
    return path if path.is_absolute() else None


async def get(server: VerifyServer, asked: params.OneReport, _: params.Token | None) -> RawJson:
    """Answer a report; of a run that goes on, what is known so far."""
    return RawJson(await server.worker.call("report", report_folders(server), asked.report_id))


async def list_reports(server: VerifyServer, asked: params.List, _: params.Token | None) -> RawJson:
    """Answer the stored reports of all folders, newest first.

    Their summaries are small files, read here: the worker may be busy with a run for longer than a client should wait.
    """
    if asked.limit is not None and asked.limit < 1:
        raise UsageError("limit: expected a whole number of at least 1")
    from verify_lsp.server.running import stored

    folders = report_folders(server)
    return RawJson(await asyncio.to_thread(stored.summaries_json, folders, asked.session_id, asked.limit))


async def latest(server: VerifyServer, asked: params.Latest, _: params.Token | None) -> RawJson:
    """Answer the newest stored report, or null."""
    return RawJson(await server.worker.call("latest", report_folders(server), asked.session_id))


async def cancel(server: VerifyServer, asked: params.OneReport, _: params.Token | None) -> dict[str, bool]:
    """Cancel a run; a run that has ended cannot be cancelled any more."""
    record = server.session.records.get(asked.report_id)
    if record is not None:
        return {"cancelled": not record.ended and await server.worker.call("cancel", asked.report_id)}
    if not await server.worker.call("is_there", report_folders(server), asked.report_id):
        raise NoSuchReportError(f"no such report: {asked.report_id}")
    return {"cancelled": False}


def report_folders(server: VerifyServer) -> tuple[Path, ...]:
    """Return where reports may be: the open folders, and those outside of them that something was run in."""
    session = server.session
    loose = (record.folder for record in session.records.all())
    return tuple(dict.fromkeys([*(folder.path for folder in session.folders.all), *loose]))
