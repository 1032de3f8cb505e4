"""ruff, as a linter of the changed files and, by its error rules, as a check of the project."""

import functools
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.finding import Problem, Severity
from verify_lsp.toolchains.base import ProblemStep, Project, Unreadable
from verify_lsp.toolchains.output import head, plain, relative_path
from verify_lsp.toolchains.python.checking.answers import Parsed, find_program, json_document, unreadable
from verify_lsp.toolchains.python.project.configuration import tool_table
from verify_lsp.toolchains.python.project.interpreter import Interpreter

ERROR_RULES = "E9,F63,F7,F82"
"""Code that does not compile, or cannot mean what it says."""

# The project's settings may ask for fixes; a check must not write. Links and notices are for terminals.
_FLAGS = ("--output-format", "json", "--no-cache", "--no-fix", "--no-fix-only", "--no-show-fixes", "--force-exclude")
_MANY = 1000

# Names that programs are given at run time by what runs them, and Python 2's own.
_INJECTED = frozenset(
    [
        "_",
        "N_",
        "ngettext",
        "pgettext",
        "npgettext",
        "get_ipython",
        "get_config",
        "display",
        "spark",
        "dbutils",
        "sc",
        "snakemake",
        "reveal_type",
        "WindowsError",
        "unicode",
        "xrange",
        "long",
        "raw_input",
        "basestring",
        "unichr",
        "file",
        "reduce",
        "execfile",
        "cmp",
    ]
)
_UNDEFINED = re.compile(r"Undefined name [`'\"](.+?)[`'\"]")
_SYNTAX = re.compile(r"E9\d*|invalid-syntax|syntax-error|F7\d*")
_LIKELY_BUG = re.compile(r"(?:F|B|PLE|ASYNC|S)\d+")
_UNUSED = frozenset({"F401", "F541", "F841"})


def is_configured(folder: Path) -> bool:
    """Tell whether `folder` configures ruff."""
    named = (folder / "ruff.toml").is_file() or (folder / ".ruff.toml").is_file()
    return named or tool_table(folder, "ruff") is not None


def ruff_errors_step(project: Project, interpreter: Interpreter | None, timeout_s: float) -> ProblemStep | None:
    """Return the step that looks for errors in the whole project; None where ruff is not installed."""
    program = find_program(project, interpreter, "ruff")
    if program is None:
        return None
    return ProblemStep(
        tool=f"ruff ({ERROR_RULES})",
        command=Command(
            (program, "check", "--select", ERROR_RULES, *_FLAGS, "."), cwd=project.root, timeout_s=timeout_s
        ),
        parse=functools.partial(read_ruff, folder=project.folder, severity=error_severity),
        version=Command((program, "--version"), cwd=project.root),
        proves="compile",
    )


def ruff_lint_step(project: Project, program: str, paths: tuple[str, ...], timeout_s: float) -> ProblemStep:
    """Return the step that lints changed files by the project's own settings, or ruff's where there are none."""
    targets = paths if len(paths) <= _MANY else (".",)
    return ProblemStep(
        tool="ruff",
        command=Command((program, "check", *_FLAGS, "--", *targets), cwd=project.root, timeout_s=timeout_s),
        parse=functools.partial(read_ruff, folder=project.folder, severity=lint_severity),
        whole_project=False,
        version=Command((program, "--version"), cwd=project.root),
    )


def read_ruff(result: CommandResult, folder: Path, severity: Callable[[str, str], Severity]) -> Parsed:
    """Read `--output-format json`; columns are code points from 1 already.

    Args:
        severity: From a rule and its message to a severity.
    """
    data = json_document(result.stdout, "[")
    if not isinstance(data, list) or result.exit_code not in {0, 1}:
        return unreadable("ruff", result)
    if not data and "o Python files found" in plain(result.stderr):
        return Unreadable("ruff found no files to look at: its settings leave them out", broke=False)
    return tuple(_problem(item, folder, severity) for item in data)


def error_severity(rule: str, message: str) -> Severity:
    """An undefined name is an error, unless it is one of those that programs are given from outside."""
    if _SYNTAX.fullmatch(rule):
        return "high"
    if rule == "F821":
        named = _UNDEFINED.search(message)
        return "medium" if named and named[1] in _INJECTED else "high"
    return "medium"


def lint_severity(rule: str, message: str) -> Severity:  # noqa: ARG001  # one shape with error_severity
    """Likely bugs are `medium`, style and leftovers `low`."""
    if rule in _UNUSED:
        return "low"
    return "medium" if _SYNTAX.fullmatch(rule) or _LIKELY_BUG.fullmatch(rule) else "low"


def _problem(item: Mapping[str, Any], folder: Path, severity: Callable[[str, str], Severity]) -> Problem:
    rule, message = str(item.get("code") or "invalid-syntax"), str(item.get("message", ""))
    begin, end = item.get("location") or {}, item.get("end_location") or {}
    fix = item.get("fix") or {}
    problem = Problem(
        path=relative_path(str(item.get("filename", "")), folder) or "",
        line=begin.get("row", 0),
        severity=severity(rule, message),
        rule=rule,
        message=head(message),
        column=begin.get("column"),
        end_line=end.get("row"),
        end_column=end.get("column"),
        url=item.get("url"),
        suggestion=head(str(fix["message"])) if fix.get("message") else None,
    )
    return problem if item.get("cell") is None else _in_notebook(problem, int(item["cell"]))


def _in_notebook(problem: Problem, cell: int) -> Problem:
    """The lines of a cell are not those of the file."""
    message = f"cell {cell}, line {problem.line}: {problem.message}"
    return Problem(problem.path, 0, problem.severity, problem.rule, message, url=problem.url)
