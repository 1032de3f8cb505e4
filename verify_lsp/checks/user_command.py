"""The user's own project check: its exit code is the verdict, its output is read as far as it is plain."""

import re
from pathlib import Path

from verify_lsp.checks.base import CheckContext
from verify_lsp.checks.findings import errors
from verify_lsp.checks.parts import output_of
from verify_lsp.checks.tooling import evidence, unanswered
from verify_lsp.checks.user_line import shell_command
from verify_lsp.judgement.lines import match_preexisting
from verify_lsp.judgement.raised import finding_of
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.finding import Finding, Problem
from verify_lsp.model.outcome import CheckOutcome, Proof, Ran, Skipped, ToolInfo
from verify_lsp.toolchains.output import head, plain, relative_path

# path:line[:column]: [error|warning[code]:] message, as compilers print it.
_PLACE = re.compile(
    r"^(?P<path>[^\s:()][^:()\n]{0,300}?):(?P<line>\d{1,7})(?::(?P<column>\d{1,6}))?:?\s+"
    r"(?:(?P<level>error|warning|note|info)\b(?:\[(?P<code>[\w-]{1,40})\])?\s*:?\s*)?(?P<message>\S.*)$",
    re.IGNORECASE,
)
_PROBLEM_LIMIT = 500


async def run_project_check(context: CheckContext, line: str) -> CheckOutcome:
    """Run the user's project check; where it fails, ask whether it failed before the change as well."""
    command = shell_command(line, context.timeout_s)
    result = await context.run(command, context.place)
    output = output_of(result)
    if why := unanswered("projectCheckCommand", result, context.timeout_s):
        return Skipped(why, command=line, output=output)
    if result.exit_code == 0:
        return _passed(line, command, result)
    problems = read_places(result)
    before = await _at_base(context, command)
    old = match_preexisting(problems, read_places(before), context.change) if before else (False,) * len(problems)
    findings = tuple(
        finding_of("project-check", each, preexisting=was) for each, was in zip(problems, old, strict=True)
    )
    only_old = before is not None and before.exit_code not in {0, None} and bool(problems) and all(old)
    return _failed(context, command, result, findings, before_failed=only_old)


def read_places(result: CommandResult) -> tuple[Problem, ...]:
    """Read the lines of an output that name a place in the usual compilers' form."""
    problems: dict[Problem, None] = {}
    for line in plain(f"{result.stdout}\n{result.stderr}").split("\n"):
        found = _PLACE.match(line.strip())
        path = relative_path(found["path"], Path(result.place or ".")) if found else None
        if found is None or path is None or not (Path(result.place) / path).is_file():
            continue
        level = (found["level"] or "error").lower()
        problem = Problem(
            path=path,
            line=int(found["line"]),
            column=int(found["column"]) if found["column"] else None,
            severity="high" if level == "error" else "low",
            rule=found["code"] or "project-check",
            message=head(found["message"]),
        )
        problems.setdefault(problem)
    return tuple(problems)[:_PROBLEM_LIMIT]


async def _at_base(context: CheckContext, command: Command) -> CommandResult | None:
    if context.base_tree is None:
        return None
    async with context.base_tree() as place:
        return await context.run(command, place)


def _passed(line: str, command: Command, result: CommandResult) -> Ran:
    text = f"the project check passes ({line}, exit 0)"
    metrics: dict[str, float | None] = {"errors_touched": None, "errors_elsewhere": None}
    proof = Proof(text, evidence(ToolInfo("projectCheckCommand"), command, result, metrics), "compile", holds=True)
    return Ran("pass", text, metrics=metrics, proofs=(proof,), command=line)


def _failed(
    context: CheckContext,
    command: Command,
    result: CommandResult,
    findings: tuple[Finding, ...],
    *,
    before_failed: bool,
) -> Ran:
    touched = {file.path for file in context.change.files}
    found = errors(findings)
    in_touched = sum(finding.path in touched for finding in found)
    metrics: dict[str, float | None] = {
        "errors_touched": in_touched if found else None,
        "errors_elsewhere": len(found) - in_touched if found else None,
    }
    line = command.argv[0]
    text = f"the project check fails ({line}, exit {result.exit_code})"
    text = f"{text}, as it did before the change" if before_failed else text
    tool = ToolInfo("projectCheckCommand")
    return Ran(
        verdict="warn" if before_failed else "fail",
        summary=text,
        findings=findings,
        metrics=metrics,
        proofs=(Proof(text, evidence(tool, command, result, metrics), "compile", holds=before_failed),),
        command=line,
        output=output_of(result),
        tools=(tool,),
    )
