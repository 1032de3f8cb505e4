import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.neovim import Neovim, neovim
from tests.harness.repository import Repository, new_repository

INSTALLED = Path(__file__).parents[2] / "tools" / "bin" / "nvim"


@pytest.fixture(scope="session")
def nvim_program() -> str:
    """The Neovim that `tests/tools/install` brings, or the machine's own where none is packaged for it."""
    if INSTALLED.exists():
        return str(INSTALLED)
    packaged = (sys.platform, platform.machine()) == ("linux", "x86_64")
    assert not packaged, "tests/tools/install brings Neovim for this platform; run it"
    found = shutil.which("nvim")
    if found is None or _version(found) < (0, 11):
        pytest.skip(f"no Neovim is packaged for {sys.platform} on {platform.machine()}, and no 0.11 is on the PATH")
    return found


def _version(program: str) -> tuple[int, ...]:
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"NVIM v(\d+)\.(\d+)", done.stdout)
    return tuple(map(int, found.groups())) if found else ()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with a text in it, as most people have open."""
    return new_repository(tmp_path / "project", {"notes.md": "# A project\n"}).path


@pytest.fixture
def repository(folder: Path) -> Repository:
    return Repository(folder)


@pytest.fixture
def nvim(nvim_program: str, tmp_path: Path) -> Iterator[Neovim]:
    """Neovim with verify-lsp enabled."""
    with neovim(nvim_program, tmp_path / "nvim") as editor:
        yield editor
