"""Private folders: made for one run, gone after it, and removed without straying."""

import signal
import stat
import subprocess
import sys
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from verify_lsp.model.errors import EngineError
from verify_lsp.scope.copies.folder import private_folder, shadows_dir

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[3]

HOLDER = """
import anyio
from verify_lsp.scope.copies.folder import private_folder

async def hold():
    async with private_folder() as folder:
        (folder / "file").write_text("x")
        print(folder, flush=True)
        await anyio.sleep_forever()

anyio.run(hold)
"""


def entries():
    return sorted(path.name for path in shadows_dir().iterdir())


async def test_a_private_folder_is_its_users_alone_and_gone_on_exit():
    async with private_folder() as folder:
        (folder / "deep").mkdir()
        (folder / "deep/file").write_text("x")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE(shadows_dir().stat().st_mode) == 0o700
    assert entries() == []


async def test_a_private_folder_is_gone_after_an_error_and_after_a_cancel():
    with pytest.raises(ValueError, match="inside"):
        async with private_folder():
            raise ValueError("inside")
    with anyio.move_on_after(0):
        async with private_folder():
            await anyio.sleep_forever()
    assert entries() == []


async def test_folders_that_tools_made_read_only_are_removed_too():
    async with private_folder() as folder:
        (folder / "mod/pkg").mkdir(parents=True)
        (folder / "mod/pkg/file.go").write_text("x")
        for part in ("mod/pkg", "mod"):
            (folder / part).chmod(0o500)
    assert entries() == []


async def test_what_links_lead_to_is_never_removed(tmp_path):
    (tmp_path / "precious").write_text("x")
    async with private_folder() as folder:
        (folder / "link").symlink_to(tmp_path)
        (folder / "deep").mkdir()
        (folder / "deep/link").symlink_to(tmp_path / "precious")
    assert (tmp_path / "precious").read_text() == "x"


async def test_a_folder_swapped_for_a_link_takes_nothing_with_it(tmp_path):
    (tmp_path / "precious").write_text("x")
    async with private_folder() as folder:
        folder.rename(folder.with_name("elsewhere"))
        folder.symlink_to(tmp_path)
    assert (tmp_path / "precious").read_text() == "x"


async def test_a_base_that_is_a_link_is_refused(tmp_path):
    shadows_dir().parent.mkdir(parents=True)
    shadows_dir().symlink_to(tmp_path)

    with pytest.raises(EngineError, match="cannot be used"):
        async with private_folder():
            pass
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def holder():
    """Another process that holds a private folder. Yields the process and its folder."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    yield process, Path(process.stdout.readline().strip())
    process.kill()
    process.wait()
    process.stdout.close()


async def test_the_folder_of_a_living_process_stays(holder):
    _, folder = holder
    async with private_folder():
        assert (folder / "file").read_text() == "x"
    assert (folder / "file").exists()


async def test_the_folder_of_a_killed_process_is_removed_at_the_next_start(holder):
    process, folder = holder
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert (folder / "file").exists()
    async with private_folder():
        assert not folder.exists()
    assert entries() == []


async def test_only_names_of_our_own_are_removed():
    async with private_folder():
        pass
    for name in ("notes.txt", "my.lock", ".lock", "..lock"):
        (shadows_dir() / name).write_text("x")
    (shadows_dir() / "folder").mkdir()
    left = entries()
    async with private_folder():
        pass
    assert entries() == left


async def test_many_folders_at_once_do_not_remove_each_other():
    async def use(number):
        for _ in range(5):
            async with private_folder() as folder:
                (folder / "file").write_text(str(number))
                await anyio.lowlevel.checkpoint()
                assert (folder / "file").read_text() == str(number)

    async with anyio.create_task_group() as tasks:
        for number in range(8):
            tasks.start_soon(use, number)
    assert entries() == []
