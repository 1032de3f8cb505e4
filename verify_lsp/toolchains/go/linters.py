"""Linters that a Go project configures: golangci-lint, else staticcheck."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.finding import Problem, Severity
from verify_lsp.toolchains.base import Absent, ProblemStep, Project, Unreadable
from verify_lsp.toolchains.go.constraints import build_context, not_built
from verify_lsp.toolchains.go.module import go_environment
from verify_lsp.toolchains.go.source_lines import SourceLines
from verify_lsp.toolchains.output import head

_GOLANGCI_FILES = (".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json")
_DOES_NOT_COMPILE = "the code does not compile, so that the linter could not look"


def lint(project: Project, timeout_s: float) -> ProblemStep | Absent:
    """Return the linter of the changed packages, where one is configured."""
    if config := _configuration(project, _GOLANGCI_FILES):
        return _step(project, timeout_s, "golangci-lint", config)
    if config := _configuration(project, ("staticcheck.conf",)):
        return _step(project, timeout_s, "staticcheck", config)
    return Absent("no Go linter is configured", needless=True)


def _step(project: Project, timeout_s: float, tool: str, config: Path) -> ProblemStep | Absent:
    if shutil.which(tool, path=project.path) is None:
        return Absent(f"{tool} is configured, but not installed", needless=False)
    packages = _packages(project)
    if not packages:
        return Absent("no changed Go file is built on this system", needless=not project.changed)
    environment = go_environment(project)
    if tool == "staticcheck":
        argv = ("staticcheck", "-f", "json", *packages)
        version = Command(("staticcheck", "-version"), project.root, environment)
        return _problem_step(tool, Command(argv, project.root, environment, timeout_s), version, project, config)
    argv = ("golangci-lint", "run", *_golangci_flags(config), *packages)
    version = Command(("golangci-lint", "version"), project.root, environment)
    return _problem_step(tool, Command(argv, project.root, environment, timeout_s), version, project, config)


def _problem_step(tool: str, command: Command, version: Command, project: Project, config: Path) -> ProblemStep:
    read = read_staticcheck if tool == "staticcheck" else read_golangci
    return ProblemStep(
        tool,
        command,
        lambda result: read(result, project.folder, config.parent),
        whole_project=False,
        version=version,
        unseen=lambda _result: _not_built(project),
    )


def read_golangci(result: CommandResult, folder: Path, config_folder: Path) -> tuple[Problem, ...] | Unreadable:
    """Return golangci-lint's issues. Their paths are relative to the folder of its configuration, or of the run."""
    start = result.stdout.find("{")
    try:
        answer = json.loads(result.stdout[start:].split("\n")[0]) if start >= 0 else None
    except ValueError:
        answer = None
    if not isinstance(answer, dict) or not isinstance(issues := answer.get("Issues") or [], list):
        return _failed("golangci-lint", result)
    if any(issue.get("FromLinter") == "typecheck" for issue in issues):
        return Unreadable(_DOES_NOT_COMPILE, broke=False)
    if error := (answer.get("Report") or {}).get("Error"):
        return Unreadable(f"golangci-lint failed: {head(str(error), 300)}")
    sources = SourceLines(folder)
    return tuple(problem for issue in issues if (problem := _golangci_issue(issue, sources, config_folder)))


def read_staticcheck(result: CommandResult, folder: Path, _config_folder: Path) -> tuple[Problem, ...] | Unreadable:
    """Return staticcheck's findings, one JSON document a line."""
    found = list(_documents(result.stdout))
    if any(item.get("code") == "compile" for item in found):
        return Unreadable(_DOES_NOT_COMPILE, broke=False)
    if result.exit_code not in {0, 1} or (result.exit_code == 1 and not found):
        return _failed("staticcheck", result)
    sources = SourceLines(folder)
    return tuple(problem for item in found if (problem := _staticcheck_finding(item, sources)))


def _golangci_issue(issue: dict[str, Any], sources: SourceLines, config_folder: Path) -> Problem | None:
    position = issue.get("Pos") or {}
    name, line, column = str(position.get("Filename", "")), int(position.get("Line", 0)), int(position.get("Column", 0))
    here = sources.folder / name
    path = sources.place(str(here if here.is_file() else config_folder / name))
    if path is None:
        return None
    severity: Severity = "medium" if issue.get("Severity") == "error" else "low"
    text, linter = head(str(issue.get("Text", ""))), str(issue.get("FromLinter", "golangci-lint"))
    found = re.match(r"([A-Z]{1,4}\d{3,5}): ", text)
    rule = f"{linter}/{found.group(1)}" if found else linter
    return Problem(path, line, severity, rule, text, sources.column(path, line, column) if column else None)


def _staticcheck_finding(item: dict[str, Any], sources: SourceLines) -> Problem | None:
    start, end = item.get("location") or {}, item.get("end") or {}
    path = sources.place(str(start.get("file", "")))
    if path is None:
        return None
    line, end_line, code = int(start.get("line", 0)), int(end.get("line", 0)), str(item.get("code", "staticcheck"))
    severity: Severity = "medium" if code.startswith("SA") else "low"
    return Problem(
        path,
        line,
        severity,
        code,
        head(str(item.get("message", ""))),
        sources.column(path, line, int(start.get("column", 1))),
        end_line or None,
        sources.column(path, end_line, int(end.get("column", 1))) if end_line else None,
    )


def _documents(text: str) -> Iterator[dict[str, Any]]:
    for line in text.split("\n"):
        try:
            document = json.loads(line) if line.startswith("{") else None
        except ValueError:
            continue
        if isinstance(document, dict):
            yield document


def _failed(tool: str, result: CommandResult) -> Unreadable:
    said = head(result.stderr, 300) or head(result.stdout, 300) or "it printed nothing"
    return Unreadable(f"{tool} failed (exit {result.exit_code}): {said}")


def _golangci_flags(config: Path) -> tuple[str, ...]:
    """Version 2 renamed the flag for JSON; a configuration says which version it is for."""
    text = config.read_text(encoding="utf-8", errors="replace")
    second = re.search(r"""^\s*["']?version["']?\s*[:=]\s*["']?2\b""", text, re.MULTILINE)
    output = "--output.json.path=stdout" if second else "--out-format=json"
    return output, "--issues-exit-code=0", "--allow-parallel-runners"


def _packages(project: Project) -> tuple[str, ...]:
    left_out = set(_not_built(project))
    files = (PurePosixPath(path) for path in project.changed if path.endswith(".go") and path not in left_out)
    folders = sorted({str(file.parent) for file in files if not {"testdata", "vendor"}.intersection(file.parts)})
    return tuple("." if folder == "." else f"./{folder}" for folder in folders)


def _not_built(project: Project) -> tuple[str, ...]:
    context = build_context(project)
    files = (path for path in project.changed if path.endswith(".go"))
    return tuple(path for path in files if not_built(project.folder, path, context))


def _configuration(project: Project, names: tuple[str, ...]) -> Path | None:
    """Return the nearest configuration between the module and the workspace's folder."""
    folder = project.folder
    while True:
        for name in names:
            if (folder / name).is_file():
                return folder / name
        if folder in {project.place, folder.parent}:
            return None
        folder = folder.parent
