"""Which tool looked, in which version: evidence, not decoration."""

import re
import shutil

from verify_lsp.checks.base import CheckContext
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.fact import Evidence
from verify_lsp.model.outcome import ToolInfo
from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.output import plain

_VERSION = re.compile(r"\d+\.\d+(?:\.\d+)*(?:[-+.\w]*)?")
VERSION_TIMEOUT_S = 20.0


async def tool_info(
    context: CheckContext, project: Project, tool: str, command: Command, version: Command | None
) -> ToolInfo:
    """Ask a tool for its version; None where it does not say."""
    program = command.argv[0] if command.argv and not command.shell else None
    path = shutil.which(program, path=_search_path(command, project)) if program else None
    return ToolInfo(tool, await _version(context, project, version), path)


async def _version(context: CheckContext, project: Project, version: Command | None) -> str | None:
    if version is None:
        return None
    result = await context.run(version, project.place)
    found = _VERSION.search(plain(result.stdout or result.stderr)) if result.exit_code == 0 else None
    return found.group() if found else None


def _search_path(command: Command, project: Project) -> str:
    import os

    return os.pathsep.join([*command.path_prepend, project.path])


def named(tool: ToolInfo) -> str:
    """Return "pytest 9.2", or "pytest" where the version is not known."""
    return f"{tool.name} {tool.version}" if tool.version else tool.name


def evidence(tool: ToolInfo, command: Command, result: CommandResult, metrics: dict[str, float | None]) -> Evidence:
    """Return what stands behind a fact."""
    from verify_lsp.checks.parts import output_of

    return Evidence(
        command=command.shown(),
        exit_code=result.exit_code,
        output_tail=output_of(result),
        tool=tool.name,
        version=tool.version,
        metrics=metrics,
    )


def unanswered(tool: str, result: CommandResult, timeout_s: float) -> str | None:
    """Say why a command gave no answer at all, or return None when it did."""
    if result.missing:
        return f"{tool} is not installed"
    if result.timed_out:
        return f"{tool} did not end within {timeout_s:g} s"
    if result.exit_code is None:
        return f"{tool} could not be started"
    return None
