"""A plain run of a Go module's tests."""

import subprocess
from pathlib import Path

from verify_lsp.system.environment import child_environment


def plain(copy: Path, limit_s: float) -> str:
    """Run everything, and tell by the exit code, and by whether anything did not compile.

    Vet is off: what it notices, no test does.
    """
    command = ["go", "test", "-vet=off", "-count=1", f"-timeout={limit_s:.0f}s", "./..."]
    done = subprocess.run(
        command, cwd=copy, env=child_environment(offline=True), capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        return "survived"
    printed = done.stdout + done.stderr
    if "[build failed]" in printed or "[setup failed]" in printed:
        return "invalid"
    return "timeout" if "panic: test timed out after" in printed else "killed"
