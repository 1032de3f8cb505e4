"""A client of the scripted server: it also says what the server's runs do."""

import json
import os
import sys
import uuid
from pathlib import Path
from typing import Any

from tests.harness.lsp_client import LspClient
from tests.harness.scripted_runs import STEPS

RUNS = "tests.harness.scripted_runs:ScriptedRuns"
SERVER = f"from verify_lsp.server.start import Stdio, serve; raise SystemExit(serve(Stdio(), {RUNS!r}))"


class ScriptedClient(LspClient):
    """Starts a server whose runs are scripted, and tells them what to do."""

    def __init__(self, home: Path, code: str = SERVER, **more: Any) -> None:
        pipe = home.with_name(f"{home.name}-steps-{uuid.uuid4().hex}")
        os.mkfifo(pipe)
        # Opened both ways, so that neither end waits for the other.
        self._steps = os.open(pipe, os.O_RDWR)
        env = {"VERIFY_LSP_HOME": str(home), STEPS: str(pipe), **more.pop("env", {})}
        super().__init__((sys.executable, "-c", code), env=env, **more)
        self.open_fds.append(self._steps)

    def run(self, scope: str = "working-tree", **params: Any) -> str:
        """Start a run and return its number as a step wants it."""
        return self.request("verify/run", {"scope": {"kind": scope}, **params})["reportId"]

    def step(self, report_id: str, do: str, **what: Any) -> None:
        step = {"run": int(report_id.removeprefix("run-")), "do": do, **what}
        os.write(self._steps, json.dumps(step).encode() + b"\n")

    def done(self, report_id: str, findings: list[dict[str, Any]], files: Any = (), status: str = "fail") -> None:
        """End a run with these findings, in a report with these files."""
        check = {
            "kind": "lint",
            "status": status,
            "summary": "done",
            "findings": findings,
            "durationMs": 1,
            "metrics": {},
        }
        self.step(report_id, "done", report={"status": status, "checks": [check], "files": list(files)})


def finding(path: str, line: int, message: str = "wrong", **more: Any) -> dict[str, Any]:
    """Return a finding as a report has it."""
    return {
        "id": f"{path}:{line}:{message}",
        "check": "lint",
        "severity": "high",
        "path": path,
        "line": line,
        "rule": "test-rule",
        "message": message,
        "fixable": False,
        "preexisting": False,
        **more,
    }


def changed_file(path: str, after: str, **more: Any) -> dict[str, Any]:
    """Return a file of a change as a report has it."""
    return {
        "path": path,
        "change": "modified",
        "binary": False,
        "diff": "",
        "addedLines": [],
        "removedLines": [],
        "after": after,
        **more,
    }
