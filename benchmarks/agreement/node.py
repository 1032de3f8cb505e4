"""A plain run of a JavaScript or TypeScript project's tests: `npm test`, or the line in the variable PLAIN_TESTS."""

import contextlib
import os
import signal
import subprocess
from pathlib import Path

from verify_lsp.system.environment import child_environment


def plain(copy: Path, limit_s: float) -> str:
    """Run everything, and tell by the exit code."""
    environment = child_environment(offline=True)
    environment["PATH"] = f"{copy}/node_modules/.bin{os.pathsep}{environment['PATH']}"
    environment["CI"] = "1"
    child = subprocess.Popen(
        os.environ.get("PLAIN_TESTS", "npm test"),
        shell=True,
        cwd=copy,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return "survived" if child.wait(limit_s) == 0 else "killed"
    except subprocess.TimeoutExpired:
        return "timeout"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
