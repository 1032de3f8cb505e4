import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import tracemalloc
from pathlib import Path

import anyio
import pytest

from tests.harness.processes import FAMILY, PROJECT_ROOT, is_running, noted_ids
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.system import process as process_module
from verify_lsp.system import results as results_module
from verify_lsp.system.environment import child_environment
from verify_lsp.system.process import STDOUT_HEAD, STDOUT_TAIL, find_program, run_command


def run(command: Command, place: Path, **keywords) -> CommandResult:
    return asyncio.run(run_command(command, place, **keywords))


def shell(line: str, **keywords) -> Command:
    return Command((line,), shell=True, **keywords)


def python(code: str, **keywords) -> Command:
    return Command((sys.executable, "-c", code), **keywords)


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def temporary_folder(tmp_path, monkeypatch) -> Path:
    folder = tmp_path / "with a space"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_output_errors_and_exit_code_come_back(tmp_path):
    result = run(shell("echo out; echo err >&2; exit 3"), tmp_path)
    assert (result.stdout, result.stderr, result.exit_code) == ("out\n", "err\n", 3)
    assert not result.timed_out
    assert not result.missing
    assert not result.truncated
    assert result.place == str(tmp_path)


def test_the_time_it_took_is_told_in_whole_milliseconds(tmp_path):
    result = run(shell("sleep 0.05"), tmp_path)
    assert isinstance(result.duration_ms, int)
    assert result.duration_ms >= 50


def test_a_program_that_is_not_there_is_missing_and_no_exception(tmp_path):
    result = run(Command(("no-such-program", "--version")), tmp_path)
    assert result.missing
    assert result.exit_code is None
    assert result.stderr == "program not found: no-such-program"


def test_a_script_without_its_interpreter_is_missing(tmp_path):
    path = script(tmp_path / "tool", "#!/no/such/interpreter\n")
    result = run(Command((str(path),)), tmp_path)
    assert result.missing
    assert "its interpreter is missing" in result.stderr


def test_a_file_that_the_system_cannot_execute_is_a_result_with_a_sentence(tmp_path):
    path = script(tmp_path / "tool", "\x7fELF but not really\n")
    result = run(Command((str(path),)), tmp_path)
    assert result.exit_code is None
    assert not result.missing
    assert "cannot run" in result.stderr
    assert "\n" not in result.stderr


def test_an_argument_that_no_system_can_pass_is_a_result(tmp_path):
    result = run(Command(("echo", "a\0b")), tmp_path)
    assert result.exit_code is None
    assert "cannot run" in result.stderr


def test_a_program_with_a_slash_is_found_from_the_folder_of_the_command(tmp_path):
    script(tmp_path / "web/bin/tool", "#!/bin/sh\necho from web\n")
    assert run(Command(("bin/tool",), cwd="web"), tmp_path).stdout == "from web\n"
    assert run(Command(("bin/tool",)), tmp_path).missing


def test_a_folder_that_is_not_there_is_a_result_that_says_so(tmp_path):
    result = run(Command(("true",), cwd="web/app"), tmp_path)
    assert result.exit_code is None
    assert not result.missing
    assert result.stderr == f"no such folder: {tmp_path / 'web/app'}"


@pytest.mark.parametrize("cwd", ["..", "web/../..", "/"])
def test_a_command_never_leaves_its_place(tmp_path, cwd):
    (tmp_path / "inner/web").mkdir(parents=True)
    result = run(shell("pwd", cwd=cwd), tmp_path / "inner")
    assert result.exit_code is None
    assert "not a folder inside of" in result.stderr


def test_a_command_sees_the_folder_it_runs_in_as_its_own(tmp_path):
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    result = run(python("import os; print(os.environ['PWD'], os.getcwd())", cwd="link"), tmp_path)
    assert result.stdout.split() == [str(tmp_path / "link"), str(real)]


def test_a_command_that_reads_its_input_finds_it_empty(tmp_path):
    result = run(shell("cat; read answer; echo done", timeout_s=30), tmp_path)
    assert result.stdout == "done\n"
    assert not result.timed_out


def test_nothing_a_command_prints_reaches_our_own_output(tmp_path, capfd):
    result = run(shell("echo out; echo err >&2; echo more > /proc/self/fd/1"), tmp_path)
    assert result.stdout == "out\nmore\n"
    assert capfd.readouterr() == ("", "")


def test_a_command_inherits_no_descriptor_of_ours(tmp_path):
    with (tmp_path / "open").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        result = run(python("import os; print(os.listdir('/proc/self/fd'))"), tmp_path)
    assert result.stdout == "['0', '1', '2', '3']\n"  # The last one is the listing itself.


def test_bytes_that_are_no_text_are_replaced(tmp_path):
    assert run(Command(("printf", r"a\377b")), tmp_path).stdout == "a\ufffdb"


def test_a_command_killed_by_a_signal_has_its_number_negated_as_exit_code(tmp_path):
    assert run(shell("kill -SEGV $$"), tmp_path).exit_code == -signal.SIGSEGV


def test_the_lines_around_what_was_left_out_are_whole(tmp_path):
    first = 10_000_000
    last = first + (STDOUT_HEAD + 4 * STDOUT_TAIL) // 9
    result = run(Command(("seq", str(first), str(last)), timeout_s=60), tmp_path)
    assert result.truncated
    lines = result.stdout.splitlines()
    (gap,) = [index for index, line in enumerate(lines) if not line.isdigit()]
    assert [int(line) for line in lines[:gap]] == list(range(first, first + gap))
    rest = [int(line) for line in lines[gap + 1 :]]
    assert rest == list(range(rest[0], last + 1))
    assert lines[gap] == f"[... {(rest[0] - first - gap) * 9} bytes left out ...]"


def test_the_end_of_long_output_is_kept(tmp_path):
    result = run(python(f"print('x' * {STDOUT_HEAD + 5 * STDOUT_TAIL}); print('12 passed')"), tmp_path)
    assert result.truncated
    assert result.stdout.endswith("\n12 passed\n")


def test_output_up_to_the_limits_is_kept_whole(tmp_path):
    size = STDOUT_HEAD + STDOUT_TAIL
    result = run(python(f"print('x' * {size - 1})"), tmp_path)
    assert not result.truncated
    assert len(result.stdout) == size


def test_memory_is_bounded_however_much_is_printed(tmp_path):
    tracemalloc.start()
    try:
        result = run(shell("yes | head -c 100000000; yes | head -c 20000000 >&2", timeout_s=60), tmp_path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert result.exit_code == 0
    assert result.truncated
    assert peak < 48 * 1024 * 1024


def test_output_is_told_as_it_comes_and_no_character_is_torn(tmp_path):
    pieces: list[str] = []
    go_on = tmp_path / "go-on"

    def told(piece: str) -> None:
        pieces.append(piece)
        go_on.touch()

    line = rf"printf 'gr\303'; while [ ! -e '{go_on}' ]; do sleep 0.01; done; printf '\266\303\237e'"
    result = run(shell(line, timeout_s=30), tmp_path, on_output=told)
    assert pieces == ["gr", "öße"]
    assert result.stdout == "größe"


def test_output_is_told_before_the_command_ends(tmp_path):
    go_on = tmp_path / "go-on"
    run(
        shell(f"echo ready; while [ ! -e '{go_on}' ]; do sleep 0.01; done", timeout_s=30),
        tmp_path,
        on_output=lambda _: go_on.touch(),
    )
    assert go_on.exists()


def test_two_commands_run_side_by_side_on_one_loop(tmp_path):
    async def both() -> list[CommandResult]:
        wait = "while [ ! -e {0} ]; do sleep 0.01; done"
        first = run_command(shell("touch a; " + wait.format("b"), timeout_s=30), tmp_path)
        second = run_command(shell(wait.format("a") + "; touch b", timeout_s=30), tmp_path)
        return await asyncio.gather(first, second)

    assert [result.exit_code for result in asyncio.run(both())] == [0, 0]


def run_into_the_limit(line: str, place: Path) -> CommandResult:
    """Run a line that says `ready` and goes on for ever, with a limit that leaves a busy machine the time to say so."""
    for limit in (0.5, 2, 8, 32):
        result = run(shell(line, timeout_s=limit), place)
        assert result.timed_out
        if "ready" in result.stdout:
            return result
    pytest.fail("the command never got ready")


def test_the_time_limit_ends_a_command_with_all_that_came_from_it(tmp_path, monkeypatch):
    monkeypatch.setenv("NOTES", str(tmp_path / "notes"))
    result = run_into_the_limit('rm -rf "$NOTES"' + FAMILY + "echo ready; sleep 600", tmp_path)
    noted = noted_ids(tmp_path / "notes")
    assert result.exit_code is None
    assert result.stdout == "ready\n"
    assert len(noted) == 4
    assert not any(map(is_running, noted))


def test_a_command_that_will_not_be_asked_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(process_module, "TIME_LIMIT_GRACE_S", 0.05)
    result = run_into_the_limit("trap '' TERM; echo $$ ready; while :; do sleep 0.01; done", tmp_path)
    assert result.exit_code is None
    assert not is_running(int(result.stdout.split()[0]))


def test_a_command_that_is_asked_may_put_its_things_in_order(tmp_path, monkeypatch):
    monkeypatch.setattr(process_module, "TIME_LIMIT_GRACE_S", 30)
    line = "trap 'sleep 0.2; echo bye; exit 0' TERM; echo ready; while :; do sleep 0.01; done"
    result = run_into_the_limit(line, tmp_path)
    assert result.stdout == "ready\nbye\n"
    assert result.exit_code is None, "a command that was cut short has not succeeded"


def test_a_stopped_command_is_ended_as_well(tmp_path, monkeypatch):
    monkeypatch.setattr(process_module, "TIME_LIMIT_GRACE_S", 0.05)
    result = run_into_the_limit("echo $$ ready; kill -STOP $$", tmp_path)
    assert not is_running(int(result.stdout.split()[0]))


def test_cancelling_ends_a_command_with_all_that_came_from_it(tmp_path, monkeypatch):
    notes = tmp_path / "notes"
    monkeypatch.setenv("NOTES", str(notes))

    async def cancel_when_started() -> bool:
        with anyio.CancelScope() as scope:
            await run_command(shell(FAMILY + "echo started; sleep 600"), tmp_path, on_output=lambda _: scope.cancel())
        return scope.cancelled_caught

    assert asyncio.run(cancel_when_started())
    assert len(noted_ids(notes)) == 4
    assert not any(map(is_running, noted_ids(notes)))


def test_cancelling_an_asyncio_task_ends_the_command_before_the_task_ends(tmp_path):
    async def cancel_when_started() -> int:
        started: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(run_command(shell("echo $$; sleep 600"), tmp_path, on_output=started.set_result))
        pid = int(await started)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return pid

    assert not is_running(asyncio.run(cancel_when_started()))


def test_a_child_that_keeps_the_output_open_does_not_hold_up_the_result(tmp_path):
    result = run(shell("sleep 600 & echo $!", timeout_s=60), tmp_path)
    assert result.exit_code == 0
    assert not result.timed_out
    assert not is_running(int(result.stdout))


def test_what_a_finished_command_left_in_the_background_is_ended(tmp_path, monkeypatch):
    notes = tmp_path / "notes"
    monkeypatch.setenv("NOTES", str(notes))
    result = run(shell(FAMILY + "echo ok", timeout_s=60), tmp_path)
    assert (result.exit_code, result.stdout) == (0, "ok\n")
    assert len(noted_ids(notes)) == 4
    assert not any(map(is_running, noted_ids(notes)))


def test_jobs_with_groups_of_their_own_are_ended(tmp_path):
    wait = "until grep -q sleep /proc/$!/comm; do :; done"
    line = f"set -m; env -i sleep 600 >/dev/null 2>&1 & {wait}; echo $!"
    result = run(Command(("bash", "-c", line), timeout_s=60), tmp_path)
    assert not is_running(int(result.stdout))


def test_a_last_line_of_a_grandchild_is_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(process_module, "PIPE_PATIENCE_S", 30)
    result = run(shell("(sleep 0.1; echo late) & echo early"), tmp_path)
    assert result.stdout == "early\nlate\n"


def test_the_private_folder_is_named_wherever_it_is_asked_for(tmp_path, temporary_folder):
    command = Command(
        ("sh", "-c", 'cat "$1/in.cfg" > "$1/out.txt"; echo "$PLACE" >> "$1/out.txt"', "sh", "{results}"),
        env={"PLACE": "{results}/x"},
        support={"in.cfg": "[where]\npath={results}\n"},
    )
    result = run(command, tmp_path)
    _, path, place = result.files["out.txt"].splitlines()
    assert path == f"path={place.removesuffix('/x')}"
    assert Path(place).is_relative_to(temporary_folder)
    assert set(result.files) == {"out.txt"}, "what we put in is not what the command left"


def test_the_private_folder_is_quoted_for_the_shell(tmp_path, temporary_folder):
    result = run(shell("echo x > {results}/out"), tmp_path)
    assert result.files == {"out": "x\n"}


def test_the_private_folder_is_for_us_alone(tmp_path, temporary_folder):
    result = run(shell("stat -c %a {results}"), tmp_path)
    assert result.stdout == "700\n"


def test_files_in_subfolders_are_left_under_their_relative_names(tmp_path):
    result = run(shell("mkdir -p {results}/a/b; echo 1 > {results}/a/b/c.json; echo 2 > {results}/d"), tmp_path)
    assert result.files == {"a/b/c.json": "1\n", "d": "2\n"}


def no_folder_is_left(temporary_folder: Path) -> bool:
    return list(temporary_folder.iterdir()) == []


def test_the_private_folder_is_gone_after_success_failure_and_missing_program(tmp_path, temporary_folder):
    for command in (shell("touch {results}/a"), shell("touch {results}/a; exit 1"), Command(("no-such", "{results}"))):
        run(command, tmp_path)
        assert no_folder_is_left(temporary_folder)


def test_the_private_folder_is_gone_after_the_time_limit(tmp_path, temporary_folder):
    result = run(shell("touch {results}/a; echo; sleep 600", timeout_s=0.3), tmp_path)
    assert result.timed_out
    assert no_folder_is_left(temporary_folder)


def test_the_private_folder_is_gone_after_a_cancellation(tmp_path, temporary_folder):
    async def cancelled() -> None:
        with anyio.CancelScope() as scope:
            await run_command(shell("touch {results}/a; echo; sleep 600"), tmp_path, on_output=lambda _: scope.cancel())

    asyncio.run(cancelled())
    assert no_folder_is_left(temporary_folder)


def test_the_private_folder_and_the_command_are_gone_after_a_fault_of_the_listener(tmp_path, temporary_folder):
    seen: list[int] = []

    def fail(text: str) -> None:
        seen.append(int(text))
        raise RuntimeError("listener")

    with pytest.raises(BaseExceptionGroup):
        run(shell("touch {results}/a; echo $$; sleep 600"), tmp_path, on_output=fail)
    assert not is_running(seen[0])
    assert no_folder_is_left(temporary_folder)


def test_a_private_folder_of_read_only_folders_is_removed(tmp_path, temporary_folder):
    run(shell("mkdir -p {results}/a/b; touch {results}/a/b/c; chmod 500 {results}/a/b {results}/a {results}"), tmp_path)
    assert no_folder_is_left(temporary_folder)


def test_links_that_a_command_left_are_neither_read_nor_followed(tmp_path, temporary_folder):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    line = f"ln -s '{secret}' {{results}}/link; ln -s '{tmp_path}' {{results}}/folder; mkfifo {{results}}/pipe"
    result = run(shell(line, timeout_s=30), tmp_path)
    assert result.files == {}
    assert secret.read_text() == "secret"
    assert no_folder_is_left(temporary_folder)


def test_a_command_that_puts_a_link_in_place_of_its_folder_gains_nothing(tmp_path, temporary_folder):
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious/file").touch()
    result = run(shell(f"rmdir {{results}}; ln -s '{tmp_path}/precious' {{results}}"), tmp_path)
    assert result.exit_code == 0
    assert result.files == {}
    assert (tmp_path / "precious/file").exists()
    assert no_folder_is_left(temporary_folder)


def test_a_file_too_large_to_keep_is_left_out_whole_and_said_so(tmp_path, monkeypatch):
    monkeypatch.setattr(results_module, "MAX_FILE_BYTES", 1000)
    result = run(shell("head -c 1001 /dev/zero > {results}/big; echo x > {results}/small"), tmp_path)
    assert result.files == {"small": "x\n"}
    assert result.truncated


def test_no_more_files_are_kept_than_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(results_module, "MAX_FILES", 3)
    result = run(shell("for n in 1 2 3 4 5; do echo > {results}/$n; done"), tmp_path)
    assert len(result.files) == 3
    assert result.truncated


def test_the_projects_own_tools_win_over_the_path(tmp_path):
    script(tmp_path / "node_modules/.bin/tool", "#!/bin/sh\necho own\n")
    script(tmp_path / "elsewhere/tool", "#!/bin/sh\necho other\n")
    environment = {**child_environment(), "PATH": f"{tmp_path}/elsewhere:/usr/bin:/bin"}
    plain = run(Command(("tool",)), tmp_path, environment=environment)
    prepended = run(Command(("tool",), path_prepend=("node_modules/.bin",)), tmp_path, environment=environment)
    assert (plain.stdout, prepended.stdout) == ("other\n", "own\n")


def test_programs_are_searched_on_the_commands_path_and_not_on_ours(tmp_path, monkeypatch):
    script(tmp_path / "bin/tool", "#!/bin/sh\necho found\n")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    assert run(Command(("tool",)), tmp_path, environment={"PATH": "/usr/bin:/bin"}).missing
    assert run(Command(("tool",)), tmp_path).stdout == "found\n"


def test_a_programs_own_program_calls_go_the_same_path(tmp_path):
    script(tmp_path / "bin/inner", "#!/bin/sh\necho inner\n")
    script(tmp_path / "bin/outer", "#!/bin/sh\nexec inner\n")
    assert run(Command(("outer",), path_prepend=("bin",)), tmp_path).stdout == "inner\n"


def test_a_folder_of_the_programs_name_is_no_program(tmp_path):
    (tmp_path / "bin/tool").mkdir(parents=True)
    assert find_program("tool", tmp_path, str(tmp_path / "bin")) is None


def test_a_command_adds_to_the_given_environment(tmp_path):
    command = shell('echo "$ONE $TWO"', env={"TWO": "2"})
    assert run(command, tmp_path, environment={"ONE": "1", "PATH": "/usr/bin:/bin"}).stdout == "1 2\n"


def test_a_shell_line_runs_as_the_user_wrote_it(tmp_path):
    assert run(shell("printf '%s|' \"a b\" c* && false || echo $((1+1))"), tmp_path).stdout == "a b|c*|2\n"


def test_exit_codes_are_seen_even_when_our_parent_made_us_ignore_ended_children(tmp_path):
    code = f"""
import asyncio, signal
from pathlib import Path
from verify_lsp.model.command import Command
from verify_lsp.system.process import run_command
result = asyncio.run(run_command(Command(("sh", "-c", "sh -c 'exit 7'; exit $?")), Path({str(tmp_path)!r})))
print(result.exit_code)
"""
    ignoring = f"import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.executable, [sys.executable, '-c', {code!r}])"
    done = subprocess.run(
        [sys.executable, "-c", ignoring], capture_output=True, text=True, check=True, cwd=PROJECT_ROOT
    )
    assert done.stdout == "7\n"


def test_an_exit_code_that_is_lost_is_unknown_and_no_success(tmp_path):
    async def stolen() -> CommandResult:
        def steal(text: str) -> None:
            os.waitpid(int(text), 0)

        return await run_command(shell("echo $$"), tmp_path, on_output=steal)

    assert asyncio.run(stolen()).exit_code is None


def test_no_descriptor_and_no_ended_process_is_left_behind(tmp_path):
    async def often() -> tuple[int, int]:
        await run_command(shell("echo x"), tmp_path)
        before = open_descriptors()
        for line in ("echo x", "exit 1", "sleep 600 &"):
            await run_command(shell(line), tmp_path)
        await run_command(shell("sleep 600", timeout_s=0.1), tmp_path)
        await run_command(Command(("no-such-program",)), tmp_path)
        return before, open_descriptors()

    before, after = asyncio.run(often())
    assert before == after
    assert not has_ended_children()


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def has_ended_children() -> bool:
    try:
        return os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return False


def test_a_run_without_pidfd_ends_all_the_same(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "pidfd_open")
    assert run(shell("sleep 0.05; exit 4"), tmp_path).exit_code == 4
    assert run(shell("sleep 600", timeout_s=0.1), tmp_path).timed_out


def test_a_server_in_a_session_of_its_own_ends_with_the_command(tmp_path):
    code = """
import os, socket
if os.fork() == 0:
    os.setsid()
    listening = socket.create_server(("127.0.0.1", 0))
    open("port", "w").write(f"{os.getpid()}")
    [os.close(n) for n in (0, 1, 2)]
    listening.accept()
"""
    result = run(shell(f"{sys.executable} -c '{code}'; while [ ! -s port ]; do sleep 0.01; done"), tmp_path)
    assert result.exit_code == 0
    assert not is_running(int((tmp_path / "port").read_text()))
