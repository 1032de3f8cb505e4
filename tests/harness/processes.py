"""Watching processes of this machine from a test."""

import time
from collections.abc import Callable
from pathlib import Path

from verify_lsp.system.process_table import read_process

PROJECT_ROOT = Path(__file__).parents[2]
"""Where a test's own Python processes start, so that they find the product."""


def is_running(pid: int) -> bool:
    """Say whether the process runs; one that has ended counts as gone even while nobody has waited for it."""
    return read_process(pid) is not None


def eventually(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Ask again and again until `condition` holds; False when it never did."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def noted_ids(folder: Path) -> set[int]:
    """Return the process ids that a test's command noted: each is the name of a file in `folder`."""
    return {int(path.name) for path in folder.iterdir()}


FAMILY = """
mkdir -p "$NOTES"
touch "$NOTES/$$"
sleep 600 & touch "$NOTES/$!"
setsid sh -c 'touch "$NOTES/$$"; sleep 600; :' &
( setsid sh -c 'touch "$NOTES/$$"; sleep 600; :' >/dev/null 2>&1 & )
while [ "$(ls "$NOTES" | wc -l)" -lt 4 ]; do sleep 0.01; done
"""
"""A shell script: it, a child, a child with a session of its own, and an orphan with a session of its own.

All four are noted when it goes on to whatever is appended.
"""
