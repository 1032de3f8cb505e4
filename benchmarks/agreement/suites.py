"""Plain runs of whole suites, ended with all that they started."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path


def exit_code(command: tuple[str, ...], folder: Path, environment: Mapping[str, str], limit_s: float) -> int | None:
    """Run a command in `folder`; returns None where it did not end within `limit_s` seconds."""
    child = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return child.wait(limit_s)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
