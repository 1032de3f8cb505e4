"""The part of the security check that follows data, by semgrep where it is installed."""

from collections.abc import Sequence

import attrs

from verify_lsp.checks.base import CheckContext
from verify_lsp.judgement.suppressions import Suppression, split
from verify_lsp.model.change import FileChange
from verify_lsp.model.finding import Finding, Problem
from verify_lsp.model.outcome import ToolInfo
from verify_lsp.security.semgrep.answer import Answer, read_answer
from verify_lsp.security.semgrep.ask import is_read, semgrep_command, semgrep_program

TIME_LIMIT_S = 120.0
_AT_ONCE = 400


@attrs.frozen
class Flow:
    """What semgrep added.

    Attributes:
        problems: On lines that the change added, paths as in the change.
        tool: None when it was not asked.
        gaps: What it could not look at, as sentence parts.
    """

    problems: tuple[Problem, ...] = ()
    tool: ToolInfo | None = None
    gaps: tuple[str, ...] = ()


async def follow_data(context: CheckContext, files: Sequence[FileChange]) -> Flow:
    """Ask semgrep about the changed files, where it is installed and the settings want it."""
    from verify_lsp.system.environment import search_path

    paths = [file.path for file in files if file.after is not None and file.added_lines and is_read(file.path)]
    if not paths or not context.settings.use_semgrep_if_available:
        return Flow()
    program = semgrep_program(search_path())
    if program is None:
        return Flow()
    tool = ToolInfo("semgrep", path=program)
    problems: list[Problem] = []
    gaps: list[str] = []
    for start in range(0, len(paths), _AT_ONCE):
        batch = paths[start : start + _AT_ONCE]
        command = semgrep_command(program, batch, min(TIME_LIMIT_S, context.timeout_s))
        answer = read_answer(await context.run(command, context.place))
        if isinstance(answer, str):
            return Flow(tool=tool, gaps=(f"data flow: {answer}",))
        tool = ToolInfo("semgrep", answer.version, program)
        problems += answer.problems
        gaps += [*answer.gaps, *_unscanned(answer, batch)]
    added = {(file.path, line.line) for file in files for line in file.added_lines}
    return Flow(tuple(problem for problem in problems if _touches(problem, added)), tool, tuple(gaps))


def _unscanned(answer: Answer, paths: Sequence[str]) -> list[str]:
    """An empty list about a file that was not looked at is no word on it."""
    silent = [path for path in paths if path not in answer.scanned]
    return [f"semgrep did not look at {len(silent)} of {len(paths)} files"] if silent else []


def _touches(problem: Problem, added: set[tuple[str, int]]) -> bool:
    lines = range(problem.line, (problem.end_line or problem.line) + 1)
    return any((problem.path, line) in added for line in lines)


def without_doubles(problems: Sequence[Problem], known: Sequence[Finding]) -> tuple[Problem, ...]:
    """Leave out what a rule of ours says of the same line and the same weakness."""
    said = {(finding.path, finding.line, weakness) for finding in known for weakness in finding.cwe or ()}
    return tuple(
        problem
        for problem in problems
        if not any((problem.path, problem.line, weakness) in said for weakness in problem.cwe or ())
    )


def unsuppressed(problems: Sequence[Problem], suppressions: Sequence[Suppression]) -> tuple[Problem, ...]:
    """Leave out what a comment suppresses: by this rule's name, or by that of one of ours for the same weakness."""
    from verify_lsp.security.rules import rules

    weaknesses = {rule.id: frozenset(rule.cwe) for rule in rules()} if suppressions else {}
    kept = split(problems, suppressions, security=True).kept
    return tuple(
        problem
        for problem in kept
        if not any(
            suppression.speaks_of(rule, problem.line, problem.end_line) and weaknesses[rule] & set(problem.cwe or ())
            for suppression in suppressions
            for rule in suppression.rules
            if rule in weaknesses
        )
    )
