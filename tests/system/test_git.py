"""Git at work for us: it executes nothing, locks nothing, and is gone when we are."""

import os
import shutil
import stat
import sys
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from tests.harness.repository import Repository, new_repository, run_git, scoped
from verify_lsp.model.errors import EngineError
from verify_lsp.system import git as git_module
from verify_lsp.system.git import Git, GitError, commit_all, open_git, plain_git

pytestmark = pytest.mark.anyio


@pytest.fixture
def repository(tmp_path):
    return new_repository(tmp_path / "repo", {"a.py": "one\n", ".gitattributes": "*.f filter=f diff=f\n", "x.f": "f\n"})


@pytest.fixture
def trap(tmp_path):
    """A program that leaves a trace when it is run. Yields a way to name it, and the folder of the traces."""
    traces = tmp_path / "traces"
    traces.mkdir()
    program = tmp_path / "trap"
    program.write_text(f'#!/bin/sh\ntouch "{traces}/$1.$$"\n')
    program.chmod(0o755)
    return program, traces


PROGRAMS = [
    "core.fsmonitor",
    "core.pager",
    "core.editor",
    "core.sshCommand",
    "core.askPass",
    "core.alternateRefsCommand",
    "core.gitProxy",
    "diff.external",
    "diff.f.command",
    "diff.f.textconv",
    "filter.f.clean",
    "filter.f.smudge",
    "filter.f.process",
    "merge.f.driver",
    "gpg.program",
    "credential.helper",
    "pager.diff",
    "pager.status",
    "uploadpack.packObjectsHook",
    "trace2.eventTarget",
    "alias.status",
    "alias.diff-index",
]


def set_traps(folder, program):
    for key in PROGRAMS:
        shell = "!" if key.startswith(("alias.", "credential.")) else ""
        run_git(folder, "config", key, f"{shell}{program} {key}")
    run_git(folder, "config", "filter.f.required", "true")
    hooks = folder / "hooks-of-the-repository"
    hooks.mkdir()
    run_git(folder, "config", "core.hooksPath", str(hooks))
    for place in (hooks, Path(run_git(folder, "rev-parse", "--absolute-git-dir").decode().strip()) / "hooks"):
        place.mkdir(exist_ok=True)
        for hook in ("post-index-change", "post-checkout", "reference-transaction", "pre-commit", "fsmonitor-watchman"):
            (place / hook).write_text(f"#!/bin/sh\nexec {program} hook-{hook}\n")
            (place / hook).chmod(0o755)


async def test_nothing_that_a_repository_names_is_executed(repository, trap, tmp_path):
    program, traces = trap
    inner = new_repository(tmp_path / "inner", {"x.f": "f\n", ".gitattributes": "*.f filter=f diff=f\n"})
    repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "sub")
    repository.commit()
    repository.git("checkout", "-q", "-b", "work")
    repository.commit({"w.f": "w\n"})
    set_traps(repository.path, program)
    set_traps(repository.path / "sub", program)
    for name in ("x.f", "w.f", "u.f", "sub/x.f"):
        repository.write(name, "changed\n")
    os.utime(repository.path / "a.py", (1, 1))

    for kind in ("working-tree", "staged", "branch"):
        resolution = await scoped(repository.path, kind)
        assert resolution.change.files or kind == "staged"
    assert (await scoped(repository.path, "files", files=("x.f", "u.f"))).change.files
    diff = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one\n+two\n"
    assert (await scoped(repository.path, "change-set", diff=diff)).shadow
    assert list(traces.iterdir()) == []


async def test_a_file_behind_a_filter_is_compared_as_it_lies_on_disk(repository, trap):
    repository.git("config", "filter.f.clean", "tr a-z A-Z")
    repository.git("config", "filter.f.required", "true")
    repository.write("x.f", "g\n")

    (file,) = (await scoped(repository.path, "working-tree")).change.files

    assert (file.before, file.after) == ("f\n", "g\n")


@pytest.mark.parametrize("key", ["remote.origin.url", "remote.origin.uploadpack", "core.sshCommand"])
async def test_a_partial_clone_runs_no_transport(repository, trap, tmp_path, key):
    program, traces = trap
    repository.git("config", "uploadpack.allowFilter", "true")
    run_git(tmp_path, "clone", "-q", "--filter=blob:none", "--no-checkout", f"file://{repository.path}", "partial")
    partial = Repository(tmp_path / "partial")
    partial.git("config", "protocol.allow", "always")
    if key == "core.sshCommand":
        partial.git("config", "remote.origin.url", "ssh://localhost/nowhere")
    partial.git("config", key, f"ext::{program} ext" if key.endswith("url") else f"{program} ran")
    git = await open_git(partial.path)

    with pytest.raises(GitError):
        await git.read("cat-file", "blob", repository.git("rev-parse", "HEAD:a.py"))
    assert list(traces.iterdir()) == []


async def test_a_program_called_git_in_the_repository_is_not_git(repository, trap, monkeypatch):
    program, traces = trap
    (repository.path / "git").write_bytes(program.read_bytes())
    (repository.path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", "bin", os.environ["PATH"]]))
    monkeypatch.chdir(repository.path)
    git = await open_git(repository.path)

    assert (await git.read("rev-parse", "--show-prefix")) == b"\n"
    assert list(traces.iterdir()) == []


async def test_without_git_there_is_a_sentence(repository, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(EngineError, match="git is not installed"):
        await open_git(repository.path)


async def test_a_repository_of_another_user_is_read_only_on_the_users_word(repository, monkeypatch, tmp_path):
    """Git has a variable that makes it take every repository for a stranger's."""
    real = shutil.which("git")
    (tmp_path / "git").write_text(f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {real} "$@"\n')
    (tmp_path / "git").chmod(0o755)
    repository.write("a.py", "two\n")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(EngineError, match="does not trust this repository"):
        await scoped(repository.path, "working-tree")

    (tmp_path / "config").write_text(f"[safe]\ndirectory = {repository.path}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    assert len((await scoped(repository.path, "working-tree")).change.files) == 1


async def test_an_old_git_is_refused(repository, monkeypatch, tmp_path):
    (tmp_path / "git").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    with pytest.raises(EngineError, match="too old"):
        await open_git(repository.path)


async def test_inherited_variables_have_no_say(repository, monkeypatch, tmp_path):
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_CONFIG"):
        monkeypatch.setenv(name, str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_TRACE", str(tmp_path / "trace"))
    monkeypatch.setenv("LANGUAGE", "de")
    git = await open_git(repository.path)

    assert (await git.read("ls-files")).split() == [b".gitattributes", b"a.py", b"x.f"]
    assert not (tmp_path / "trace").exists()


@pytest.mark.parametrize("way", ["global", "system", "environment"])
async def test_the_users_word_on_safe_folders_and_line_ends_holds(repository, monkeypatch, tmp_path, way):
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    if way == "environment":
        monkeypatch.setenv("GIT_CONFIG_COUNT", "2")
        for number, (key, value) in enumerate((("safe.directory", "/somewhere"), ("core.autocrlf", "input"))):
            monkeypatch.setenv(f"GIT_CONFIG_KEY_{number}", key)
            monkeypatch.setenv(f"GIT_CONFIG_VALUE_{number}", value)
    else:
        (tmp_path / "config").write_text("[safe]\ndirectory = /somewhere\n[core]\nautocrlf = input\neditor = e\n")
        monkeypatch.setenv(f"GIT_CONFIG_{way.upper()}", str(tmp_path / "config"))
    git = await open_git(repository.path)

    assert (await git.read("config", "--get-all", "safe.directory")) == b"/somewhere\n"
    assert (await git.read("config", "--get", "core.autocrlf")) == b"input\n"
    assert (await git.ask("config", "--get", "core.editor")).exit_code == 1


async def test_the_repositorys_own_line_ends_win_over_the_users(repository, monkeypatch, tmp_path):
    (tmp_path / "config").write_text("[core]\nautocrlf = true\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    repository.git("config", "core.autocrlf", "false")

    assert (await (await open_git(repository.path)).read("config", "--get", "core.autocrlf")) == b"false\n"


async def test_errors_are_one_sentence_in_gits_words(repository):
    git = await open_git(repository.path)

    with pytest.raises(GitError, match=r"^git cat-file failed: Not a valid object name nowhere$"):
        await git.read("cat-file", "blob", "nowhere")


def test_control_characters_of_a_complaint_are_not_passed_on():
    assert git_module.sentence("x", "warning: w\nfatal: bad \x1b[31mred\x07.\n") == "git x failed: bad [31mred"
    assert git_module.sentence("x", "") == "git x failed: no reason given"


async def test_an_answer_beyond_the_limit_is_an_error(repository, monkeypatch):
    monkeypatch.setattr(git_module, "OUTPUT_LIMIT", 10)
    git = await open_git_unlimited(repository, monkeypatch)

    with pytest.raises(EngineError, match="printed more than"):
        await git.read("ls-files")


async def open_git_unlimited(repository, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(git_module, "OUTPUT_LIMIT", 10**6)
        return await open_git(repository.path)


async def test_much_input_and_much_output_flow_at_once(repository):
    git = await open_git(repository.path)
    blob = repository.git("rev-parse", "HEAD:a.py")
    asked = f"{blob}\n".encode() * 50_000

    answer = await git.read("cat-file", "--batch-check", stdin=asked)

    assert answer.count(b"blob 4\n") == 50_000


async def test_input_that_git_does_not_read_is_no_error(repository):
    git = await open_git(repository.path)

    assert (await git.read("rev-parse", "--show-prefix", stdin=b"x" * 1_000_000)) == b"\n"


HANGING = """#!{python}
import os, subprocess, sys, time
child = subprocess.Popen(["sleep", "1000"])
open({pids!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
os.rename({pids!r}, {pids!r} + ".done")
time.sleep(1000)
"""


def is_alive(pid):
    try:
        return b") Z " not in Path(f"/proc/{pid}/stat").read_bytes()
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("kind", ["process", "stubborn"])
async def test_a_cancelled_git_is_gone_with_all_it_started(tmp_path, monkeypatch, kind):
    pids = tmp_path / "pids"
    script = HANGING.format(python=sys.executable, pids=str(pids))
    if kind == "stubborn":
        script = script.replace("child =", "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\nchild =")
    (tmp_path / "git").write_text(script)
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(Git(tmp_path, {}).read, "status")
        while not (tmp_path / "pids.done").exists():  # noqa: ASYNC110  # Another process makes it.
            await anyio.sleep(0.01)
        tasks.cancel_scope.cancel()
    parent, child = (int(pid) for pid in (tmp_path / "pids.done").read_text().split())

    assert not is_alive(parent)
    with anyio.fail_after(10):
        while is_alive(child):  # noqa: ASYNC110  # The kernel ends it in its own time.
            await anyio.sleep(0.01)


async def test_git_has_a_process_group_of_its_own_and_no_input(tmp_path, monkeypatch):
    (tmp_path / "git").write_text("#!/bin/sh\nps -o pgid= -p $$; echo $$; readlink /proc/self/fd/0\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    group, pid, stdin = (await Git(tmp_path, {}).read("x")).split()

    assert group == pid
    assert int(group) != os.getpgrp()
    assert stdin == b"/dev/null"


async def test_the_users_index_is_never_locked(repository):
    """A user stages and unstages all the while; the smallest lock of ours would fail one of those commands."""
    done = []

    def stage():
        for number in range(50):
            repository.write("a.py", f"{number}\n")
            repository.git("add", "a.py")
            repository.git("restore", "--staged", "a.py")
        done.append(True)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(anyio.to_thread.run_sync, stage)
        while not done:
            for kind in ("working-tree", "staged"):
                with anyio.move_on_after(0.05):  # Some of ours are killed in the middle.
                    await scoped(repository.path, kind)
                await scoped(repository.path, kind)

    assert list((repository.path / ".git").rglob("*.lock")) == []


@pytest.mark.parametrize(
    "end", ["kill -BUS $$", "echo 'error: short read while indexing a.py' >&2; exit 128"], ids=["cut-short", "grown"]
)
async def test_a_file_that_is_written_while_git_reads_it_is_read_again(repository, tmp_path, monkeypatch, end):
    repository.write("a.py", "two\n")
    hindered_git(tmp_path, monkeypatch, f'[ -e "$0.met" ] || {{ touch "$0.met"; {end}; }}')
    resolution = await scoped(repository.path, "working-tree")

    assert (tmp_path / "bin" / "git.met").exists()
    assert [file.path for file in resolution.change.files] == ["a.py"]


async def test_a_file_that_never_holds_still_ends_in_a_sentence(repository, tmp_path, monkeypatch):
    repository.write("a.py", "two\n")
    hindered_git(tmp_path, monkeypatch, "kill -BUS $$")
    with pytest.raises(EngineError, match=r"^git diff-index failed: a file changed while it was read$"):
        await scoped(repository.path, "working-tree")


async def test_git_that_was_killed_is_said_to_be(repository, tmp_path, monkeypatch):
    hindered_git(tmp_path, monkeypatch, "kill -KILL $$")
    with pytest.raises(EngineError, match=r"^git diff-index failed: it was ended by signal 9$"):
        await scoped(repository.path, "working-tree")


def hindered_git(tmp_path, monkeypatch, before_diff):
    """Put a git first on PATH that does something of its own before it compares."""
    real = shutil.which("git")
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "git"
    program.write_text(f'#!/bin/sh\ncase "$*" in *diff-index*) {before_diff};; esac\nexec "{real}" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


async def test_no_file_of_the_repository_is_written(repository):
    repository.write("a.py", "two\n")
    repository.write("u.py", "u\n")
    before = traces_of(repository.path)
    for kind in ("working-tree", "staged", "branch"):
        await scoped(repository.path, kind)

    assert traces_of(repository.path) == before


def traces_of(folder):
    return {
        path: (path.lstat().st_mtime_ns, path.lstat().st_ino, stat.S_IMODE(path.lstat().st_mode))
        for path in folder.rglob("*")
    }


async def test_plain_git_sees_no_repository_around_it(repository):
    inner = repository.path / "inner"
    inner.mkdir()

    assert (await plain_git(inner).ask("rev-parse", "--show-toplevel")).exit_code == 128


def test_a_folder_becomes_a_repository_with_one_commit(tmp_path, monkeypatch):
    (tmp_path / "config").write_text("[commit]\ngpgSign = true\n[core]\nautocrlf = true\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    folder = tmp_path / "new"
    folder.mkdir()
    (folder / "a.txt").write_bytes(b"one\r\n")
    commit_all(folder, "A first commit")

    assert run_git(folder, "log", "--format=%s|%an", "--name-only").split(b"\n") == [
        b"A first commit|verify-lsp",
        b"",
        b"a.txt",
        b"",
    ]
    assert run_git(folder, "cat-file", "blob", "HEAD:a.txt") == b"one\r\n"
