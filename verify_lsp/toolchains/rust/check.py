"""`cargo check` over the whole workspace and all targets, tests included."""

from verify_lsp.model.command import CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.base import Absent, ProblemStep, Project, Unreadable
from verify_lsp.toolchains.output import head
from verify_lsp.toolchains.rust.cargo import cannot_run, cargo, cargo_version, keep_going
from verify_lsp.toolchains.rust.cargo_errors import read_cargo_errors
from verify_lsp.toolchains.rust.linked import unlinked
from verify_lsp.toolchains.rust.messages import read_messages


def check(project: Project, timeout_s: float) -> ProblemStep | Absent:
    """Return the project check of a Cargo workspace."""
    if absent := cannot_run(project):
        return absent
    arguments = ("--workspace", "--all-targets", *keep_going(project), "--message-format=json")
    return ProblemStep(
        "cargo check",
        cargo(project, timeout_s, "check", *arguments),
        lambda result: read_check(project, result),
        version=cargo_version(project),
        unseen=lambda result: unlinked(project, result),
        unseen_by_choice=False,
    )


def read_check(project: Project, result: CommandResult) -> tuple[Problem, ...] | Unreadable:
    """Return the problems of a cargo run with JSON messages."""
    messages = read_messages(result.stdout, project.folder)
    refused = read_cargo_errors(result.stderr, project.folder)
    problems = (*messages.problems(), *refused.problems)
    if any(problem.severity == "high" for problem in problems) and not messages.unfit:
        return problems
    if result.exit_code == 0 and messages.finished:
        return problems
    if unfit := messages.unfit or refused.unfit:
        return Unreadable(unfit, broke=False)
    said = refused.other or head(result.stderr[-600:], 300) or "it printed nothing"
    return Unreadable(f"cargo failed without naming an error of the code (exit {result.exit_code}): {said}")
