"""flake8."""

import functools
import re
from pathlib import Path

from verify_lsp.model.command import RESULTS, Command, CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.base import ProblemStep, Project
from verify_lsp.toolchains.output import head, plain, relative_path
from verify_lsp.toolchains.python.checking.answers import Parsed, unreadable
from verify_lsp.toolchains.python.checking.columns import SourceLines, from_utf8
from verify_lsp.toolchains.python.checking.ruff import lint_severity
from verify_lsp.toolchains.python.project.configuration import ini_section
from verify_lsp.toolchains.python.project.interpreter import Interpreter

_OUTPUT = "flake8.txt"
_LINE = re.compile(r"(?P<path>.+?):(?P<line>\d+):(?P<column>\d+):(?P<rule>[A-Z]+\d*):(?P<message>.*)")


def is_configured(folder: Path) -> bool:
    """Tell whether `folder` configures flake8."""
    return any(ini_section(folder / name, "flake8") is not None for name in (".flake8", "setup.cfg", "tox.ini"))


def flake8_step(project: Project, interpreter: Interpreter, paths: tuple[str, ...], timeout_s: float) -> ProblemStep:
    """Return the step; its lines go to a file of ours, wherever the project's settings would send them."""
    # It takes no "--", so that a name must not look like an option.
    targets = [f"./{path}" if path.startswith("-") else path for path in paths]
    line = "%(path)s:%(row)d:%(col)d:%(code)s:%(text)s"
    program = (str(interpreter.program), "-m", "flake8")
    return ProblemStep(
        tool="flake8",
        command=Command(
            (*program, f"--format={line}", f"--output-file={RESULTS}/{_OUTPUT}", *targets),
            cwd=project.root,
            timeout_s=timeout_s,
        ),
        parse=functools.partial(read_flake8, folder=project.folder),
        whole_project=False,
        version=Command((*program, "--version"), cwd=project.root),
    )


def read_flake8(result: CommandResult, folder: Path) -> Parsed:
    """Read its lines."""
    lines = SourceLines(folder)
    matches = [_LINE.fullmatch(line) for line in plain(result.files.get(_OUTPUT, "")).split("\n")]
    problems = tuple(_problem(match, folder, lines) for match in matches if match is not None)
    if result.exit_code not in {0, 1} or (result.exit_code == 1 and not problems):
        return unreadable("flake8", result)
    return problems


def _problem(match: re.Match[str], folder: Path, lines: SourceLines) -> Problem:
    """Pycodestyle counts code points, everybody else UTF-8 bytes."""
    path = relative_path(match["path"], folder) or ""
    line, column, rule = int(match["line"]), int(match["column"]), match["rule"]
    if not rule.startswith(("E", "W")) and column:
        column = from_utf8(lines.line(path, line), column - 1)
    message = match["message"].strip()
    return Problem(path, line, lint_severity(rule, message), rule, head(message), column or None)
