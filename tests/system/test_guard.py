import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.harness.processes import FAMILY, PROJECT_ROOT, eventually, is_running, noted_ids
from verify_lsp.system import guard_process
from verify_lsp.system.guard import Guard
from verify_lsp.system.process_table import MARK_VARIABLE, read_process

PARENT = """
import asyncio, signal, sys
from pathlib import Path
from verify_lsp.model.command import Command
from verify_lsp.system.guard import guard
from verify_lsp.system.process import run_command

def told(text):
    print(guard().process_id(), flush=True)

# A shell that was itself put into the background has its children ignore this.
signal.signal(signal.SIGINT, signal.default_int_handler)
asyncio.run(run_command(Command((sys.argv[1],), shell=True), Path.cwd(), on_output=told))
"""


class Parent:
    """A process that runs one command through the product, as a server would."""

    def __init__(self, folder: Path, line: str) -> None:
        self.notes = folder / "notes"
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        environment = {**os.environ, "NOTES": str(self.notes), "TMPDIR": str(self.temporary)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", PARENT, line],
            start_new_session=True,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=PROJECT_ROOT,
        )
        assert self.process.stdout is not None
        self.guard = int(self.process.stdout.readline())

    def end(self, number: signal.Signals) -> None:
        """Signal the whole group, as a terminal or an editor would."""
        os.killpg(self.process.pid, number)
        self.process.wait()


@pytest.fixture
def parent_of(tmp_path):
    parents = []

    def start(line: str) -> Parent:
        parents.append(Parent(tmp_path, line))
        return parents[-1]

    yield start
    for parent in parents:
        parent.process.kill()
        parent.process.wait()
        parent.process.stdout.close()


def test_nothing_outlives_a_server_that_is_killed(parent_of):
    parent = parent_of(FAMILY + "touch {results}/x; trap '' TERM; echo started; while :; do sleep 1; done")
    family = noted_ids(parent.notes)
    assert len(family) == 4
    assert all(map(is_running, family))
    assert is_running(parent.guard)
    assert len(list(parent.temporary.iterdir())) == 1
    parent.end(signal.SIGKILL)
    assert eventually(lambda: not any(map(is_running, family)))
    assert eventually(lambda: not is_running(parent.guard))
    assert list(parent.temporary.iterdir()) == []


def test_a_child_without_our_environment_is_found_by_its_group(parent_of):
    parent = parent_of('mkdir "$NOTES"; env -i sleep 600 & touch "$NOTES/$!"; echo started; exec env -i sleep 600')
    (child,) = noted_ids(parent.notes)
    assert is_running(child)
    parent.end(signal.SIGKILL)
    assert eventually(lambda: not is_running(child))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_nothing_outlives_a_server_that_is_asked_to_go(parent_of, number):
    parent = parent_of(FAMILY + "echo started; sleep 600")
    family = noted_ids(parent.notes)
    parent.end(number)
    assert eventually(lambda: not any(map(is_running, {*family, parent.guard})))


def test_a_normal_end_leaves_no_guard(parent_of):
    parent = parent_of("echo started")
    assert parent.process.wait() == 0
    assert eventually(lambda: not is_running(parent.guard))


def test_the_guard_survives_what_ends_other_programs(parent_of):
    parent = parent_of('mkdir "$NOTES"; touch "$NOTES/$$"; echo started; sleep 600')
    (command,) = noted_ids(parent.notes)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(parent.guard, number)
    parent.end(signal.SIGKILL)
    assert eventually(lambda: not is_running(command))
    assert eventually(lambda: not is_running(parent.guard))


def test_the_guard_survives_them_from_its_first_moment_on(tmp_path):
    folder = tmp_path / "verify-lsp-folder"
    folder.mkdir()
    program = (
        "import os, signal, sys, tempfile; from pathlib import Path; from verify_lsp.system.guard import Guard;"
        "guard = Guard(); guard.hold_folder(Path(sys.argv[1]));"
        "[os.kill(guard.process_id(), number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", program, str(folder)], cwd=PROJECT_ROOT, env=environment, check=True)
    assert eventually(lambda: not folder.exists())


def test_the_guard_holds_none_of_our_descriptors(parent_of):
    parent = parent_of("echo started; sleep 600")
    assert {target.partition(":")[0] for target in open_files(parent.guard)} == {"pipe", "/dev/null"}
    assert Path(f"/proc/{parent.guard}/cwd").readlink() == Path("/")


def test_commands_do_not_hold_the_guards_pipe(parent_of):
    parent = parent_of('mkdir "$NOTES"; touch "$NOTES/$$"; echo started; sleep 600')
    (command,) = noted_ids(parent.notes)
    pipe = str(Path(f"/proc/{parent.guard}/fd/0").readlink())
    assert pipe in open_files(parent.process.pid)
    assert pipe not in open_files(command)


def open_files(pid: int) -> set[str]:
    return {str(path.readlink()) for path in Path(f"/proc/{pid}/fd").iterdir()}


@pytest.fixture
def sleeper():
    processes = []

    def start(**environment: str) -> int:
        processes.append(
            subprocess.Popen(["sleep", "600"], start_new_session=True, env={"PATH": os.defpath, **environment})
        )
        return processes[-1].pid

    yield start
    for process in processes:
        process.kill()
        process.wait()


def guard_told(*lines: str, mark: str = "no-such-mark") -> None:
    text = "".join(f"{line}\n" for line in lines)
    subprocess.run(
        [sys.executable, "-I", "-S", guard_process.__file__, mark], input=text, text=True, check=True, timeout=60
    )


def start_of(pid: int) -> int:
    row = read_process(pid)
    assert row is not None
    return row.started


def test_a_held_group_is_ended(sleeper):
    pid = sleeper()
    guard_told(f"hold group {pid} {start_of(pid)}")
    assert not is_running(pid)


def test_a_released_group_is_left_alone(sleeper):
    pid = sleeper()
    guard_told(f"hold group {pid} {start_of(pid)}", f"release group {pid}")
    assert is_running(pid)


def test_a_process_that_got_the_id_of_an_ended_command_is_left_alone(sleeper):
    pid = sleeper()
    guard_told(f"hold group {pid} {start_of(pid) - 1}")
    assert is_running(pid)


def test_marked_processes_are_ended_though_nobody_named_them(sleeper):
    ours, others = sleeper(**{MARK_VARIABLE: "abc.1"}), sleeper(**{MARK_VARIABLE: "abd.1"})
    guard_told(mark="abc")
    assert not is_running(ours)
    assert is_running(others)


def test_a_line_cut_off_by_our_end_is_not_believed(sleeper):
    pid = sleeper()
    subprocess.run(
        [sys.executable, "-I", "-S", guard_process.__file__, "no-such-mark"],
        input=f"hold group {pid} {start_of(pid)}",
        text=True,
        check=True,
    )
    assert is_running(pid)


def hold_folder(folder: Path, root: Path) -> str:
    return f"hold folder {os.fsencode(folder).hex()} {os.fsencode(root).hex()}"


def test_a_held_folder_is_removed_whatever_its_name(tmp_path):
    folder = tmp_path / "a b\n\udcff"
    (folder / "inner").mkdir(parents=True)
    guard_told(hold_folder(folder, tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_nothing_outside_of_our_own_folders_is_removed(tmp_path):
    root, outside = tmp_path / "root", tmp_path / "outside"
    (outside / "inner").mkdir(parents=True)
    root.mkdir()
    (root / "link").symlink_to(outside)
    for folder in (outside, root, root / "link", root / "link/inner", root / "../outside", root / "..", root / "."):
        guard_told(hold_folder(folder, root))
    assert (outside / "inner").is_dir()
    assert root.is_dir()


def test_the_guard_is_started_with_the_first_thing_to_hold_and_only_once(tmp_path):
    guard = Guard()
    assert guard.process_id() is None
    guard.release_folder(tmp_path)
    assert guard.process_id() is None
    guard.hold_folder(tmp_path)
    first = guard.process_id()
    assert first is not None
    guard.hold_folder(tmp_path / "other")
    assert guard.process_id() == first
    os.kill(first, signal.SIGKILL)
    os.waitpid(first, 0)


def test_a_guard_that_was_killed_is_replaced_and_told_what_is_held(tmp_path, monkeypatch, sleeper):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    guard = Guard()
    held = [tmp_path / "verify-lsp-1", tmp_path / "verify-lsp-2"]
    for folder in held:
        folder.mkdir()
    guard.hold_folder(held[0])
    pid = sleeper()
    guard.hold_group(pid)
    first = guard.process_id()
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert eventually(lambda: not is_running(first))
    guard.hold_folder(held[1])
    second = guard.process_id()
    assert second not in {None, first}
    assert guard._link is not None
    os.close(guard._link.descriptor)
    os.waitpid(second, 0)
    assert list(tmp_path.iterdir()) == []
    assert not is_running(pid)


def test_a_stopped_guard_never_holds_us_up():
    guard = Guard()
    guard.hold_group(2**22 + 1)
    first = guard.process_id()
    assert first is not None
    os.kill(first, signal.SIGSTOP)
    for number in range(5000):
        guard.hold_group(2**22 + 2 + number)
    second = guard.process_id()
    assert second not in {None, first}
    os.kill(second, signal.SIGKILL)
    os.waitpid(second, 0)
