"""Running git: the user's configuration shut out, no lock taken, nothing that the repository carries executed."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import anyio
import attrs
from anyio.abc import ByteReceiveStream, Process

from verify_lsp.model.errors import EngineError
from verify_lsp.system.broken_pipes import expect_broken_pipes

OUTPUT_LIMIT = 256 * 1024 * 1024
"""Bytes that `Git.read` keeps of one answer; more is an error."""

BIG_FILE = 32 * 1024 * 1024
"""Bytes from which git treats a file as binary, so that its diff stays bounded."""

_ERROR_TAIL = 4096
_BUS_ERROR = getattr(signal, "SIGBUS", signal.SIGTERM)
_DISTURBED = ("short read while indexing", "No such file or directory")
_OURSELVES = (("NAME", "verify-lsp"), ("EMAIL", "verify-lsp@localhost"))

# Each line shuts out a setting that names a program, changes what git prints, or writes into the repository.
_FIXED: Mapping[str, str] = {
    "core.fsmonitor": "false",
    "core.hooksPath": "/dev/null",
    "core.alternateRefsCommand": "",
    "core.sshCommand": "",
    "core.askPass": "",
    "core.quotePath": "false",
    "core.warnAmbiguousRefs": "false",
    "core.splitIndex": "false",
    "core.bigFileThreshold": str(BIG_FILE),
    "core.protectHFS": "true",
    "core.protectNTFS": "true",
    "diff.suppressBlankEmpty": "false",
    "diff.orderFile": "/dev/null",
    "checkout.workers": "0",
    "color.ui": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "safe.bareRepository": "explicit",
    "submodule.recurse": "false",
}

# What decides about content and about what is ignored holds as the user set it, and so does the user's word on
# whose repositories are safe. Git itself reads the last only from the user's own files, never from a repository's.
_KEPT = ("core.autocrlf", "core.eol", "core.excludesfile", "core.attributesfile", "safe.directory")
_MARKER = "verify.marker"
_ASKED = r"^(filter\..*\.(clean|smudge|process|required)|core\.(autocrlf|eol|excludesfile|attributesfile)|safe\.directory|verify\.marker)$"


class GitError(EngineError):
    """Git answered with an error; the sentence carries its own words."""


class DisturbedError(GitError):
    """A file was written or removed while git read it. Asked again, git may see a whole one."""


@attrs.frozen
class Answer:
    """What one git command gave back. `complaint` is the end of its stderr."""

    exit_code: int
    output: bytes
    complaint: str


@attrs.frozen
class Git:
    """Git at work in one folder.

    Attributes:
        folder: Absolute folder that git runs in.
        variables: Environment that carries the configuration and, at times, a private index.
    """

    folder: Path
    variables: Mapping[str, str]

    async def read(self, *arguments: str, stdin: bytes | None = None) -> bytes:
        """Return what the command prints.

        Raises:
            EngineError: Git is missing, failed, or printed more than `OUTPUT_LIMIT` bytes.
        """
        answer = await self.ask(*arguments, stdin=stdin)
        if answer.exit_code != 0:
            raise _error(arguments[0], answer.exit_code, answer.complaint)
        return answer.output

    async def ask(self, *arguments: str, stdin: bytes | None = None) -> Answer:
        """Return what the command prints and how it ended; an exit code other than 0 is an answer too."""
        kept = bytearray()

        def keep(chunk: bytes) -> bool:
            kept.extend(chunk)
            return len(kept) <= OUTPUT_LIMIT

        exit_code, complaint = await self._run(arguments, stdin, keep)
        if len(kept) > OUTPUT_LIMIT:
            raise GitError(f"git {arguments[0]} printed more than {OUTPUT_LIMIT // 2**20} MiB")
        return Answer(exit_code, bytes(kept), complaint)

    async def feed(
        self,
        sink: Callable[[bytes], object],
        *arguments: str,
        stdin: bytes | None = None,
        expect: tuple[int, ...] = (0,),
    ) -> None:
        """Hand the output to `sink`, chunk by chunk, so that the caller bounds what is kept.

        Raises:
            DisturbedError: A file changed under git's hands. What `sink` was given is not the whole.
            EngineError: Git is missing, or failed.
        """

        def take(chunk: bytes) -> bool:
            sink(chunk)
            return True

        exit_code, complaint = await self._run(arguments, stdin, take)
        if exit_code not in expect:
            raise _error(arguments[0], exit_code, complaint)

    def at(self, folder: Path) -> "Git":
        """Return the same git in another folder of the same repository."""
        return attrs.evolve(self, folder=folder)

    def with_variables(self, **variables: str) -> "Git":
        """Return the same git with more environment, such as `GIT_INDEX_FILE`."""
        return attrs.evolve(self, variables={**self.variables, **variables})

    async def _run(
        self, arguments: tuple[str, ...], stdin: bytes | None, sink: Callable[[bytes], bool]
    ) -> tuple[int, str]:
        """Run git to its end, or kill its group: when `sink` has enough, and when we are cancelled."""
        process = await _start(self, arguments, with_stdin=stdin is not None)
        complaint = bytearray()
        enough = False
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_send, process, stdin)
                tasks.start_soon(_drain, process.stderr, complaint)
                if process.stdout is not None:
                    async for chunk in process.stdout:
                        if not sink(chunk):
                            enough = True
                            break
                if enough:
                    tasks.cancel_scope.cancel()
            if not enough:
                await process.wait()
        finally:
            with anyio.CancelScope(shield=True):
                _kill_group(process)
                await process.wait()
                await process.aclose()
        return process.returncode or 0, complaint.decode("utf-8", "replace")


async def open_git(folder: Path) -> Git:
    """Return git for `folder`, with the filters that its repository names switched off.

    Raises:
        EngineError: Git is missing, too old, or cannot read its configuration.
    """
    inherited = {name: value for name, value in os.environ.items() if name.startswith("GIT_CONFIG_")}
    count = inherited.get("GIT_CONFIG_COUNT", "0")
    index = int(count) if count.isdigit() else 0
    marker = {
        "GIT_CONFIG_COUNT": str(index + 1),
        f"GIT_CONFIG_KEY_{index}": _MARKER,
        f"GIT_CONFIG_VALUE_{index}": "1",
    }
    reader = Git(folder, {**inherited, **marker})
    answer = await reader.ask("config", "--null", "--get-regexp", _ASKED)
    if answer.exit_code not in (0, 1):
        raise GitError(sentence("config", answer.complaint))
    found = [_key_and_value(entry) for entry in answer.output.split(b"\0") if entry]
    if (_MARKER, "1") not in found:
        raise EngineError("this git is too old: version 2.32 or later is needed")
    return Git(folder, _as_variables(_configuration(found)))


def plain_git(folder: Path) -> Git:
    """Return git with no configuration but ours, for texts and private repositories of our own."""
    ours = [*_FIXED.items(), ("core.autocrlf", "false"), ("core.excludesfile", ""), ("core.attributesfile", "")]
    return Git(folder, {**_as_variables(ours), "GIT_CEILING_DIRECTORIES": str(folder.parent)})


def commit_all(folder: Path, message: str) -> None:
    """Make a new repository of `folder` and commit all that is in it, under a name of our own.

    Raises:
        EngineError: Git is missing, or cannot.
    """
    who = {f"GIT_{role}_{part}": word for role in ("AUTHOR", "COMMITTER") for part, word in _OURSELVES}
    git = plain_git(folder).with_variables(**who)

    async def commit() -> None:
        await git.read("init", "--quiet", "--initial-branch=main", "--template=")
        await git.read("add", "--all")
        await git.read("commit", "--quiet", "--allow-empty", "--no-verify", "--no-gpg-sign", "--message", message)

    anyio.run(commit)


def sentence(command: str, complaint: str) -> str:
    """Return git's complaint as one sentence, without control characters."""
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))] or lines
    words = telling[0].partition(": ")[2] or telling[0] if telling else "no reason given"
    words = "".join(character for character in words if character.isprintable())[:300].rstrip(".")
    return f"git {command} failed: {words}"


def _error(command: str, exit_code: int, complaint: str) -> GitError:
    """Git maps files into memory: one that is cut short meanwhile ends it by a signal, without a word."""
    if exit_code == -_BUS_ERROR:
        return DisturbedError(f"git {command} failed: a file changed while it was read")
    if any(sign in complaint for sign in _DISTURBED):
        return DisturbedError(sentence(command, complaint))
    if exit_code < 0:
        return GitError(f"git {command} failed: it was ended by signal {-exit_code}")
    return GitError(sentence(command, complaint))


def _key_and_value(entry: bytes) -> tuple[str, str]:
    key, _, value = entry.decode("utf-8", "surrogateescape").partition("\n")
    return key, value


def _configuration(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return our settings, the kept ones as they hold, and every filter the repository names as a no-op."""
    kept = {key: value for key, value in found if key in _KEPT and key != "safe.directory"}
    safe = [(key, value) for key, value in found if key == "safe.directory"]
    filters = dict.fromkeys(key.rpartition(".")[0] for key, _ in found if key.startswith("filter."))
    off = [
        (f"{name}.{part}", "false" if part == "required" else "")
        for name in filters
        for part in ("clean", "smudge", "process", "required")
    ]
    return [*kept.items(), *safe, *_FIXED.items(), *off]


def _as_variables(settings: list[tuple[str, str]]) -> dict[str, str]:
    """Git takes settings from numbered variables, which need no quoting and outrank every file."""
    variables = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings):
        variables[f"GIT_CONFIG_KEY_{number}"] = key
        variables[f"GIT_CONFIG_VALUE_{number}"] = value
    return {
        **variables,
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
    }


def _environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the clean environment: no inherited `GIT_*`, no prompt, no network, no translation."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") and name != "LANGUAGE"}
    return clean | {
        "PATH": _absolute_path(),
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        **variables,
    }


def _absolute_path() -> str:
    """Return PATH without relative entries, which would name folders of the repository git runs in."""
    return os.pathsep.join(entry for entry in os.environ.get("PATH", "").split(os.pathsep) if Path(entry).is_absolute())


async def _start(git: Git, arguments: tuple[str, ...], *, with_stdin: bool) -> Process:
    program = shutil.which("git", path=_absolute_path())
    if program is None:
        raise EngineError("git is not installed, or not on PATH")
    expect_broken_pipes()
    try:
        # A start that is cancelled half-way would kill git alone, and not what it has started by then.
        with anyio.CancelScope(shield=True):
            process = await anyio.open_process(
                [program, "--no-optional-locks", "--no-pager", *arguments],
                stdin=subprocess.PIPE if with_stdin else subprocess.DEVNULL,
                cwd=git.folder,
                env=_environment(git.variables),
                start_new_session=True,
            )
    except OSError as error:
        raise EngineError(f"git cannot be run in {git.folder}: {error.strerror}") from None
    return process


async def _send(process: Process, data: bytes | None) -> None:
    if data is None or process.stdin is None:
        return
    try:
        await process.stdin.send(data)
        await process.stdin.aclose()
    except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
        return  # Git ended before it read everything; its exit code says why.


async def _drain(stream: ByteReceiveStream | None, tail: bytearray) -> None:
    if stream is None:
        return
    async for chunk in stream:
        tail.extend(chunk)
        if len(tail) > 2 * _ERROR_TAIL:
            del tail[_ERROR_TAIL : len(tail) - _ERROR_TAIL]


def _kill_group(process: Process) -> None:
    """End git and what it started. None of our commands holds a lock in the repository, so nothing is left."""
    if process.returncode is not None:
        return
    try:
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
