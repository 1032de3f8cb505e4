"""The command line as a user runs it: a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.codec import from_wire
from verify_lsp.model.report import Check, Report


@attrs.frozen
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Return stdout as the one JSON document it must be."""
        return json.loads(self.out)

    def report(self) -> Report:
        """Return stdout as a report."""
        return from_wire(self.json(), Report)

    def check(self, kind: str) -> Check:
        """Return one check of the report on stdout."""
        return next(check for check in self.report().checks if check.kind == kind)


def verify_lsp(*arguments: str, cwd: Path, stdin: str | None = None, env: Mapping[str, str] | None = None) -> Done:
    """Run `verify-lsp` to its end."""
    done = subprocess.run(
        [sys.executable, "-m", "verify_lsp", *arguments],
        cwd=cwd,
        input=stdin.encode() if stdin is not None else b"",
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **(env or {})},
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def run_json(cwd: Path, *arguments: str, **kwargs: Any) -> Done:
    """Run `verify-lsp run --format json`."""
    return verify_lsp("run", "--format", "json", *arguments, cwd=cwd, **kwargs)
