"""A plain run of a Cargo workspace's tests."""

import contextlib
import os
import signal
import subprocess
from pathlib import Path

from verify_lsp.system.environment import child_environment


def plain(copy: Path, limit_s: float) -> str:
    """Build and run everything, and tell by the exit code. Warnings are no errors here, whatever the project says."""
    built = _ended(("cargo", "test", "--workspace", "--no-run"), copy, 1200.0)
    if built != 0:
        return "invalid"
    code = _ended(("cargo", "test", "--workspace"), copy, limit_s)
    return {None: "timeout", 0: "survived"}.get(code, "killed")


def _ended(command: tuple[str, ...], copy: Path, limit_s: float) -> int | None:
    environment = {
        **child_environment(offline=True),
        "CARGO_TARGET_DIR": str(copy.parent / "target"),
        "CARGO_INCREMENTAL": "1",
        "RUSTFLAGS": "--cap-lints allow",
    }
    child = subprocess.Popen(
        command,
        cwd=copy,
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
