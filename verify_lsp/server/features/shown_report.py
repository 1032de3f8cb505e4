"""Reports and other texts of ours as documents, for clients that have no panel or view of their own for them."""

import asyncio
import json
from pathlib import Path

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from verify_lsp.model.report import Report
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.texts.uris import uri_of

_KEPT = 8
_SHOW_LIMIT_S = 10.0


async def show_report(server: VerifyServer, report_id: str, folder: Path) -> None:
    """Write the report beside our caches, where nothing of the user's is, and ask the client to show it."""
    raw = await server.worker.call("report", (folder,), report_id)
    await _show(server, await asyncio.to_thread(_written_report, raw, report_id, folder), take_focus=False)


async def show_text(server: VerifyServer, folder: Path, name: str, text: str) -> bool:
    """Show a text likewise; in a client that opens no documents it is a message. Returns whether it was shown."""
    if not server.session.client.shows_documents:
        server.show_message(text, lsp.MessageType.Info)
        return True
    return await _show(server, await asyncio.to_thread(_written, folder, name, text), take_focus=True)


async def _show(server: VerifyServer, path: Path, *, take_focus: bool) -> bool:
    try:
        shown = {"uri": uri_of(path), "takeFocus": take_focus}
        answer = await server.line.ask("window/showDocument", shown, _SHOW_LIMIT_S)
    except (JsonRpcException, TimeoutError) as error:
        server.log_message(f"verify-lsp: {path.name} was not shown: {error}")
        return False
    return isinstance(answer, dict) and answer.get("success") is True


def _written_report(raw: bytes, report_id: str, folder: Path) -> Path:
    from verify_lsp.codec import from_wire
    from verify_lsp.reports.markdown import render_markdown

    return _written(folder, f"{report_id}.md", render_markdown(from_wire(json.loads(raw), Report)))


def _written(folder: Path, name: str, text: str) -> Path:
    from verify_lsp.system.cache import workspace_cache
    from verify_lsp.system.files import write_private

    place = workspace_cache(folder) / "shown"
    path = place / name
    write_private(path, text, durable=False)
    for old in sorted(place.glob(f"*{path.suffix}"), key=lambda each: each.stat().st_mtime_ns)[:-_KEPT]:
        old.unlink(missing_ok=True)
    return path
