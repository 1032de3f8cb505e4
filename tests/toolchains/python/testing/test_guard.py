"""What a process that runs beside others is kept from."""

import subprocess
import sys
from pathlib import Path

import pytest

from verify_lsp.toolchains.python.testing.request import injected

PROGRAM = """
import os, sys, tempfile, time
sys.path.insert(0, sys.argv[1])
import verify_lsp_guard
os.chdir(sys.argv[2])
own = os.path.realpath(sys.argv[3])
tempfile.tempdir = own
verify_lsp_guard.keep_apart(own, float(sys.argv[4]), lambda: os._exit(3))
{act}
"""
SHARED = 3

OUTSIDE = [
    "open('notes', 'w')",
    "open('notes', 'a')",
    "os.open('notes', os.O_RDWR | os.O_CREAT)",
    "os.mkdir('folder')",
    "os.rename('there', own + '/gone')",
    "os.remove('there')",
    "os.symlink(own, 'link')",
    "os.utime('there')",
    "__import__('shutil').rmtree('full')",
    "__import__('sqlite3').connect('base')",
    "__import__('subprocess').run([sys.executable, '-c', ''])",
    "os.system('true')",
    "os.fork()",
    "__import__('multiprocessing').get_context('spawn').Process(target=print).start()",
    "__import__('socket').socket().bind(('127.0.0.1', 0))",
    "__import__('socket').create_connection(('127.0.0.1', 9))",
    "os.kill(os.getppid(), 0)",
    "import threading; t = threading.Thread(target=open, args=('notes', 'w')); t.start(); t.join()",
]
INSIDE = [
    "open('there').read()",
    "open(own + '/notes', 'w').write('x') and None; assert open(own + '/notes').read() == 'x'",
    "with tempfile.TemporaryDirectory() as t: os.mkdir(t + '/a'); open(t + '/a/b', 'w').close()",
    "tempfile.TemporaryFile().write(b'x'); tempfile.NamedTemporaryFile().close()",
    "open(os.devnull, 'w').write('x')",
    "__import__('sqlite3').connect(':memory:')",
    "import asyncio; asyncio.run(asyncio.sleep(0))",
    "os.chdir('full'); os.listdir('.'); os.path.exists('x'); os.stat('.')",
    "os.fchdir(os.open(own, os.O_RDONLY)); open('near', 'w'); os.mkdir('down', dir_fd=os.open(own, os.O_RDONLY))",
    "import threading; t = threading.Thread(target=open, args=(own + '/notes', 'w')); t.start(); t.join()",
]


def ended(tmp_path: Path, act: str, *, since: float = 1e12) -> int:
    """Return the exit code of a program that does this, and see that it left nothing where others look."""
    for name in ("modules", "place/full", "own"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "place/there").write_text("x")
    (tmp_path / "place/full/one").write_text("x")
    (tmp_path / "modules/verify_lsp_guard.py").write_text(injected("verify_lsp_guard"))
    folders = (str(tmp_path / name) for name in ("modules", "place", "own"))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("{act}", act), *folders, str(since)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, SHARED), done.stderr
    assert sorted(path.name for path in (tmp_path / "place").rglob("*")) == ["full", "one", "there"]
    return done.returncode


@pytest.mark.parametrize("act", OUTSIDE)
def test_it_ends_before_anybody_could_notice_it(tmp_path, act):
    assert ended(tmp_path, act) == SHARED


@pytest.mark.parametrize("act", INSIDE)
def test_it_goes_on_with_what_is_its_own(tmp_path, act):
    assert ended(tmp_path, act) == 0


def test_a_file_that_was_written_since_the_tests_began_is_not_read(tmp_path):
    assert ended(tmp_path, "open('there').read()", since=0) == SHARED
