"""`verify-lsp doctor`: what is installed, what is missing, and how to get it."""

import asyncio
import json
import os
from pathlib import Path

import attrs

from verify_lsp import __version__
from verify_lsp.cli.exit_code import ExitCode
from verify_lsp.cli.workspace import workspace_folder
from verify_lsp.toolchains.base import Absent, LanguageServer, ProblemStep, Project, TestStep, Toolchain

_MARK = {"ok": "ok      ", "missing": "missing ", "none": "none    "}


@attrs.frozen
class Line:
    """One thing looked at. `state` is ok, missing (it would be used, and is not there) or none (nothing to use)."""

    group: str
    name: str
    state: str
    detail: str


def doctor(workspace: str | None, form: str) -> int:
    """Look at a workspace's tools and at our own folders; exit 0 unless something that is needed is missing."""
    folder = workspace_folder(workspace)
    lines = [*asyncio.run(_ourselves(folder)), *_projects(folder)]
    if form == "json":
        print(json.dumps({"workspace": str(folder), "checks": [attrs.asdict(line) for line in lines]}, indent=2))
    else:
        _print(folder, lines)
    return ExitCode.FAILED if any(line.state == "missing" for line in lines) else ExitCode.OK


def _print(folder: Path, lines: list[Line]) -> None:
    print(f"verify-lsp {__version__} in {folder}")
    group = ""
    for line in lines:
        if line.group != group:
            group = line.group
            print(f"\n{group}")
        print(f"  {_MARK[line.state]}{line.name}: {line.detail}")


async def _ourselves(folder: Path) -> list[Line]:
    from verify_lsp.settings.options import Options
    from verify_lsp.settings.resolve import resolve_settings
    from verify_lsp.settings.trust import is_trusted
    from verify_lsp.system.dirs import cache_dir, state_dir

    group = "verify-lsp"
    trusted = is_trusted(folder)
    resolved = resolve_settings(folder, Options(), trusted=trusted)
    how = "trusted" if trusted else "not trusted: the server runs nothing of it (verify-lsp trust)"
    return [
        await _git(group),
        Line(group, "trust", "ok" if trusted else "none", how),
        _writable(group, "reports", state_dir()),
        _writable(group, "cache", cache_dir()),
        *(Line(group, "settings", "missing", problem) for problem in resolved.problems),
    ]


async def _git(group: str) -> Line:
    from verify_lsp.model.command import Command
    from verify_lsp.system.process import run_command

    result = await run_command(Command(("git", "--version"), timeout_s=10), Path.cwd())
    if result.missing:
        return Line(group, "git", "missing", "install git: every scope but a change-set is read from it")
    return Line(group, "git", "ok", result.stdout.strip())


def _writable(group: str, name: str, folder: Path) -> Line:
    there = next((each for each in (folder, *folder.parents) if each.exists()), folder)
    good = os.access(there, os.W_OK)
    detail = str(folder) if good else f"{folder} cannot be written to; VERIFY_LSP_HOME names another place"
    return Line(group, name, "ok" if good else "missing", detail)


def _projects(folder: Path) -> list[Line]:
    from verify_lsp.system.dirs import cache_dir
    from verify_lsp.system.environment import child_environment
    from verify_lsp.toolchains.sample import sample_projects

    samples = sample_projects(folder, child_environment()["PATH"], cache_dir() / "doctor")
    lines = [line for toolchain, project in samples for line in _facets(toolchain, project)]
    return lines or [Line("languages", "projects", "none", "no Python, JavaScript, TypeScript, Go or Rust file here")]


def _facets(toolchain: Toolchain, project: Project) -> list[Line]:
    group = toolchain.title if project.root == "." else f"{toolchain.title} in {project.root}"
    found: dict[str, ProblemStep | TestStep | LanguageServer | Absent] = {
        "project check": toolchain.tools.project_check(project, 60),
        "tests": toolchain.tools.tests(project, 60),
        "lint": toolchain.tools.lint(project, 60),
        "language server": toolchain.tools.language_server(project),
    }
    return [_facet(group, name, step) for name, step in found.items()]


def _facet(group: str, name: str, step: ProblemStep | TestStep | LanguageServer | Absent) -> Line:
    if isinstance(step, Absent):
        return Line(group, name, "none" if step.needless else "missing", step.reason)
    return Line(group, name, "ok", f"{step.tool} ({step.command.shown()})")
