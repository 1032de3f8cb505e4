"""However a run ends while a mutant is on: the user's tree is as it was, and nothing of the run goes on."""

import os
import signal
import subprocess
import sys

import pytest

from tests.harness.processes import PROJECT_ROOT, eventually, is_running, noted_ids
from tests.harness.python_shop import CONFIG
from tests.harness.repository import new_repository
from tests.harness.tool_runs import tree

SOURCE = "def price(amount):\n    return amount + 1\n"
TESTS = """\
import os, subprocess, time
from shop import price


def test_price():
    if price(1) != 2:
        child = subprocess.Popen(["sleep", "600"], start_new_session=True)
        for pid in (os.getpid(), os.getppid(), child.pid):
            open(os.path.join({notes!r}, str(pid)), "w").close()
        time.sleep(600)
"""


def started(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    files = {
        "shop.py": "\n",
        "test_shop.py": TESTS.format(notes=str(notes)),
        "pyproject.toml": CONFIG,
        ".gitignore": ".venv\n",
    }
    repository = new_repository(tmp_path / "shop", files)
    (repository.path / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    repository.write("shop.py", SOURCE)
    before = {name: content for name, content in tree(repository.path).items() if not name.startswith(".venv")}
    process = subprocess.Popen(
        [sys.executable, "-m", "verify_lsp", "run", "--checks", "tests,mutation"],
        cwd=repository.path,
        env={**os.environ, "PYTHONPATH": str(PROJECT_ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert eventually(lambda: len(noted_ids(notes)) == 3)
    return process, repository, before, noted_ids(notes)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_ended_while_a_mutant_is_on_leaves_nothing(tmp_path, number):
    process, repository, before, pids = started(tmp_path)
    now = {name: content for name, content in tree(repository.path).items() if not name.startswith(".venv")}
    assert now == before, "while the mutant is on"

    process.send_signal(number)
    process.wait(timeout=60)

    assert eventually(lambda: not any(is_running(pid) for pid in pids))
    assert {name: content for name, content in tree(repository.path).items() if not name.startswith(".venv")} == before
    assert repository.git("status", "--porcelain") == " M shop.py"
