"""What a folder would be verified with."""

from pathlib import Path
from typing import Any

from verify_lsp.toolchains.base import Absent, Project, Toolchain


def tools_of(folder: Path, timeout_s: float) -> list[dict[str, Any]]:
    """Return what each language of the folder would be verified with, or why it would not."""
    from verify_lsp.system.dirs import cache_dir, workspace_hash
    from verify_lsp.system.environment import search_path
    from verify_lsp.toolchains.sample import sample_projects

    cache = cache_dir() / "workspaces" / workspace_hash(folder) / "tools"
    samples = sample_projects(folder, search_path(), cache)
    return [tool for chain, project in samples for tool in _tools(chain, project, timeout_s)]


def _tools(chain: Toolchain, project: Project, timeout_s: float) -> list[dict[str, Any]]:
    found = {
        "project-check": chain.tools.project_check(project, timeout_s),
        "tests": chain.tools.tests(project, timeout_s),
        "lint": chain.tools.lint(project, timeout_s),
        "diagnostics": chain.tools.language_server(project),
    }
    return [{"language": chain.language, "check": check, **_tool(step)} for check, step in found.items()]


def _tool(step: Any) -> dict[str, Any]:
    if isinstance(step, Absent):
        return {"tool": None, "reason": step.reason}
    return {"tool": step.tool, "command": step.command.shown()}
