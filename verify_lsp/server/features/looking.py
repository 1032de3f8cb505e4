"""A look around every second: at files with findings, and at reports that others stored.

Not every client watches files, and none watches our store.
"""

import asyncio
import contextlib

from verify_lsp.model.errors import EngineError
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.features import files, run_events
from verify_lsp.server.texts.disk import stamp_of

EVERY_S = 1.0


async def look_around(server: VerifyServer) -> None:
    """Look for as long as the conversation goes on."""
    while True:
        await asyncio.sleep(EVERY_S)
        sheets = server.session.board.sheets
        files.look_at_files(server, [key for key, sheet in sheets.items() if stamp_of(key) != sheet.stamp])
        with contextlib.suppress(EngineError):  # The worker may have died; the next look has a new one.
            await _look_at_reports(server)


async def _look_at_reports(server: VerifyServer) -> None:
    session = server.session
    for folder, report_id in session.arrivals.new([folder.path for folder in session.folders.all]):
        if session.records.get(report_id) is not None:
            continue  # Our own, of which the client hears from its events.
        news = await server.worker.call("arrived", folder, report_id)
        if news is not None:
            run_events.conclude(server, news)
