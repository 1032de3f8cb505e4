"""Does the whole project still compile or type-check, and is it the change's doing where it does not?"""

from typing import Final

from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.checks.findings import error_verdict, errors, findings_of
from verify_lsp.checks.parts import combine, homeless_parts
from verify_lsp.checks.problem_step import Looked, look
from verify_lsp.checks.user_command import run_project_check
from verify_lsp.checks.wording import count
from verify_lsp.model.finding import CheckKind, Finding
from verify_lsp.model.outcome import CheckOutcome, Proof, Ran

KIND: Final[CheckKind] = "project-check"
EXECUTES: Final = True


async def check(context: CheckContext) -> CheckOutcome:
    """Run the user's own project check, else each touched project's."""
    if line := context.settings.project_check_command:
        return await run_project_check(context, line)
    parts: list[tuple[str, CheckOutcome]] = [(owner.title, await _check(context, owner)) for owner in context.projects]
    return combine(parts + homeless_parts(context.homeless), "no project of a known language was touched")


async def _check(context: CheckContext, owner: ProjectOf) -> CheckOutcome:
    looked = await look(context, owner, owner.toolchain.tools.project_check, context.timeout_s, keep=lambda _: True)
    return _judge(context, owner, looked) if isinstance(looked, Looked) else looked


def _judge(context: CheckContext, owner: ProjectOf, looked: Looked) -> Ran:
    findings = findings_of(KIND, looked.told)
    touched = {file.path for file in context.change.files}
    found = errors(findings)
    in_touched = [finding for finding in found if finding.path in touched]
    new = [finding for finding in found if not finding.preexisting]
    metrics: dict[str, float | None] = {
        "errors_touched": len(in_touched),
        "errors_elsewhere": len(found) - len(in_touched) if looked.step.whole_project else None,
        "errors_new": len(new) if looked.told.unknown is None else None,
    }
    text = _sentence(owner, looked, found, new)
    return Ran(
        verdict=error_verdict(new, found),
        summary=text,
        findings=_errors_first(findings),
        metrics=metrics,
        proofs=(Proof(text, looked.evidence(metrics), looked.step.proves, holds=not new),),
        unverified=(*looked.step.unverified, *_missed(owner, looked), *looked.unknown_before("errors")),
        asides=() if _missed(owner, looked) else looked.unseen,
        command=looked.command,
        output=looked.output if found else None,
        tools=(looked.tool,),
    )


def _sentence(owner: ProjectOf, looked: Looked, found: list[Finding], new: list[Finding]) -> str:
    where = "the project" if looked.step.whole_project else count(len(owner.project.changed), "changed file")
    said = f"{looked.named} reports"
    if not found:
        return f"{said} no errors in {where}"
    old = len(found) - len(new)
    if looked.told.unknown:
        return f"{said} {count(len(found), 'error')} in {where}, {len(new)} of them on added lines"
    if not old:
        return f"{said} {count(len(new), 'new error')} in {where}"
    return f"{said} {count(len(new), 'new error')} in {where}, and {old} that {_were(old)} there before the change"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _missed(owner: ProjectOf, looked: Looked) -> tuple[str, ...]:
    """Return the files that should have been looked at: those left out by accident, or all of the change."""
    all_of_it = len(looked.unseen) >= len(owner.project.changed) > 0
    return looked.unseen if all_of_it or not looked.step.unseen_by_choice else ()


def _errors_first(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(
        sorted(findings, key=lambda finding: (finding.preexisting, finding.severity not in {"critical", "high"}))
    )
