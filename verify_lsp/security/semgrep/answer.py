"""What semgrep found, as problems. An answer that is not whole is no answer: never take an empty list for a clean one."""

import json
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

import attrs

from verify_lsp.model.command import CommandResult
from verify_lsp.model.finding import Problem, Severity
from verify_lsp.security.semgrep.ask import packaged_rules

SEVERITIES: Mapping[str, Severity] = {"ERROR": "high", "WARNING": "medium", "INFO": "low"}
"""Semgrep's words for severities, and ours."""


@attrs.frozen
class Answer:
    """What semgrep said.

    Attributes:
        scanned: The files that it looked at.
        gaps: What it could not look at, and why.
    """

    problems: tuple[Problem, ...]
    scanned: frozenset[str]
    version: str | None
    gaps: tuple[str, ...] = ()


def read_answer(result: CommandResult) -> Answer | str:
    """Return what semgrep said, or why it said nothing that counts."""
    if result.missing:
        return "semgrep cannot be started"
    if result.timed_out:
        return "semgrep took longer than it may"
    try:
        data = json.loads(result.stdout)
    except (ValueError, RecursionError):
        return f"semgrep ended with {result.exit_code} and without an answer"
    if result.exit_code not in {0, 1} or not isinstance(data, dict) or not isinstance(data.get("results"), list):
        return f"semgrep ended with {result.exit_code} and without results"
    try:
        return _read(data)
    except (KeyError, TypeError, AttributeError) as error:
        return f"semgrep answered in a form that is not known: {error!r}"


def _read(data: Mapping[str, Any]) -> Answer:
    rules = {rule["id"]: rule for rule in packaged_rules()}
    problems = []
    for found in data["results"]:
        rule = rules.get(found["check_id"].rpartition(".")[2])
        if rule is not None:
            problems.append(_problem(rule, found))
    gaps = tuple(_gap(error) for error in data.get("errors", ()))
    scanned = frozenset(_path(path) for path in data["paths"]["scanned"])
    return Answer(tuple(problems), scanned, data.get("version"), gaps)


def _problem(rule: Mapping[str, Any], found: Mapping[str, Any]) -> Problem:
    # Semgrep's word on the text is left out: message and advice are the packaged ones, nothing of the file.
    return Problem(
        path=_path(found["path"]),
        line=int(found["start"]["line"]),
        severity=SEVERITIES[rule["severity"]],
        rule=rule["id"],
        message=rule["message"],
        column=int(found["start"]["col"]),
        end_line=int(found["end"]["line"]),
        end_column=int(found["end"]["col"]),
        suggestion=rule["metadata"]["suggestion"],
        cwe=tuple(rule["metadata"]["cwe"]),
    )


def _gap(error: Mapping[str, Any]) -> str:
    path = error.get("path")
    kind = error.get("type")
    where = f" of {_path(path)}" if isinstance(path, str) else ""
    return f"semgrep could not read all{where}: {kind if isinstance(kind, str) else 'no reason given'}"


def _path(path: str) -> str:
    return PurePosixPath(path).as_posix()
