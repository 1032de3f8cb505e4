"""A look around every second: at files with findings, and at reports that others stored.

Not every client watches files, and none watches our store.
"""

import asyncio
import contextlib
import os

from verify_lsp.model.errors import EngineError
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.features import files, inline, run_events, writes
from verify_lsp.server.folders import is_below
from verify_lsp.server.inline.bases import head_of
from verify_lsp.server.texts.disk import stamp_of

EVERY_S = 1.0


async def look_around(server: VerifyServer) -> None:
    """Look for as long as the conversation goes on."""
    places = _places(server)
    while True:
        await asyncio.sleep(EVERY_S)
        if (now := _places(server)) != places:
            # A watch does not outlive its folder, though another one may stand in its place.
            places = now
            server.session.watch_anew.set()
        writes.look_anew(server)  # The settings may stand in files of the folder.
        _look_at_files(server)
        _look_at_commits(server)
        with contextlib.suppress(EngineError):  # The worker may have died; the next look has a new one.
            await _look_at_reports(server)


def _places(server: VerifyServer) -> list[tuple[int, int] | None]:
    """Return which folders there are: a folder that was made anew is another one."""
    found: list[tuple[int, int] | None] = []
    for folder in server.session.folders.all:
        try:
            place = folder.path.stat()
        except OSError:
            found.append(None)
        else:
            found.append((place.st_dev, place.st_ino))
    return found


def _look_at_files(server: VerifyServer) -> None:
    boards = server.session.layers.all
    sheets = [(key, sheet) for board in boards for key, sheet in board.sheets.items() if os.path.isabs(key)]  # noqa: PTH117
    changed = {key for key, sheet in sheets if stamp_of(key) != sheet.stamp}
    touched = files.look_at_files(server, changed)
    server.session.showing.update(touched, settled=True)
    writes.arrived_keys(server, changed)


def _look_at_commits(server: VerifyServer) -> None:
    """After a commit or a switch of branches other lines are new."""
    session = server.session
    for folder in session.folders.all:
        head, before = head_of(folder.path / "any"), session.heads.get(folder.key)
        session.heads[folder.key] = head
        if before in (None, head):
            continue
        for key in session.documents.by_key:
            if is_below(key, folder.key):
                inline.ask_around(server, key)
        not_open = session.layers.files() - set(session.documents.by_key)
        writes.arrived_keys(server, {key for key in not_open if is_below(key, folder.key)})


async def _look_at_reports(server: VerifyServer) -> None:
    session = server.session
    for folder, report_id in session.arrivals.new([folder.path for folder in session.folders.all]):
        if session.records.get(report_id) is not None:
            continue  # Our own, of which the client hears from its events.
        news = await server.worker.call("arrived", folder, report_id)
        if news is not None:
            run_events.conclude(server, news)
