"""Running one command: bounded in time and output, without input, and gone with all its descendants afterwards."""

import os
import shlex
import shutil
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path, PurePath

import anyio
import attrs

from verify_lsp.model.command import RESULTS, Command, CommandResult
from verify_lsp.system.capture import Capture
from verify_lsp.system.child import Child, start_child
from verify_lsp.system.environment import child_environment
from verify_lsp.system.results import LeftFiles, left_files, private_folder, put_support

# Tools print their whole answer as one document; half a document cannot be read at all.
STDOUT_HEAD, STDOUT_TAIL = 8 * 1024 * 1024, 1024 * 1024
STDERR_HEAD, STDERR_TAIL = 256 * 1024, 256 * 1024

TIME_LIMIT_GRACE_S = 2.0
CANCEL_GRACE_S = 0.5
LEFTOVER_GRACE_S = 0.5
PIPE_PATIENCE_S = 0.5
"""How long the pipes of a command may stay open once it has exited: its children may be writing their last line."""


async def run_command(
    command: Command,
    place: Path,
    *,
    environment: Mapping[str, str] | None = None,
    on_output: Callable[[str], None] | None = None,
) -> CommandResult:
    """Run a command, and say what came of it. Nothing of it runs on afterwards.

    Whatever the command does is in the result: it is not found, prints without end, hangs, is killed. When
    the caller is cancelled, the command is ended before the cancellation goes on.

    Args:
        command: What to run.
        place: The absolute folder that the command's own folder is relative to.
        environment: All variables of the command, before its own are added; `child_environment()` when None.
        on_output: Told what it prints, piece by piece, from both pipes as it comes.

    Raises:
        EngineError: The system's temporary folder takes no files.
    """
    started = time.monotonic()
    base = child_environment() if environment is None else environment
    async with _results(command) as folder:
        launch = _launch(command, place, base, str(folder or ""))
        if isinstance(launch, CommandResult):
            return launch
        try:
            child = start_child(launch.arguments, launch.folder, launch.environment)
        except (OSError, ValueError) as error:
            return _not_started(launch, place, error)
        ended = await _see_through(child, command.timeout_s, on_output)
        left = await left_files(folder, command.support) if folder else LeftFiles({}, complete=True)
    return CommandResult(
        exit_code=ended.exit_code,
        stdout=ended.stdout,
        stderr=ended.stderr,
        duration_ms=round((time.monotonic() - started) * 1000),
        timed_out=ended.timed_out,
        truncated=ended.truncated or not left.complete,
        files=left.texts,
        place=str(place),
    )


def find_program(name: str, folder: Path, path: str) -> str | None:
    """Return the absolute path of the program `name`, searched on `path`, or None.

    A name with a slash is looked up relative to `folder`, as a shell would.
    """
    if os.sep in name:
        return shutil.which(folder / name)
    return shutil.which(name, path=path)


@attrs.frozen
class _Launch:
    arguments: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str]


@attrs.frozen
class _Ended:
    exit_code: int | None
    stdout: str
    stderr: str
    timed_out: bool
    truncated: bool


@asynccontextmanager
async def _results(command: Command) -> AsyncIterator[Path | None]:
    """Make the private folder, where the command speaks of one."""
    texts = (*command.argv, *command.env.values(), *command.support.values())
    if not command.support and not any(RESULTS in text for text in texts):
        yield None
        return
    async with private_folder() as folder:
        put_support(folder, {name: text.replace(RESULTS, str(folder)) for name, text in command.support.items()})
        yield folder


def _launch(command: Command, place: Path, base: Mapping[str, str], results: str) -> "_Launch | CommandResult":
    """Work out what exactly to start, or say why nothing can be started."""
    if PurePath(command.cwd).is_absolute() or ".." in PurePath(command.cwd).parts:
        return _refused(place, f"not a folder inside of {place}: {command.cwd}")
    folder = place / command.cwd
    if not folder.is_dir():
        return _refused(place, f"no such folder: {folder}")
    environment = {**base, **{name: value.replace(RESULTS, results) for name, value in command.env.items()}}
    extra = (str(place / entry) for entry in command.path_prepend)
    environment["PATH"] = os.pathsep.join([*extra, environment.get("PATH", os.defpath)])
    environment["PWD"] = str(folder)
    if command.shell:
        line = command.argv[0].replace(RESULTS, shlex.quote(results))
        return _Launch(("/bin/sh", "-c", line), folder, environment)
    program, *rest = (word.replace(RESULTS, results) for word in command.argv)
    found = find_program(program, folder, environment["PATH"])
    if found is None:
        return _refused(place, f"program not found: {program}", missing=True)
    return _Launch((found, *rest), folder, environment)


async def _see_through(child: Child, limit_s: float, on_output: Callable[[str], None] | None) -> _Ended:
    """Follow a started command to its end, or bring it to its end."""
    timed_out = False
    try:
        stdout, stderr = _captures(child, on_output)
        async with anyio.create_task_group() as drains:
            drains.start_soon(stdout.drain)
            drains.start_soon(stderr.drain)
            with anyio.move_on_after(limit_s) as limit:
                await child.exited()
            timed_out = limit.cancelled_caught
            if timed_out:
                await child.end(TIME_LIMIT_GRACE_S, thorough=True)
            else:
                await _drained(stdout, stderr)
                # Servers left in the background would keep their ports, and our pipes.
                await child.end(LEFTOVER_GRACE_S, thorough=False)
            await _drained(stdout, stderr)
            drains.cancel_scope.cancel()
    except BaseException:
        with anyio.CancelScope(shield=True):
            await child.end(CANCEL_GRACE_S, thorough=True)
        raise
    finally:
        exit_code = child.reap()
    return _Ended(
        exit_code=None if timed_out else exit_code,
        stdout=stdout.text(),
        stderr=stderr.text(),
        timed_out=timed_out,
        truncated=stdout.truncated or stderr.truncated,
    )


def _captures(child: Child, on_output: Callable[[str], None] | None) -> tuple[Capture, Capture]:
    stdout, stderr = child.process.stdout, child.process.stderr
    if stdout is None or stderr is None:
        raise AssertionError("commands are started with pipes")
    return (
        Capture(stdout.fileno(), STDOUT_HEAD, STDOUT_TAIL, on_output),
        Capture(stderr.fileno(), STDERR_HEAD, STDERR_TAIL, on_output),
    )


async def _drained(*captures: Capture) -> None:
    with anyio.move_on_after(PIPE_PATIENCE_S):
        for capture in captures:
            await capture.ended.wait()


def _not_started(launch: _Launch, place: Path, error: OSError | ValueError) -> CommandResult:
    """Put into words why the system would not start a program that was found."""
    program = launch.arguments[0]
    if isinstance(error, FileNotFoundError):
        return _refused(place, f"program cannot run: {program} (its interpreter is missing)", missing=True)
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return _refused(place, f"program cannot run: {program} ({why.lower()})")


def _refused(place: Path, why: str, *, missing: bool = False) -> CommandResult:
    return CommandResult(exit_code=None, stderr=why, missing=missing, place=str(place))
