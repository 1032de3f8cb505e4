"""Reading the answers of checkers and linters: the parts that they have in common."""

import json
import shutil
from collections.abc import Mapping
from typing import Any

from verify_lsp.model.command import CommandResult
from verify_lsp.model.finding import Problem, Severity
from verify_lsp.toolchains.base import Project, Unreadable
from verify_lsp.toolchains.output import head
from verify_lsp.toolchains.python.project.interpreter import Interpreter

Parsed = tuple[Problem, ...] | Unreadable

SEVERITIES: Mapping[str, Severity] = {
    "error": "high",
    "warning": "medium",
    "information": "info",
    "note": "info",
    "blocker": "high",
    "critical": "high",
    "major": "high",
    "minor": "medium",
    "info": "info",
}
"""Type checkers' own words. What stops a check is `high`; the rest is shown, and fails nothing."""


def find_program(project: Project, interpreter: Interpreter | None, name: str) -> str | None:
    """Return a program of the project's environment, else one on the path."""
    own = interpreter.script(name) if interpreter is not None else None
    return own or shutil.which(name, path=project.path)


def json_document(text: str, begin: str) -> Any:
    """Return the JSON document that begins with `begin`; a wrapper's notice before it is passed over. None if broken."""
    try:
        return json.loads(text[text.index(begin) :])
    except ValueError:
        return None


def unreadable(tool: str, result: CommandResult) -> Unreadable:
    """Say that a tool gave no answer, in its own last words."""
    said = head(result.stderr, 300) or head(result.stdout, 300) or "nothing"
    return Unreadable(f"{tool} ended with exit code {result.exit_code} and said: {said}")
