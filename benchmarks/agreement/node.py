"""A plain run of a JavaScript or TypeScript project's tests: `npm test`, or the line in the variable PLAIN_TESTS."""

import os
from pathlib import Path

from benchmarks.agreement.suites import exit_code
from verify_lsp.system.environment import child_environment


def plain(copy: Path, limit_s: float) -> str:
    """Run everything, and tell by the exit code."""
    environment = child_environment(offline=True)
    environment["PATH"] = f"{copy}/node_modules/.bin{os.pathsep}{environment['PATH']}"
    environment["CI"] = "1"
    command = ("/bin/sh", "-c", os.environ.get("PLAIN_TESTS", "npm test"))
    return {None: "timeout", 0: "survived"}.get(exit_code(command, copy, environment, limit_s), "killed")
