"""The pipeline: one request becomes one report.

scope → checks → sift → facts × claims → risk → Report
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from verify_lsp.checks.base import BaseTree, CheckContext, DiagnosticsSource, ProjectOf, Runner
from verify_lsp.model.change import Change
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.event import CheckChanged, Observer, ReportStarted
from verify_lsp.model.fact import Claim
from verify_lsp.model.finding import CheckKind
from verify_lsp.model.outcome import CheckOutcome, ToolInfo
from verify_lsp.model.report import Check, Report, ReportStatus
from verify_lsp.model.scope import VerifyScope
from verify_lsp.settings.settings import Settings, public_settings

if TYPE_CHECKING:
    from verify_lsp.checks.run import Timed
    from verify_lsp.scope.resolve import Resolution


@attrs.frozen
class RunRequest:
    """What to verify, and by whose leave.

    Attributes:
        workspace: Absolute folder.
        trusted: True when what the repository carries may be executed.
        checks: None for those that the settings name.
        message: An agent's final message, whose claims are held against the facts.
        notes: What a reader should know about the settings, such as a file that cannot be read.
        offline: No network; `settings.privacy_mode` says the same.
        collect_diagnostics: The editor's other language servers, where it offers them.
    """

    workspace: Path
    scope: VerifyScope
    settings: Settings
    trusted: bool
    checks: tuple[CheckKind, ...] | None = None
    message: str | None = None
    session_id: str | None = None
    offline: bool = False
    notes: tuple[str, ...] = ()
    collect_diagnostics: DiagnosticsSource | None = None


class Verification:
    """One run. `report` is what is known so far, whole at any time, so that a cancelled run can be kept."""

    def __init__(self, request: RunRequest, report_id: str, observe: Observer) -> None:
        from verify_lsp.checks.registry import check_modules

        wanted = request.checks if request.checks is not None else request.settings.checks
        self.request = request
        self.modules = check_modules(wanted)
        self.observe = observe
        self.report = Report(
            id=report_id,
            workspace=str(request.workspace),
            scope=request.scope,
            created_at=_written(datetime.now(UTC)),
            status="running",
            checks=tuple(Check(module.KIND, "pending", "waiting") for module in self.modules),
            settings=public_settings(request.settings),
            session_id=request.session_id or request.scope.session_id,
        )

    async def run(self) -> Report:
        """Verify, telling the observer as it goes.

        Raises:
            EngineError: The scope cannot be resolved.
        """
        from verify_lsp.scope.resolve import resolved
        from verify_lsp.toolchains.registry import linked_folders

        self.observe(ReportStarted(self.report))
        request = self.request
        async with resolved(
            request.scope, request.workspace, default_base=request.settings.base, linked=linked_folders()
        ) as resolution:
            change = _without_excluded(resolution.change, request.settings.exclude)
            self.report = attrs.evolve(self.report, files=change.files, base=change.base, head=change.head)
            if not change.files:
                self.report = self._unlooked(change) if resolution.change.files else self._nothing(change)
                return self.report
            self.observe(ReportStarted(self.report))
            outcomes = await self._run_checks(attrs.evolve(resolution, change=change))
            # Judging a large change takes seconds, in which a run must stay cancellable.
            self.report = await asyncio.to_thread(self._judged, change, outcomes)
            return self.report

    async def _run_checks(self, resolution: "Resolution") -> "dict[CheckKind, Timed]":
        from verify_lsp.checks.run import run_checks

        async with AsyncExitStack() as stack:
            context = await self._context(resolution, stack)
            return await run_checks(
                context,
                self.modules,
                trusted=self.request.trusted,
                started=lambda kind: self._update(Check(kind, "running", "running")),
                ended=lambda kind, timed: self._update(self._check(resolution.change, kind, timed)),
            )

    async def _context(self, resolution: "Resolution", stack: AsyncExitStack) -> CheckContext:
        from verify_lsp.checks.projects import Surroundings, projects_of
        from verify_lsp.system.cache import workspace_cache
        from verify_lsp.system.environment import child_environment
        from verify_lsp.toolchains.registry import TOOLCHAINS

        request, change = self.request, resolution.change
        offline = request.offline or request.settings.privacy_mode
        own = workspace_cache(request.workspace)
        around = Surroundings(
            workspace=request.workspace,
            place=resolution.place,
            path=child_environment(offline=offline)["PATH"],
            cache=own / "tools",
        )
        touched = projects_of(change, TOOLCHAINS, around)
        return CheckContext(
            workspace=request.workspace,
            place=resolution.place,
            change=change,
            projects=await _out_of_harm(touched.projects, resolution, stack),
            homeless=touched.homeless,
            settings=request.settings,
            run=_runner(partial(self._load_judgement, change), offline=offline),
            offline=offline,
            base_tree=_shared_base_tree(change, request.workspace, stack),
            base_cache=own / "base" / change.base.sha if change.base else None,
            collect_diagnostics=request.collect_diagnostics,
            wanted=frozenset(module.KIND for module in self.modules),
        )

    def _load_judgement(self, change: Change) -> None:
        """Load and prepare what is needed once the tools have answered, by using it once on nothing."""
        from verify_lsp.checks.secret_mutants import load_rules
        from verify_lsp.codec import dumps

        import_module("verify_lsp.judgement.sift")
        dumps(self._judged(change, {}))
        if any(module.KIND == "mutation" for module in self.modules):
            load_rules(file.path for file in change.files)

    def _unlooked(self, change: Change) -> Report:
        """Return the report of a change that is there but wholly excluded: nothing was verified, and that is said."""
        reason = "every changed file is excluded by the settings"
        checks = tuple(
            Check(module.KIND, "skipped", f"not verified: {reason}", reason=reason) for module in self.modules
        )
        return attrs.evolve(self._ended("warn", checks=checks), risk_reasons=change.notes)

    def _update(self, check: Check) -> None:
        checks = tuple(check if check.kind == each.kind else each for each in self.report.checks)
        self.report = attrs.evolve(self.report, checks=checks)
        self.observe(CheckChanged(self.report.id, check))

    def _check(self, change: Change, kind: CheckKind, timed: "Timed") -> Check:
        from verify_lsp.judgement.sift import sift_outcome
        from verify_lsp.judgement.verdict import to_check

        return to_check(kind, sift_outcome(timed.outcome, change, self.request.settings), timed.duration_ms)

    def _nothing(self, change: Change) -> Report:
        return attrs.evolve(self._ended("empty", checks=()), risk_reasons=(*self.request.notes, *change.notes))

    def _judged(self, change: Change, outcomes: "dict[CheckKind, Timed]") -> Report:
        from verify_lsp.judgement.facts import facts, unverified
        from verify_lsp.judgement.risk import risk_tier
        from verify_lsp.judgement.verdict import needless_kinds, report_status

        checks = self.report.checks
        plain = {kind: timed.outcome for kind, timed in outcomes.items()}
        known = facts(plain)
        tier, reasons = risk_tier(
            change,
            checks,
            self.request.settings,
            protected_before=_protected_before(change),
            unverified=unverified(plain),
        )
        followed = _followed_settings(change)
        status = report_status(checks, change, needless=needless_kinds(plain))
        return attrs.evolve(
            # What a change decides for itself how it is checked proves less than a pass says.
            self._ended("warn" if followed and status == "pass" else status, checks=checks),
            risk_tier=tier,
            risk_reasons=(*followed, *reasons, *self.request.notes, *change.notes),
            facts=known,
            claims=self._claims(change, plain),
            tools=_tools(outcomes),
        )

    def _claims(self, change: Change, outcomes: dict[CheckKind, CheckOutcome]) -> tuple[Claim, ...]:
        if not self.request.message:
            return ()
        from verify_lsp.judgement.claims import judge_claims

        return judge_claims(self.request.message, change, outcomes, scope=self.request.scope.kind).claims

    def cancelled(self) -> Report:
        """Return the report of a run that was cancelled: what had ended stands, the rest was skipped."""
        checks = tuple(_cut_short(check, "the run was cancelled") for check in self.report.checks)
        self.report = self._ended("cancelled", checks=checks)
        return self.report

    def failed(self, error: str) -> Report:
        """Return the report of a run whose scope could not be resolved."""
        checks = tuple(_cut_short(check, error) for check in self.report.checks)
        self.report = self._ended("error", checks=checks)
        return self.report

    def _ended(self, status: ReportStatus, checks: tuple[Check, ...]) -> Report:
        created = datetime.fromisoformat(self.report.created_at)
        now = datetime.now(UTC)
        return attrs.evolve(
            self.report,
            status=status,
            checks=checks,
            finished_at=_written(now),
            duration_ms=round((now - created).total_seconds() * 1000),
        )


def _cut_short(check: Check, reason: str) -> Check:
    if check.status not in {"pending", "running"}:
        return check
    return Check(check.kind, "skipped", "not run to its end", reason=reason)


def _without_excluded(change: Change, globs: tuple[str, ...]) -> Change:
    if not globs:
        return change
    from verify_lsp.judgement.globs import matches_any

    kept = tuple(file for file in change.files if not matches_any(file.path, globs))
    left_out = len(change.files) - len(kept)
    are = "1 changed file is" if left_out == 1 else f"{left_out} changed files are"
    note = (f"{are} excluded by the settings",) if left_out else ()
    return attrs.evolve(change, files=kept, notes=(*change.notes, *note))


def _protected_before(change: Change) -> tuple[str, ...]:
    """Return the protected paths as they were named before the change, which must not be able to shrink them."""
    from verify_lsp.settings.resolve import OWN_FILE, SHARED_FILE, protected_paths_in

    texts = {file.path: file.before for file in change.files if file.path in {OWN_FILE, SHARED_FILE}}
    return tuple(glob for name, text in texts.items() if text for glob in protected_paths_in(name, text))


def _followed_settings(change: Change) -> tuple[str, ...]:
    """Return a sentence for each settings file by which the change decides how it is checked itself."""
    from verify_lsp.settings.resolve import OWN_FILE, SHARED_FILE, settings_changed

    sentences = []
    for file in change.files:
        if file.path in {OWN_FILE, SHARED_FILE}:
            keys = settings_changed(file.path, file.before, file.after)
            if keys:
                sentences.append(f"{file.path} sets {', '.join(keys)} in this very change, and the run followed it")
    return tuple(sentences)


def _tools(outcomes: "dict[CheckKind, Timed]") -> tuple[ToolInfo, ...]:
    named = (tool for timed in outcomes.values() for tool in timed.outcome.tools)
    return tuple(dict.fromkeys(tool for tool in named if tool.path or tool.version))


def _runner(meanwhile: Callable[[], None], *, offline: bool) -> Runner:
    """Return what runs commands; while the first one works, and we would only wait, it does `meanwhile` on a thread."""
    from verify_lsp.system.environment import child_environment
    from verify_lsp.system.process import run_command

    environment = child_environment(offline=offline)
    todo = [meanwhile]

    def begin() -> None:
        if todo:
            asyncio.get_running_loop().run_in_executor(None, todo.pop())

    async def run(command: Command, place: Path) -> CommandResult:
        # Called when `run_command` pauses for the first time: the command has been started by then.
        asyncio.get_running_loop().call_soon(begin)
        return await run_command(command, place, environment=environment)

    return run


async def _out_of_harm(
    projects: tuple[ProjectOf, ...], resolution: "Resolution", stack: AsyncExitStack
) -> tuple[ProjectOf, ...]:
    """Give the projects whose tools would write into the user's tree a copy of it to work in."""
    from verify_lsp.scope.resolve import disk_copy
    from verify_lsp.toolchains.registry import linked_folders

    if resolution.shadow or not any(owner.toolchain.tools.copy_because(owner.project) for owner in projects):
        return projects
    copy = await stack.enter_async_context(disk_copy(resolution.place, linked_folders()))
    return tuple(
        attrs.evolve(owner, project=attrs.evolve(owner.project, place=copy))
        if owner.toolchain.tools.copy_because(owner.project)
        else owner
        for owner in projects
    )


def _shared_base_tree(change: Change, workspace: Path, stack: AsyncExitStack) -> BaseTree | None:
    """Return a way to lay the base out once, however many checks ask; it stands until the run ends."""
    if change.base is None and all(file.change == "added" for file in change.files):
        return None
    lock = asyncio.Lock()
    laid_out: list[Path] = []

    @asynccontextmanager
    async def enter() -> AsyncIterator[Path]:
        from verify_lsp.scope.resolve import base_tree
        from verify_lsp.toolchains.registry import linked_folders

        async with lock:
            if not laid_out:
                laid_out.append(await stack.enter_async_context(base_tree(change, workspace, linked_folders())))
        yield laid_out[0]

    return enter


def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
