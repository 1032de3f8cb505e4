"""ty."""

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.base import ProblemStep, Project, Unreadable
from verify_lsp.toolchains.output import head, plain, relative_path
from verify_lsp.toolchains.python.checking.answers import SEVERITIES, Parsed, find_program, json_document, unreadable
from verify_lsp.toolchains.python.project.configuration import tool_table
from verify_lsp.toolchains.python.project.interpreter import Interpreter


def ty_is_configured(folder: Path) -> bool:
    """Tell whether `folder` configures ty."""
    return (folder / "ty.toml").is_file() or tool_table(folder, "ty") is not None


def ty_step(project: Project, interpreter: Interpreter, timeout_s: float) -> ProblemStep | None:
    """Return the step, or None where ty is not installed."""
    program = find_program(project, interpreter, "ty")
    if program is None:
        return None
    python = str(interpreter.environment or interpreter.program)
    return ProblemStep(
        tool="ty",
        command=Command(
            (program, "check", "--output-format", "gitlab", "--color", "never", "--no-progress", "--python", python),
            cwd=project.root,
            timeout_s=timeout_s,
        ),
        parse=functools.partial(read_ty, folder=project.folder),
        version=Command((program, "--version"), cwd=project.root),
    )


def read_ty(result: CommandResult, folder: Path) -> Parsed:
    """Read the code-quality JSON; columns are code points from 1 already."""
    data = json_document(result.stdout, "[")
    if not isinstance(data, list) or result.exit_code not in {0, 1}:
        return unreadable("ty", result)
    if not data and "o python files found" in plain(result.stderr):
        return Unreadable("ty found no files to look at", broke=False)
    return tuple(_ty_problem(item, folder) for item in data)


def _ty_problem(item: Mapping[str, Any], folder: Path) -> Problem:
    positions = item["location"].get("positions", {})
    begin, end = positions.get("begin", {}), positions.get("end", {})
    rule = str(item["check_name"])
    return Problem(
        path=relative_path(str(item["location"]["path"]), folder) or "",
        line=begin.get("line", 0),
        severity=SEVERITIES.get(item.get("severity", "major"), "info"),
        rule=rule,
        message=head(str(item["description"]).removeprefix(f"{rule}: ")),
        column=begin.get("column"),
        end_line=end.get("line"),
        end_column=end.get("column"),
    )
