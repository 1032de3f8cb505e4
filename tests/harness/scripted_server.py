"""The real server with runs that do what a test says, step by step, over a pipe of its own.

A step is one JSON line: `{"run": N, "do": "started" | "check" | "done" | "failed" | "collect" | "burn", ...}`.
"""

import asyncio
import json
import os
import sys
import threading
import time
from typing import Any

import attrs

from verify_lsp.codec import from_wire, to_wire
from verify_lsp.model.errors import VerifyError
from verify_lsp.model.event import CheckChanged, Observer, ReportDone, ReportFailed, ReportStarted
from verify_lsp.model.report import Check, Report
from verify_lsp.server.running import collect
from verify_lsp.server.start import Stdio, serve
from verify_lsp.settings.settings import public_settings
from verify_lsp.verify import RunRequest


class ScriptedRuns:
    """Begins runs at once, and ends them when the script says so."""

    def __init__(self, steps: int) -> None:
        self.loop = asyncio.get_running_loop()
        self.requests: dict[str, RunRequest] = {}
        self.observers: dict[str, Observer] = {}
        self.reports: dict[str, Report] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.ended: dict[str, asyncio.Event] = {}
        self.crashes: set[str] = set()
        threading.Thread(target=self._read, args=(steps,), daemon=True).start()

    def start(self, request: RunRequest, observe: Observer) -> str:
        report_id = f"run-{len(self.requests) + 1}"
        settings = {**to_wire(public_settings(request.settings)), "trusted": request.trusted}
        settings |= {"wanted": request.checks, "message": request.message, "offline": request.offline}
        self.requests[report_id], self.observers[report_id] = request, observe
        self.reports[report_id] = Report(
            id=report_id,
            workspace=str(request.workspace),
            scope=request.scope,
            created_at="2026-01-01T00:00:00.000Z",
            status="running",
            checks=(Check("tests", "pending", "waiting"), Check("lint", "pending", "waiting")),
            settings=settings,
            session_id=request.session_id,
        )
        observe(ReportStarted(self.reports[report_id]))
        return report_id

    def cancel(self, report_id: str) -> bool:
        report = self.reports.get(report_id)
        if report is None or report.status != "running":
            return False
        self._end(report_id, attrs.evolve(report, status="cancelled"))
        return True

    async def wait(self, report_id: str) -> Report:
        ended = self.ended.setdefault(report_id, asyncio.Event())
        await ended.wait()
        if report_id in self.crashes:
            raise RuntimeError("a bug in a run")
        return self.reports[report_id]

    async def close(self) -> None:
        for report_id in list(self.reports):
            self.cancel(report_id)

    def _end(self, report_id: str, report: Report) -> None:
        self.reports[report_id] = report
        self.observers[report_id](ReportDone(report))
        self.ended.setdefault(report_id, asyncio.Event()).set()

    def _read(self, steps: int) -> None:
        with os.fdopen(steps) as script:
            for line in script:
                self.loop.call_soon_threadsafe(self._step, json.loads(line))

    def _step(self, step: dict[str, Any]) -> None:
        report_id = f"run-{step['run']}"
        match step["do"]:
            case "check":
                check = from_wire(step["check"], Check)
                self.observers[report_id](CheckChanged(report_id, check))
            case "done":
                wire = to_wire(self.reports[report_id]) | step["report"]
                self._end(report_id, from_wire(wire, Report))
            case "failed":
                self.reports[report_id] = attrs.evolve(self.reports[report_id], status="error")
                self.observers[report_id](ReportFailed(report_id, step["error"]))
            case "crash":
                self.crashes.add(report_id)
                self.ended.setdefault(report_id, asyncio.Event()).set()
            case "collect":
                task = self.loop.create_task(self._collect(report_id, tuple(step["paths"])))
                self.tasks.add(task)
            case "burn":
                end = time.monotonic() + step["seconds"]
                while time.monotonic() < end:
                    pass
                self.observers[report_id](CheckChanged(report_id, Check("lint", "pass", "burnt")))

    async def _collect(self, report_id: str, paths: tuple[str, ...]) -> None:
        source = self.requests[report_id].collect_diagnostics
        try:
            said = None if source is None else to_wire(dict(await source(paths)))
        except (VerifyError, TimeoutError) as error:
            said = f"{type(error).__name__}: {error}"
        check = Check("diagnostics", "pass", json.dumps(said))
        self.observers[report_id](CheckChanged(report_id, check))


if __name__ == "__main__":
    if limit := os.environ.get("VERIFY_LSP_TEST_COLLECT_LIMIT"):
        collect.LIMIT_S = float(limit)
    steps = int(sys.argv[1])
    raise SystemExit(serve(Stdio(), make_runs=lambda: ScriptedRuns(steps)))
