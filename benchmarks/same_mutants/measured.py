"""Commands with what they took, all processes counted that come of them."""

import ctypes
import os
import resource
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

LIMIT_S = 3600.0
_ADOPT_ORPHANS = 36
"""PR_SET_CHILD_SUBREAPER of Linux: what a command leaves behind becomes a child of ours, so that its time is counted."""
_PATIENCE_S = 60.0


@attrs.frozen
class Spent:
    """What a command took: seconds by the clock, and of processors, its children's and orphans' among them."""

    seconds: float
    cpu_s: float
    printed: str
    exit_code: int


def measured(arguments: Sequence[str], place: Path, environment: Mapping[str, str]) -> Spent:
    """Run a command to its end, and wait for every process that came of it."""
    ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)
    begun, before = time.monotonic(), _cpu_s()
    done = subprocess.run(
        list(arguments),
        cwd=place,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=LIMIT_S,
        check=False,
    )
    seconds = time.monotonic() - begun
    _reap()
    return Spent(seconds, _cpu_s() - before, done.stdout, done.returncode)


def _cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _reap() -> None:
    ends = time.monotonic() + _PATIENCE_S
    while time.monotonic() < ends:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.05)
        except ChildProcessError:
            return
    print("  a process is left that did not end; its time is not counted")
