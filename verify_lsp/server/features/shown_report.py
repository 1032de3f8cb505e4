"""The report of a run as a document, for clients that have no panel: those that started it by a command."""

import asyncio
import json
from pathlib import Path

from pygls.exceptions import JsonRpcException

from verify_lsp.model.report import Report
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.texts.uris import uri_of

_KEPT = 8
_SHOW_LIMIT_S = 10.0


async def show_report(server: VerifyServer, report_id: str, folder: Path) -> None:
    """Write the report beside our caches, where nothing of the user's is, and ask the client to show it."""
    raw = await server.worker.call("report", (folder,), report_id)
    path = await asyncio.to_thread(_written, raw, report_id, folder)
    try:
        shown = {"uri": uri_of(path), "takeFocus": False}
        await server.line.ask("window/showDocument", shown, _SHOW_LIMIT_S)
    except (JsonRpcException, TimeoutError) as error:
        server.log_message(f"verify-lsp: the report was not shown: {error}")


def _written(raw: bytes, report_id: str, folder: Path) -> Path:
    from verify_lsp.codec import from_wire
    from verify_lsp.reports.markdown import render_markdown
    from verify_lsp.system.cache import workspace_cache
    from verify_lsp.system.files import write_private

    place = workspace_cache(folder) / "shown"
    path = place / f"{report_id}.md"
    write_private(path, render_markdown(from_wire(json.loads(raw), Report)), durable=False)
    for old in sorted(place.glob("*.md"))[:-_KEPT]:
        old.unlink(missing_ok=True)
    return path
