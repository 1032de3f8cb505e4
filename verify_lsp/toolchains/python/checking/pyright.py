"""pyright and basedpyright."""

import functools
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.base import ProblemStep, Project, Unreadable
from verify_lsp.toolchains.output import head, relative_path
from verify_lsp.toolchains.python.checking.answers import SEVERITIES, Parsed, json_document, unreadable
from verify_lsp.toolchains.python.checking.columns import SourceLines, from_utf16
from verify_lsp.toolchains.python.project.configuration import tool_table
from verify_lsp.toolchains.python.project.interpreter import Interpreter


def pyright_is_configured(folder: Path) -> bool:
    """Tell whether `folder` configures pyright."""
    return (folder / "pyrightconfig.json").is_file() or tool_table(folder, "pyright") is not None


def basedpyright_is_configured(folder: Path) -> bool:
    """Tell whether `folder` configures basedpyright, whose table pyright does not read."""
    return tool_table(folder, "basedpyright") is not None


def pyright_step(
    project: Project, interpreter: Interpreter, timeout_s: float, *, names: tuple[str, ...]
) -> ProblemStep | None:
    """Return the step of the first installed program of `names`, those of the environment before those on the path."""
    programs = [interpreter.script(name) for name in names] + [shutil.which(name, path=project.path) for name in names]
    program = next(filter(None, programs), None)
    if program is None:
        return None
    tool = Path(program).stem
    # The baseline file is the user's; on its own basedpyright would update it.
    extra = ("--baselinemode=discard",) if tool == "basedpyright" else ()
    return ProblemStep(
        tool=tool,
        command=Command(
            (program, "--outputjson", "--pythonpath", str(interpreter.program), *extra),
            cwd=project.root,
            timeout_s=timeout_s,
        ),
        parse=functools.partial(read_pyright, folder=project.folder, tool=tool),
        version=Command((program, "--version"), cwd=project.root),
    )


def read_pyright(result: CommandResult, folder: Path, tool: str) -> Parsed:
    """Read `--outputjson`; columns come as UTF-16 offsets from 0."""
    data = json_document(result.stdout, "{")
    if not isinstance(data, dict) or not isinstance(data.get("generalDiagnostics"), list):
        return unreadable(tool, result)
    if not data.get("summary", {}).get("filesAnalyzed"):
        return Unreadable(f"{tool} found no files to look at", broke=False)
    lines = SourceLines(folder)
    return tuple(_pyright_problem(item, folder, lines) for item in data["generalDiagnostics"])


def _pyright_problem(item: Mapping[str, Any], folder: Path, lines: SourceLines) -> Problem:
    path = relative_path(str(item.get("file", "")), folder) or ""
    begin, end = item.get("range", {}).get("start", {}), item.get("range", {}).get("end", {})
    line, end_line = begin.get("line", -1) + 1, end.get("line", -1) + 1
    return Problem(
        path=path,
        line=line,
        severity=SEVERITIES.get(item.get("severity", "error"), "info"),
        rule=str(item.get("rule") or "syntax"),
        message=head(str(item.get("message", ""))),
        column=from_utf16(lines.line(path, line), begin["character"]) if line else None,
        end_line=end_line or None,
        end_column=from_utf16(lines.line(path, end_line), end["character"]) if end_line else None,
    )
