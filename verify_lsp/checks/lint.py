"""Does the project's own linter object to the changed files? It only ever warns."""

from typing import Final

from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.checks.findings import findings_of
from verify_lsp.checks.parts import combine, homeless_parts
from verify_lsp.checks.problem_step import Looked, look
from verify_lsp.checks.wording import count
from verify_lsp.judgement.sift import sift
from verify_lsp.model.change import Change
from verify_lsp.model.finding import CheckKind, Finding
from verify_lsp.model.outcome import CheckOutcome, Proof, Ran

KIND: Final[CheckKind] = "lint"
EXECUTES: Final = True
TIMEOUT_S = 60.0


async def check(context: CheckContext) -> CheckOutcome:
    """Run each touched project's linter over its changed files."""
    parts: list[tuple[str, CheckOutcome]] = [
        (owner.title, await _lint(context, owner)) for owner in context.projects if owner.project.changed
    ]
    return combine(parts + homeless_parts(context.homeless), "no file of a known language was changed")


async def _lint(context: CheckContext, owner: ProjectOf) -> CheckOutcome:
    touched = {file.path for file in context.change.files}
    timeout_s = min(TIMEOUT_S, context.timeout_s)
    looked = await look(
        context, owner, owner.toolchain.tools.lint, timeout_s, keep=lambda problem: problem.path in touched
    )
    return _judge(context, owner, looked) if isinstance(looked, Looked) else looked


def _judge(context: CheckContext, owner: ProjectOf, looked: Looked) -> Ran:
    # Counted as they are reported: a rule that is switched off, or a problem said twice of a line, is no finding.
    findings = _added_first(sift(findings_of(KIND, looked.told), context.change, context.settings), context.change)
    new = sum(not finding.preexisting for finding in findings)
    metrics: dict[str, float | None] = {"findings": new, "preexisting": len(findings) - new}
    switched_off = any(context.settings.rules.get(problem.rule) == "off" for problem in looked.told.problems)
    text = _sentence(owner, looked, new, len(findings) - new)
    text += ", apart from rules that the settings switch off" if switched_off else ""
    return Ran(
        verdict="warn" if new else "pass",
        summary=text,
        findings=findings,
        metrics=metrics,
        proofs=(Proof(text, looked.evidence(metrics), "lint", holds=new == 0),),
        unverified=(*looked.step.unverified, *looked.unknown_before("lint findings")),
        asides=looked.unseen,
        command=looked.command,
        output=looked.output if findings else None,
        tools=(looked.tool,),
    )


def _sentence(owner: ProjectOf, looked: Looked, new: int, old: int) -> str:
    files = count(len(owner.project.changed), "changed file")
    if looked.told.unknown and new + old:
        return f"{looked.named} reports {count(new + old, 'finding')} in {files}, {new} of them on added lines"
    said = f"{looked.named} reports {count(new, 'new finding')} in {files}"
    return f"{said}, and {old} that {'was' if old == 1 else 'were'} there before the change" if old else said


def _added_first(findings: tuple[Finding, ...], change: Change) -> tuple[Finding, ...]:
    added = {(file.path, line.line) for file in change.files for line in file.added_lines}
    return tuple(sorted(findings, key=lambda finding: (finding.path, finding.line) not in added))
