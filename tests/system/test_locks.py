import asyncio
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import anyio
import pytest

from tests.harness.processes import PROJECT_ROOT
from verify_lsp.model.errors import EngineError
from verify_lsp.system import locks
from verify_lsp.system.dirs import workspace_hash
from verify_lsp.system.locks import short_lock, workspace_lock

OWNER = """
import asyncio, sys
from pathlib import Path
from verify_lsp.system.locks import workspace_lock

async def own():
    async with workspace_lock(Path(sys.argv[1]), lambda: print("waiting", flush=True)):
        print("owning", flush=True)
        await asyncio.to_thread(sys.stdin.readline)

asyncio.run(own())
"""


@pytest.fixture
def workspace(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("VERIFY_LSP_HOME", str(tmp_path / "home"))
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def owner_of():
    """Start a process that owns a workspace's lock until it reads a line."""
    owners = []

    def start(workspace: Path) -> subprocess.Popen[str]:
        owner = subprocess.Popen(
            [sys.executable, "-c", OWNER, str(workspace)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=PROJECT_ROOT,
        )
        owners.append(owner)
        return owner

    yield start
    for owner in owners:
        owner.kill()
        owner.communicate()


def never() -> None:
    pytest.fail("nothing was to be waited for")


async def own(workspace: Path) -> None:
    async with workspace_lock(workspace, never):
        pass


def test_a_free_workspace_is_not_waited_for(workspace):
    asyncio.run(own(workspace))
    asyncio.run(own(workspace))


def test_one_process_at_a_time_owns_a_workspace(workspace, owner_of):
    first = owner_of(workspace)
    assert first.stdout.readline() == "owning\n"
    second = owner_of(workspace)
    assert second.stdout.readline() == "waiting\n"
    first.stdin.write("\n")
    first.stdin.flush()
    assert second.stdout.readline() == "owning\n"


def test_other_workspaces_are_not_waited_for(workspace, owner_of, tmp_path):
    owner = owner_of(workspace)
    assert owner.stdout.readline() == "owning\n"
    asyncio.run(own(tmp_path))


def test_a_link_to_a_workspace_is_the_same_workspace(workspace, owner_of, tmp_path):
    (tmp_path / "link").symlink_to(workspace)
    owner = owner_of(tmp_path / "link")
    assert owner.stdout.readline() == "owning\n"
    second = owner_of(workspace)
    assert second.stdout.readline() == "waiting\n"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_dead_owner_owns_nothing(workspace, owner_of, number):
    owner = owner_of(workspace)
    assert owner.stdout.readline() == "owning\n"
    owner.send_signal(number)
    owner.wait()
    asyncio.run(own(workspace))


def test_a_command_that_outlives_its_owner_does_not_keep_the_lock(workspace):
    start = """
        import os, subprocess
        quiet = subprocess.DEVNULL
        print(subprocess.Popen(["sleep", "600"], stdout=quiet, stderr=quiet).pid, flush=True)
        os._exit(0)
    """
    code = OWNER.replace("        await asyncio.to_thread(sys.stdin.readline)", start)
    arguments = [sys.executable, "-c", code, str(workspace)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, cwd=PROJECT_ROOT)
    try:
        asyncio.run(own(workspace))
    finally:
        os.kill(int(done.stdout.split()[-1]), signal.SIGKILL)


def test_tasks_of_one_process_take_turns(workspace):
    inside = 0
    most = 0
    waited = []

    async def task(number: int) -> None:
        nonlocal inside, most
        async with workspace_lock(workspace, lambda: waited.append(number)):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1

    async def all_tasks() -> None:
        await asyncio.gather(*(task(number) for number in range(4)))

    asyncio.run(all_tasks())
    assert most == 1
    assert waited == [1, 2, 3], "each that waits says so once"


def test_waiting_can_be_cancelled_and_the_lock_is_free_afterwards(workspace, owner_of):
    owner = owner_of(workspace)
    assert owner.stdout.readline() == "owning\n"

    async def give_up() -> bool:
        with anyio.CancelScope() as scope:
            async with workspace_lock(workspace, scope.cancel):
                pytest.fail("the lock was not free")
        return scope.cancelled_caught

    assert asyncio.run(give_up())
    owner.communicate("\n")
    asyncio.run(own(workspace))


def test_an_owner_that_is_cancelled_lets_go(workspace):
    async def give_up() -> None:
        with anyio.CancelScope() as scope:
            async with workspace_lock(workspace, never):
                scope.cancel()
                await asyncio.sleep(0)

    asyncio.run(give_up())
    asyncio.run(own(workspace))


def test_an_owner_that_fails_lets_go(workspace):
    async def fail() -> None:
        async with workspace_lock(workspace, never):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(fail())
    asyncio.run(own(workspace))


def test_waiting_looks_at_the_lock_no_more_than_twenty_times_a_second(workspace, monkeypatch):
    pauses: list[float] = []
    held = short_lock(locks.state_dir() / "locks" / f"{workspace_hash(workspace)}.lock")

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 20:
            held.__exit__(None, None, None)

    async def wait() -> None:
        async with workspace_lock(workspace, lambda: None):
            pass

    held.__enter__()
    monkeypatch.setattr(anyio, "sleep", sleep)
    asyncio.run(wait())
    assert len(pauses) == 20
    assert min(pauses) >= 0.05
    assert max(pauses) <= 0.25


def test_the_lock_lies_in_our_own_folder_for_the_user_alone(workspace, tmp_path):
    asyncio.run(own(workspace))
    (path,) = (tmp_path / "home/state/locks").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert list(workspace.iterdir()) == []


def test_a_home_that_cannot_be_written_is_one_sentence(workspace, tmp_path):
    (tmp_path / "home").write_text("in the way")
    with pytest.raises(EngineError, match=r"^cannot make the folder .*: file exists$"):
        asyncio.run(own(workspace))


def test_a_lock_that_is_no_file_is_one_sentence(workspace, tmp_path):
    (tmp_path / "home/state/locks" / f"{workspace_hash(workspace)}.lock").mkdir(parents=True)
    with pytest.raises(EngineError, match=r"^cannot lock "):
        asyncio.run(own(workspace))


def test_a_short_lock_gives_up_on_who_does_not_let_go(tmp_path):
    with short_lock(tmp_path / "a.lock"):
        started = time.monotonic()
        with (
            pytest.raises(EngineError, match=r"^another process has held .*a\.lock for more than 0\.1 seconds$"),
            short_lock(tmp_path / "a.lock", patience_s=0.1),
        ):
            pytest.fail("the lock was not free")
        assert time.monotonic() - started >= 0.1
    with short_lock(tmp_path / "a.lock", patience_s=0.1):
        pass
