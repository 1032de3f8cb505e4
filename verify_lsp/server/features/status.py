"""How things stand: what runs, what tools there are, who is trusted."""

import platform
from typing import Any

from verify_lsp import __version__
from verify_lsp.codec import to_wire
from verify_lsp.server import params
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.folders import Folder
from verify_lsp.server.running.records import Record


async def status(server: VerifyServer, _: params.Nothing, __: params.Token | None) -> dict[str, Any]:
    """Answer what runs, the tools found in each folder, trust, whether the network is used, and versions."""
    session = server.session
    folders = [await _folder_status(server, folder) for folder in session.folders.all]
    return {
        "runs": [_run_status(report_id, record) for report_id, record in session.records.going().items()],
        "folders": folders,
        "offline": bool(folders) and all(folder["offline"] for folder in folders),
        "versions": versions(),
    }


def _run_status(report_id: str, record: Record) -> dict[str, Any]:
    shown = {
        "reportId": report_id,
        "workspace": str(record.folder),
        "scope": to_wire(record.scope),
        "checks": [{"kind": kind, "status": status} for kind, status in record.checks.items()],
    }
    return shown if record.session_id is None else shown | {"sessionId": record.session_id}


def versions() -> dict[str, str]:
    """Return our version and those of what we stand on."""
    from importlib.metadata import version

    return {
        "verify-lsp": __version__,
        "python": platform.python_version(),
        "pygls": version("pygls"),
        "lsprotocol": version("lsprotocol"),
    }


async def _folder_status(server: VerifyServer, folder: Folder) -> dict[str, Any]:
    resolved = server.session.resolve(folder)
    return {
        "uri": folder.uri,
        "path": str(folder.path),
        "trusted": server.session.is_trusted(folder.path),
        "offline": resolved.settings.privacy_mode,
        "problems": list(resolved.problems),
        "tools": await server.worker.call("tools", folder.path, float(resolved.settings.timeout_secs)),
    }
