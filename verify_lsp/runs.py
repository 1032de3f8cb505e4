"""Who runs when: one run at a time a workspace, over all processes; every way to cancel ends here."""

import asyncio
from pathlib import Path

import attrs

from verify_lsp.model.errors import EngineError, NoSuchReportError, VerifyError
from verify_lsp.model.event import CheckChanged, Observer, ReportDone, ReportFailed, ReportStarted
from verify_lsp.model.report import Report
from verify_lsp.reports.store import ReportStore, new_report_id
from verify_lsp.system.cache import prune
from verify_lsp.system.locks import workspace_lock
from verify_lsp.verify import RunRequest, Verification


@attrs.define
class _Run:
    """A run that has not ended.

    Attributes:
        verifying: Makes the report, and can be cancelled.
        task: Waits for that, keeps the report and tells of it, whatever happens: it is never cancelled.
        cancelled: Once is enough. A second time would interrupt the run while it ends its children.
    """

    verification: Verification
    verifying: asyncio.Task[Report]
    task: asyncio.Task[Report]
    cancelled: bool = False


class Runs:
    """The runs of one process. Lives on one asyncio loop; none of its methods blocks it."""

    def __init__(self) -> None:
        self._runs: dict[str, _Run] = {}

    def start(self, request: RunRequest, observe: Observer) -> str:
        """Queue a run and return its report id at once; events reach `observe` on the loop.

        A run for the same workspace waits for its turn. One that asks for the very same takes the
        place of the older one, whose answer would be out of date before anyone reads it.
        """
        for report_id, run in list(self._runs.items()):
            if _same(run.verification.request, request):
                self.cancel(report_id)
        report_id = new_report_id()
        verification = Verification(request, report_id, observe)
        loop = asyncio.get_running_loop()
        verifying = loop.create_task(_verified(verification, observe), name=f"verifying {report_id}")
        task = loop.create_task(_concluded(verification, verifying, observe), name=f"run {report_id}")
        self._runs[report_id] = _Run(verification, verifying, task)
        task.add_done_callback(lambda done: self._forget(report_id, done))
        return report_id

    def cancel(self, report_id: str) -> bool:
        """Cancel a run that has not ended; return whether there was one."""
        run = self._runs.get(report_id)
        if run is None or run.verifying.done():
            return False
        if not run.cancelled:
            run.cancelled = run.verifying.cancel()
        return True

    async def wait(self, report_id: str) -> Report:
        """Return the report when the run has ended, also when it was cancelled.

        Raises:
            NoSuchReportError: No such run is active.
            EngineError: The run could not be made, or its report not be kept.
        """
        run = self._runs.get(report_id)
        if run is None:
            raise NoSuchReportError(f"no such report: {report_id}")
        await asyncio.wait([run.task])
        return run.task.result()

    def active(self) -> tuple[str, ...]:
        """Return the ids of the runs that have not ended, oldest first."""
        return tuple(self._runs)

    def report_so_far(self, report_id: str) -> Report | None:
        """Return what is known of an active run; None when there is none with this id."""
        run = self._runs.get(report_id)
        return run.verification.report if run else None

    async def close(self) -> None:
        """Cancel all runs and wait until each has ended its children."""
        tasks = [run.task for run in self._runs.values()]
        for report_id in self._runs:
            self.cancel(report_id)
        if tasks:
            await asyncio.wait(tasks)

    def _forget(self, report_id: str, task: asyncio.Task[Report]) -> None:
        self._runs.pop(report_id, None)
        if not task.cancelled():
            task.exception()  # Read here so that asyncio does not log what `wait` has raised already.


async def _verified(verification: Verification, observe: Observer) -> Report:
    async with workspace_lock(verification.request.workspace, lambda: _tell_waiting(verification, observe)):
        return await verification.run()


async def _concluded(verification: Verification, verifying: asyncio.Task[Report], observe: Observer) -> Report:
    workspace = verification.request.workspace
    try:
        report = await verifying
    except asyncio.CancelledError:
        report = verification.cancelled()
    except VerifyError as error:
        await _keep_quietly(workspace, verification.failed(str(error)))
        observe(ReportFailed(verification.report.id, str(error)))
        raise
    except BaseException as error:  # Whoever watches must hear of the end, also when the fault is ours.
        said = f"internal error, please report it: {type(error).__name__}"
        await _keep_quietly(workspace, verification.failed(said))
        observe(ReportFailed(verification.report.id, said))
        raise
    try:
        await asyncio.shield(_keep(workspace, report))
    except EngineError as error:
        observe(ReportFailed(report.id, str(error)))
        raise
    observe(ReportDone(report))
    return report


async def _keep(workspace: Path, report: Report) -> None:
    await asyncio.to_thread(ReportStore(workspace).save, report)
    await asyncio.to_thread(prune, workspace)


async def _keep_quietly(workspace: Path, report: Report) -> None:
    try:
        await _keep(workspace, report)
    except EngineError:
        return  # The first error is the one to tell.


def _tell_waiting(verification: Verification, observe: Observer) -> None:
    observe(ReportStarted(verification.report))
    for check in verification.report.checks:
        waiting = attrs.evolve(check, summary="waiting for another run in this workspace")
        observe(CheckChanged(verification.report.id, waiting))


def _same(one: RunRequest, other: RunRequest) -> bool:
    keys = ("workspace", "scope", "checks", "message", "session_id")
    return all(getattr(one, key) == getattr(other, key) for key in keys)
