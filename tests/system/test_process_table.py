import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.harness.processes import eventually, is_running
from verify_lsp.system import process_table
from verify_lsp.system.process_table import MARK_VARIABLE, bears, ending, living, read_process


@pytest.fixture
def started():
    processes = []

    def start(arguments, **keywords):
        process = subprocess.Popen(arguments, start_new_session=True, **keywords)
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.wait()


def end(leader: int | None, mark: str, grace_s: float = 5.0) -> None:
    for pause in ending(lambda: living(leader, mark), leader, grace_s):
        time.sleep(pause)


@pytest.mark.parametrize(
    ("carried", "asked", "answer"),
    [
        ("abc", "abc", True),
        ("abc.1", "abc", True),
        ("outer.7:abc.1", "abc", True),
        ("outer.7:abc.1", "outer", True),
        ("outer.7:abc.1", "abc.1", True),
        ("abc.1", "abc.2", False),
        ("abc.12", "abc.1", False),
        ("abcd.1", "abc", False),
        ("", "abc", False),
    ],
)
def test_a_mark_covers_the_commands_of_its_process_and_no_others(started, carried, asked, answer):
    process = started(["sleep", "600"], env={**os.environ, MARK_VARIABLE: carried})
    # The environment can be seen a moment after the program was loaded.
    assert eventually(lambda: MARK_VARIABLE.encode() in Path(f"/proc/{process.pid}/environ").read_bytes())
    assert bears(process.pid, asked) is answer


def test_a_variable_whose_value_quotes_the_mark_is_no_mark(started):
    process = started(
        ["sleep", "600"], env={"PATH": os.defpath, "X": f"{MARK_VARIABLE}=abc", f"Y{MARK_VARIABLE}": "abc"}
    )
    assert eventually(lambda: MARK_VARIABLE.encode() in Path(f"/proc/{process.pid}/environ").read_bytes())
    assert not bears(process.pid, "abc")


def test_a_process_that_has_ended_is_not_in_the_table_though_nobody_waited_for_it(started):
    process = started(["true"])
    assert eventually(lambda: read_process(process.pid) is None)
    assert process.pid in process_table.process_ids()


def test_a_program_whose_name_looks_like_the_table_is_read_rightly(started, tmp_path):
    program = tmp_path / "a) Z 1 (b"
    program.symlink_to("/bin/sleep")
    row = read_process(started([str(program), "600"]).pid)
    assert row is not None
    assert (row.parent, row.group == row.pid, row.session == row.pid) == (os.getpid(), True, True)


def test_a_process_lives_on_when_its_first_thread_ends_before_the_others(started):
    code = "import ctypes, threading, time; threading.Thread(target=time.sleep, args=(600,)).start(); print(1, flush=True); ctypes.CDLL(None).syscall(60, 0)"
    process = started([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert eventually(lambda: b") Z" in Path(f"/proc/{process.pid}/stat").read_bytes())
    assert is_running(process.pid)
    end(process.pid, "no such mark", grace_s=0.2)
    assert not is_running(process.pid)


def test_without_a_command_only_the_mark_counts_and_never_the_kernels_own_group(started):
    process = started(["sleep", "600"], env={**os.environ, MARK_VARIABLE: "abc.1"})
    assert eventually(lambda: set(living(None, "abc")) == {process.pid})


def test_we_ourselves_are_never_among_the_found(monkeypatch):
    assert os.getpid() not in living(os.getpgrp(), "no such mark")


def test_known_processes_are_not_looked_at(started):
    process = started(["sleep", "600"])
    assert process.pid in living(process.pid, "m")
    assert process.pid not in living(process.pid, "m", known={process.pid})


def test_descendants_without_mark_and_group_are_found_through_their_parents(started, tmp_path):
    line = "env -i setsid sleep 600 & wait"
    process = started(["sh", "-c", line])
    assert eventually(lambda: len(living(process.pid, "m")) == 2)


def test_without_a_table_the_group_is_what_counts(started, monkeypatch):
    process = started(["sh", "-c", "sleep 600 & wait"])
    monkeypatch.setattr(process_table, "has_table", lambda: False)
    assert living(process.pid, "m") == {process.pid: 0}
    pauses = ending(lambda: living(process.pid, "m"), process.pid, 5.0)
    for pause in pauses:
        process.poll()
        time.sleep(pause)
    assert process.poll() is not None


def test_a_process_that_got_the_id_of_an_ended_one_is_left_alone(started):
    pid = started(["sleep", "600"]).pid
    row = read_process(pid)
    assert row is not None
    assert list(ending(lambda: {pid: row.started - 1}, None, 5.0)) == []
    assert is_running(pid)
