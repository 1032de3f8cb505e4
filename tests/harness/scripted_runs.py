"""Runs that do what a test says, step by step, over a pipe of its own: for the worker of a real server.

A step is one JSON line: `{"run": N, "do": "started" | "check" | "done" | "failed" | "collect" | "burn", ...}`.
"""

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.codec import from_wire, to_wire
from verify_lsp.model.errors import VerifyError
from verify_lsp.model.event import CheckChanged, Observer, ReportDone, ReportFailed, ReportStarted
from verify_lsp.model.report import Check, Report
from verify_lsp.settings.settings import public_settings
from verify_lsp.verify import RunRequest

STEPS = "VERIFY_LSP_TEST_STEPS"
"""Names the variable that names the pipe."""


class ScriptedRuns:
    """Begins runs at once, and ends them when the script says so."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.requests: dict[str, RunRequest] = {}
        self.observers: dict[str, Observer] = {}
        self.reports: dict[str, Report] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.ended: dict[str, asyncio.Event] = {}
        self.crashes: set[str] = set()
        threading.Thread(target=self._read, daemon=True).start()

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

    def report_so_far(self, report_id: str) -> Report | None:
        return self.reports.get(report_id)

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

    def _read(self) -> None:
        with Path(os.environ[STEPS]).open() as script:
            for line in script:
                self.loop.call_soon_threadsafe(self._step, json.loads(line))

    def _step(self, step: dict[str, Any]) -> None:
        report_id = f"run-{step['run']}"
        match step["do"]:
            case "check":
                check = from_wire(step["check"], Check)
                report = self.reports[report_id]
                checks = tuple(check if check.kind == other.kind else other for other in report.checks)
                self.reports[report_id] = attrs.evolve(report, checks=checks)
                self.observers[report_id](CheckChanged(report_id, check))
            case "done":
                wire = to_wire(self.reports[report_id]) | step["report"]
                self._end(report_id, from_wire(wire, Report))
            case "failed":
                self.reports[report_id] = attrs.evolve(self.reports[report_id], status="error")
                self.observers[report_id](ReportFailed(report_id, step["error"]))
            case "exit":
                os._exit(9)
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


class PrintingRuns(ScriptedRuns):
    """Runs that print, and whose children print and read."""

    def start(self, request: RunRequest, observe: Observer) -> str:
        print("a plug-in prints")  # noqa: T201  # That it prints is the point.
        sys.stdout.write("and again\n" * 1000)
        sys.stdout.flush()
        program = "print('x' * 1_000_000)\ntry: input()\nexcept EOFError: print('EOFError')"
        subprocess.run([sys.executable, "-c", program], check=True)
        return super().start(request, observe)
