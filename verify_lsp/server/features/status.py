"""How things stand: what runs, what tools there are, who is trusted."""

import asyncio
import platform
from pathlib import Path
from typing import Any

from verify_lsp import __version__
from verify_lsp.codec import to_wire
from verify_lsp.server import params
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.folders import Folder
from verify_lsp.toolchains.base import Absent, Project, Toolchain


async def status(server: VerifyServer, _: params.Nothing, __: params.Token | None) -> dict[str, Any]:
    """Answer what runs, the tools found in each folder, trust, whether the network is used, and versions."""
    session = server.session
    folders = [await _folder_status(server, folder) for folder in session.folders.all]
    return {
        "runs": [
            {
                "reportId": report_id,
                "workspace": str(record.folder),
                **(
                    {"scope": to_wire(record.report.scope), "createdAt": record.report.created_at}
                    if record.report
                    else {}
                ),
                **({"sessionId": record.session_id} if record.session_id is not None else {}),
            }
            for report_id, record in session.records.going().items()
        ],
        "folders": folders,
        "offline": all(folder["offline"] for folder in folders) if folders else False,
        "versions": versions(),
    }


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
        "tools": await asyncio.to_thread(tools_of, folder.path, float(resolved.settings.timeout_secs)),
    }


def tools_of(folder: Path, timeout_s: float) -> list[dict[str, Any]]:
    """Return what each language of the folder's root would be verified with, or why it would not."""
    from verify_lsp.system.dirs import cache_dir, workspace_hash
    from verify_lsp.system.environment import search_path
    from verify_lsp.toolchains.registry import TOOLCHAINS

    cache = cache_dir() / "workspaces" / workspace_hash(folder) / "tools"
    project = Project(place=folder, workspace=folder, root=".", changed=(), path=search_path(), cache=cache)
    present = [chain for chain in TOOLCHAINS if any((folder / name).is_file() for name in chain.manifests)]
    return [tool for chain in present for tool in _tools(chain, project, timeout_s)]


def _tools(chain: Toolchain, project: Project, timeout_s: float) -> list[dict[str, Any]]:
    found = {
        "project-check": chain.project_check(project, timeout_s),
        "tests": chain.tests(project, timeout_s),
        "lint": chain.lint(project, timeout_s),
        "diagnostics": chain.language_server(project),
    }
    return [{"language": chain.language, "check": check, **_tool(step)} for check, step in found.items()]


def _tool(step: Any) -> dict[str, Any]:
    if isinstance(step, Absent):
        return {"tool": None, "reason": step.reason}
    return {"tool": step.tool, "command": step.command.shown()}
