"""Compiling every file with the project's own interpreter, where nothing better is there."""

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verify_lsp.model.command import RESULTS, Command, CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.base import ProblemStep, Project, Unreadable
from verify_lsp.toolchains.output import head, relative_path
from verify_lsp.toolchains.python.checking.answers import Parsed, json_document, unreadable
from verify_lsp.toolchains.python.checking.columns import SourceLines
from verify_lsp.toolchains.python.project.interpreter import Interpreter
from verify_lsp.toolchains.python.project.roots import python_files
from verify_lsp.toolchains.python.testing.request import injected

SCRIPT = "verify_lsp_compile"
TOOL = "Python compile()"


def compile_step(project: Project, interpreter: Interpreter, timeout_s: float) -> ProblemStep:
    """Return the step; it imports nothing of the project and writes no `.pyc` file."""
    program = str(interpreter.program)
    changed = (path for path in project.changed if path.endswith((".py", ".pyw", ".pyi")))
    paths = list(dict.fromkeys([*python_files(project.folder), *changed]))
    version = "import platform; print(platform.python_version())"
    return ProblemStep(
        tool=TOOL,
        command=Command(
            (program, "-I", "-B", f"{RESULTS}/{SCRIPT}.py"),
            cwd=project.root,
            timeout_s=timeout_s,
            support={f"{SCRIPT}.py": injected(SCRIPT), "verify_lsp_files.json": json.dumps(paths)},
        ),
        parse=functools.partial(read_compile, folder=project.folder),
        version=Command((program, "-I", "-c", version), cwd=project.root),
        proves="compile",
    )


def read_compile(result: CommandResult, folder: Path) -> Parsed:
    """Read what the script left; columns are code points from 1 already."""
    answer = json_document(result.files.get("compile.json", ""), "{")
    if not isinstance(answer, dict) or result.exit_code != 0:
        return unreadable(TOOL, result)
    if not answer["compiled"]:
        return Unreadable("there are no Python files to compile", broke=False)
    lines = SourceLines(folder)
    return tuple(_problem(item, str(answer["python"]), folder, lines) for item in answer["problems"])


def _problem(item: Mapping[str, Any], python: str, folder: Path, lines: SourceLines) -> Problem:
    """The version belongs into the message: the file may be written for a newer Python, and not be wrong."""
    path = relative_path(str(item["path"]), folder) or ""
    line = item["line"] or 0
    column = item["column"] or None
    return Problem(
        path=path,
        line=line,
        severity="high",
        rule="syntax-error",
        message=head(f"{item['message']} (Python {python})"),
        # At the end of a line the compiler may point beyond it.
        column=min(column, len(lines.line(path, line)) + 1) if column else None,
    )
