"""pylint."""

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.base import ProblemStep, Project
from verify_lsp.toolchains.output import head, relative_path
from verify_lsp.toolchains.python.checking.answers import Parsed, json_document, unreadable
from verify_lsp.toolchains.python.checking.columns import SourceLines, from_utf8
from verify_lsp.toolchains.python.project.configuration import ini_section, tool_table
from verify_lsp.toolchains.python.project.interpreter import Interpreter

# The exit code is a set of bits: 32 is wrong usage, 1 a fatal message, the others count messages.
_WRONG_USAGE = 32


def is_configured(folder: Path) -> bool:
    """Tell whether `folder` configures pylint."""
    if any((folder / name).is_file() for name in (".pylintrc", "pylintrc", ".pylintrc.toml", "pylintrc.toml")):
        return True
    sections = ("pylint", "pylint.main", "pylint.master", "pylint.messages control", "MESSAGES CONTROL")
    in_setup = any(ini_section(folder / "setup.cfg", section) is not None for section in sections)
    return in_setup or tool_table(folder, "pylint") is not None


def pylint_step(project: Project, interpreter: Interpreter, paths: tuple[str, ...], timeout_s: float) -> ProblemStep:
    """Return the step; pylint's own statistics go to our cache."""
    program = (str(interpreter.program), "-m", "pylint")
    return ProblemStep(
        tool="pylint",
        command=Command(
            (*program, "--output-format=json", "--score=n", "--reports=n", "--", *paths),
            cwd=project.root,
            env={**interpreter.variables(), "PYLINTHOME": str(project.cache / "pylint")},
            timeout_s=timeout_s,
        ),
        parse=functools.partial(read_pylint, folder=project.folder),
        whole_project=False,
        version=Command((*program, "--version"), cwd=project.root),
    )


def read_pylint(result: CommandResult, folder: Path) -> Parsed:
    """Read its JSON; columns are UTF-8 offsets from 0."""
    data = json_document(result.stdout, "[")
    if not isinstance(data, list) or result.exit_code is None or not 0 <= result.exit_code < _WRONG_USAGE:
        return unreadable("pylint", result)
    lines = SourceLines(folder)
    return tuple(_problem(item, folder, lines) for item in data)


def _problem(item: Mapping[str, Any], folder: Path, lines: SourceLines) -> Problem:
    path = relative_path(str(item.get("path", "")), folder) or ""
    line, offset = int(item.get("line") or 0), item.get("column")
    return Problem(
        path=path,
        line=line,
        severity="medium" if item.get("type") in {"error", "fatal"} else "low",
        rule=str(item.get("symbol") or item.get("message-id")),
        message=head(str(item.get("message", ""))),
        column=from_utf8(lines.line(path, line), int(offset)) if offset is not None else None,
    )
