"""A client of the scripted server: it also says what the server's runs do."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from tests.harness.lsp_client import LspClient

_SCRIPT = Path(__file__).with_name("scripted_server.py")


class ScriptedClient(LspClient):
    """Starts the scripted server, and tells its runs what to do."""

    def __init__(self, home: Path, **more: Any) -> None:
        reading, self._steps = os.pipe()
        env = {"VERIFY_LSP_HOME": str(home), **more.pop("env", {})}
        super().__init__((sys.executable, str(_SCRIPT), str(reading)), env=env, pass_fds=(reading,), **more)
        os.close(reading)
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
