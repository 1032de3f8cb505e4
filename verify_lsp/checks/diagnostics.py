"""What do the language servers say about the touched files?"""

from typing import TYPE_CHECKING, Final

import attrs

from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.checks.before import ToldApart, tell_apart
from verify_lsp.checks.findings import error_verdict, errors, findings_of
from verify_lsp.checks.parts import combine
from verify_lsp.checks.places import in_workspace
from verify_lsp.checks.verified_files import verify_changed
from verify_lsp.checks.wording import count, listed
from verify_lsp.model.fact import Evidence
from verify_lsp.model.finding import CheckKind, Finding, Problem
from verify_lsp.model.outcome import Broke, CheckOutcome, Proof, Ran, Skipped, ToolInfo
from verify_lsp.toolchains.base import Absent, LanguageServer, Project, Unreadable

if TYPE_CHECKING:
    from verify_lsp.langservers.collect import Collected

KIND: Final[CheckKind] = "diagnostics"
EXECUTES: Final = True
SETTLE_LIMIT_S = 60.0
_EDITOR = "the editor's language servers"


async def check(context: CheckContext) -> CheckOutcome:
    """Ask the editor's language servers where the client offers it, else those of this machine."""
    touched = tuple(file.path for file in context.change.files if file.after is not None and not file.binary)
    if not touched:
        return Skipped("no text file was changed", needless=True)
    said = Skipped("") if context.collect_diagnostics is None else await _from_editor(context, touched)
    owners = [] if isinstance(said, Ran) else [owner for owner in context.projects if owner.project.changed]
    # An editor that has no server for a language says nothing; one of this machine may.
    parts = [(owner.title, await _from_machine(context, owner)) for owner in owners]
    if context.collect_diagnostics is not None and not any(isinstance(part, Ran) for _, part in parts):
        parts = [("", said)]
    parsed = verify_changed(context, KIND)
    if isinstance(parsed, Ran) or not parts:
        parts.append(("data and scripts", parsed))
    return combine(parts, "no file of a known language was changed")


async def _from_editor(context: CheckContext, touched: tuple[str, ...]) -> CheckOutcome:
    if context.collect_diagnostics is None:
        return Skipped("no editor offers its diagnostics")
    try:
        collected = await context.collect_diagnostics(touched)
    except TimeoutError:
        return Skipped("the editor did not answer in time")
    silent = [path for path in touched if path not in collected]
    if not collected:
        return Skipped(f"{_EDITOR} said nothing about the changed files")
    problems = tuple(problem for path in touched for problem in collected.get(path, ()))
    # An editor knows only the text of now, so that only what stands on an added line is surely new.
    added = {(file.path, line.line) for file in context.change.files for line in file.added_lines}
    old = tuple((problem.path, problem.line) not in added for problem in problems)
    unknown = "the editor knows only the present text" if any(old) else None
    judged = _judge(ToldApart(problems, old, unknown), ToolInfo(_EDITOR), len(touched) - len(silent), None)
    # Of a text that is no program nobody need say anything.
    programs = _programs(context)
    missed = [path for path in silent if path in programs] if programs else silent
    if not missed:
        return judged
    gap = f"{_EDITOR} said nothing about {listed(missed)}"
    return combine([("", attrs.evolve(judged, unverified=(*judged.unverified, gap)))], gap)


def _programs(context: CheckContext) -> frozenset[str]:
    """Return the changed files that belong to a project, as paths of the workspace."""
    owned = ((owner.project.root, path) for owner in context.projects for path in owner.project.changed)
    return frozenset(path if root == "." else f"{root}/{path}" for root, path in owned)


async def _from_machine(context: CheckContext, owner: ProjectOf) -> CheckOutcome:
    server = owner.toolchain.tools.language_server(owner.project)
    if isinstance(server, Absent):
        return Skipped(server.reason, needless=server.needless)
    collected = await _ask(server, owner.project, context)
    if isinstance(collected, Unreadable):
        outcome = Broke if collected.broke else Skipped
        return outcome(collected.reason, command=server.command.shown(), tools=(ToolInfo(server.tool),))
    problems = tuple(in_workspace(problem, owner.project.root) for problem in collected.problems)

    async def measure(base: Project) -> tuple[Problem, ...] | Unreadable:
        there = owner.toolchain.tools.language_server(base)
        if isinstance(there, Absent):
            return Unreadable(there.reason)
        if not base.changed:
            return ()
        before = await _ask(there, base, context)
        return before if isinstance(before, Unreadable) else before.problems

    key = f"{KIND} {server.tool} {collected.version} {sorted(owner.project.changed)}"
    told = await tell_apart(context, owner, key, problems, measure)
    tool = ToolInfo(server.tool, collected.version, server.command.argv[0])
    return _judge(told, tool, len(owner.project.changed), server.command.shown())


async def _ask(server: LanguageServer, project: Project, context: CheckContext) -> "Collected | Unreadable":
    from verify_lsp.langservers.collect import collect
    from verify_lsp.system.environment import child_environment

    return await collect(
        server,
        project.folder,
        project.changed,
        limit_s=min(SETTLE_LIMIT_S, context.timeout_s),
        environment=child_environment(offline=context.offline),
    )


def _judge(told: ToldApart, tool: ToolInfo, files: int, command: str | None) -> Ran:
    findings = findings_of(KIND, told)
    found = errors(findings)
    new = [finding for finding in found if not finding.preexisting]
    metrics: dict[str, float | None] = {
        "errors": len(found),
        "errors_new": len(new) if told.unknown is None else None,
        "warnings": sum(finding.severity == "medium" for finding in findings),
    }
    text = _sentence(tool, files, found, new, told.unknown)
    evidence = Evidence(command=command, tool=tool.name, metrics=metrics)
    return Ran(
        verdict=error_verdict(new, found),
        summary=text,
        findings=tuple(sorted(findings, key=lambda finding: (finding.preexisting, finding.path, finding.line))),
        metrics=metrics,
        proofs=(Proof(text, evidence, "diagnostics", holds=not new),),
        unverified=(f"which errors are new, because {told.unknown}",) if told.unknown and found else (),
        command=command,
        tools=(tool,) if tool.name != _EDITOR else (),
    )


def _sentence(tool: ToolInfo, files: int, found: list[Finding], new: list[Finding], unknown: str | None) -> str:
    where = count(files, "changed file")
    verb = "report" if tool.name == _EDITOR else "reports"
    if not found:
        return f"{tool.name} {verb} no errors in {where}"
    if unknown:
        return f"{tool.name} {verb} {count(len(found), 'error')} in {where}, {len(new)} of them on added lines"
    text = f"{tool.name} {verb} {count(len(new), 'new error')} in {where}"
    old = len(found) - len(new)
    return f"{text}, and {old} from before the change" if old else text
