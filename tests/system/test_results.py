"""The private folder of a command, whatever becomes of us."""

import os
import subprocess
import sys

from tests.harness.processes import PROJECT_ROOT, eventually

KILLED_AT_ONCE = """
import os, signal
from pathlib import Path
import anyio
from verify_lsp.system.results import private_folder

make = Path.mkdir

def make_and_die(path, *given, **named):
    make(path, *given, **named)
    if path.name.startswith("verify-lsp-"):
        print(path.is_dir(), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

Path.mkdir = make_and_die

async def main():
    async with private_folder():
        pass

anyio.run(main)
"""


def test_a_folder_is_gone_even_if_we_are_killed_as_soon_as_it_is_made(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", KILLED_AT_ONCE],
        env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(PROJECT_ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (-9, "True\n"), done.stderr
    assert eventually(lambda: not any(tmp_path.iterdir()))
