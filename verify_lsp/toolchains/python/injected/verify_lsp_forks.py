# ruff: noqa: PTH106, PTH118, PTH208
# The functions of os.path are the least that a test can have replaced under our feet.
"""A process that is forked off the one which runs the tests, and forked again for each mutant.

So every mutant meets tests that have never run, in a process that has loaded what it needs, and nothing that a mutant
does to its process outlives it. Everything here must work with Python 3.8, where there is `os.fork`.
"""

from __future__ import annotations

import contextlib
import gc
import json
import math
import os
import select
import shutil
import signal
import stat
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from verify_lsp_guard import keep_apart  # type: ignore[import-not-found]  # it stands beside this file at run time
from verify_lsp_mutants import CANARY, CHOSEN, FOLDER, Switches  # type: ignore[import-not-found]  # likewise

LITTER = "zz-mutants"
FOLDERS = ("home", "tmp")
CLOCK = (time.monotonic,)
"""In a tuple, where no test finds it that stops the clocks of all modules."""
SPARE = 10
"""How much nicer than the tests themselves the processes are that run while these do."""


class Runner:
    """What a test tool must be able to do in a forked process; numbers stand for tests in memory."""

    def prepare(self) -> None:
        """Let go of all that belongs to the process which runs the tests: its output, its reports."""
        raise NotImplementedError

    def run(self, tests: list[int], told: Callable[[int, bool], None]) -> None:
        """Run tests in this order, telling of each whether it passed, up to the first that fails."""
        raise NotImplementedError


def let_go(own: Iterable[int]) -> None:
    """Put other files in the place of descriptors that are shared with the process we come from.

    What a nameless file holds (captured output) is copied to a file of our own; anything else leads nowhere. So do all
    files that are only written: logs, reports.
    """
    shared = {identity_of(descriptor) for descriptor in own} - {None}
    nowhere = os.open(os.devnull, os.O_RDWR)
    copies: dict[Any, int] = {}
    for name in os.listdir("/dev/fd"):
        descriptor = int(name)
        identity = identity_of(descriptor)
        if identity is None or descriptor == nowhere:
            continue
        if identity in shared and _is_nameless_file(descriptor):
            if identity not in copies:
                copies[identity] = _own_copy(descriptor)
            os.dup2(copies[identity], descriptor, inheritable=os.get_inheritable(descriptor))
        elif identity in shared or _is_only_written(descriptor):
            os.dup2(nowhere, descriptor, inheritable=os.get_inheritable(descriptor))


def _is_only_written(descriptor: int) -> bool:
    import fcntl

    mode = fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE
    return mode == os.O_WRONLY and stat.S_ISREG(os.fstat(descriptor).st_mode)


def identity_of(descriptor: int) -> tuple[int, int] | None:
    """Return what tells an open file from others (device, inode), or None where nothing is open by this number."""
    try:
        status = os.fstat(descriptor)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _is_nameless_file(descriptor: int) -> bool:
    status = os.fstat(descriptor)
    return stat.S_ISREG(status.st_mode) and status.st_nlink == 0


def _own_copy(descriptor: int) -> int:
    file, path = tempfile.mkstemp(dir=FOLDER)
    os.unlink(path)  # noqa: PTH108  # as above
    size = os.fstat(descriptor).st_size
    if size:
        os.write(file, os.pread(descriptor, size, 0))
    os.lseek(file, os.lseek(descriptor, 0, os.SEEK_CUR), os.SEEK_SET)
    return int(file)


def forked() -> int:
    """Fork without what Python has to say about it; the number of the child, or 0 in it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return int(os.fork())


class Visit:
    """What a process was forked off for.

    Args:
        order: As `Template.send` takes it.
        litter: The real path of a folder of its own.
        told: Where to write what comes of it.
    """

    def __init__(self, order: dict[str, Any], litter: str, told: int) -> None:
        self.order = order
        self.litter = litter
        self._told = told

    def begin(self, switches: Switches, first: Any = None) -> None:
        """Put the mutant in force in this process, and the limits.

        Args:
            first: The test that comes first, where that is known.
        """
        order, mutant = self.order, self.order["mutant"]
        with contextlib.suppress(OSError):
            os.setpgid(0, 0)
        _limit(order["cpu_s"])
        _move_home(self.litter)
        switches.note = None
        switches.choose(mutant, canary=order["canary"])
        if mutant is not None:
            os.environ[CHOSEN] = str(mutant)
        self.tell("", first, reached=False)
        if order["spare"]:
            os.nice(SPARE)

    def keep_apart(self, give_up: Callable[[], None]) -> None:
        """Where others run beside, have `give_up` called before anything is done that these could notice."""
        if self.order["since"] is not None:
            keep_apart(self.litter, self.order["since"], give_up)

    def tell(self, ended: str, at: Any, *, reached: bool = True) -> None:
        """Say how far it came: `ended` as in the answers of a `Template`, empty where it goes on."""
        os.write(self._told, json.dumps({"ended": ended, "at": at, "reached": reached}).encode() + b"\n")

    def end(self, ended: str, at: Any) -> None:
        """Say how it ended, and end this process."""
        try:
            self.tell(ended, at)
        finally:
            os._exit(0)


class Orders:
    """What others want of this process: lines that come through a pipe. Several may come before the first is followed.

    An empty one says that what is being followed is to be given up.

    Attributes:
        descriptor: What is ready when more has come.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._rest = b""
        self._lines: list[bytes] = []

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Wait for each, until whoever gives them is gone."""
        while True:
            while not self._lines:
                if not self.read():
                    return
            line = self._lines.pop(0)
            # One that was told to give up what it had just ended has nothing to do.
            if line:
                yield json.loads(line)

    def gives_up(self) -> bool:
        """Say, once, whether what is being followed is to be given up."""
        is_so = b"" in self._lines
        if is_so:
            self._lines.remove(b"")
        return is_so

    def read(self) -> bool:
        """Take what has come, or wait for it; False when nobody is there any more."""
        piece = os.read(self.descriptor, 65536)
        *lines, self._rest = (self._rest + piece).split(b"\n")
        self._lines += lines
        return piece != b""


def served(prepare: Callable[[], None], orders: int, answers: int) -> Visit:
    """Take orders, and fork a process off for each; this returns there, and nowhere else.

    Whatever goes wrong in here ends this process, and the one that asks is told by that.
    """
    visit = None
    try:
        # Line and branch counts of mutants are nobody's business, and slow.
        sys.settrace(None)
        threading.settrace(None)
        prepare()
        import resource  # noqa: F401  # once, and not once in each process that is forked off here

        gc.freeze()
        wanted = Orders(orders)
        for number, order in enumerate(wanted, start=1):
            answer = _followed(order, number, wanted)
            if isinstance(answer, Visit):
                visit = answer
                return visit
            os.write(answers, json.dumps(answer).encode() + b"\n")
    finally:
        if visit is None:
            os._exit(0)
    raise AssertionError


def _followed(order: dict[str, Any], number: int, wanted: Orders) -> dict[str, Any] | Visit:
    litter = os.path.join(os.path.realpath(FOLDER), LITTER, f"{os.getpid()}-{number}")
    for folder in FOLDERS:
        os.makedirs(os.path.join(litter, folder), exist_ok=True)  # noqa: PTH103  # as above
    told_in, told_out = os.pipe()
    child = forked()
    if child == 0:
        os.close(told_in)
        return Visit(order, litter, told_out)
    os.close(told_out)
    with contextlib.suppress(OSError):
        os.setpgid(child, child)
    try:
        return _watched(child, told_in, wanted, CLOCK[0]() + order["limit_s"])
    finally:
        os.close(told_in)
        _clear(litter)


def _clear(litter: str) -> None:
    """Most leave nothing there."""
    try:
        for folder in FOLDERS:
            os.rmdir(os.path.join(litter, folder))
        os.rmdir(litter)
    except OSError:
        shutil.rmtree(litter, ignore_errors=True)


def _watched(child: int, told: int, wanted: Orders, deadline: float) -> dict[str, Any]:
    """Follow a forked process to its end or its limit, and end all that came from it."""
    rest, last, ended = b"", None, ""
    while not ended:
        left = deadline - CLOCK[0]()
        is_over = left <= 0 or wanted.gives_up()
        ready = [] if is_over else select.select([told, wanted.descriptor], [], [], left)[0]
        if not ready:
            ended = "timeout"
        elif told in ready:
            piece = os.read(told, 65536)
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                last = json.loads(line)
                ended = last["ended"]
                if ended:
                    break
            if not piece and not ended:
                ended = "died"
        elif not wanted.read():
            _end(child)
            os._exit(0)
    status = _end(child)
    spent = ended == "died" and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU
    if spent:
        ended = "timeout"
    at = None if last is None else last["at"]
    reached = bool(last and last["reached"])
    return {"ended": ended, "at": at, "reached": reached, "spent": spent, "cpu_s": sum(os.times()[:4])}


def _end(child: int) -> int:
    """Kill what a forked process has left in its group, and the process itself where it still runs."""
    with contextlib.suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.kill(child, signal.SIGKILL)
    try:
        return int(os.waitpid(child, 0)[1])
    except ChildProcessError:
        return 0


def be_tried(runner: Runner, switches: Switches, visit: Visit) -> None:
    """Run the tests of an order; this never returns."""
    try:
        _run(runner, switches, visit, visit.order["tests"])
        os._exit(0)
    finally:
        os._exit(70)


def _run(runner: Runner, switches: Switches, visit: Visit, tests: list[int]) -> None:
    following = {test: tests[index + 1] for index, test in enumerate(tests[:-1])}
    now = [tests[0]]

    def tell(ended: str, at: int) -> None:
        now[0] = at
        visit.tell(ended, at, reached=visit.order["mutant"] in switches)

    def note(test: int, passed: bool) -> None:  # noqa: FBT001  # a runner's answer
        if not passed:
            tell("failed", test)
        elif test in following:
            tell("", following[test])
        else:
            tell("passed", test)

    def give_up() -> None:
        tell("shared", now[0])
        os._exit(0)

    visit.begin(switches, first=tests[0])
    if visit.order["canary"]:
        os.environ[CANARY] = "place"
    visit.keep_apart(give_up)
    runner.run(tests, note)


def _limit(cpu_s: float) -> None:
    """Processor time is no longer on a busy machine; what sleeps or waits is ended by the clock."""
    import resource

    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        seconds = math.ceil(cpu_s)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))


def _move_home(litter: str) -> None:
    """A mutant may take a guard away from what deletes files; it should find none of the user's."""
    home, temporary = (os.path.join(litter, folder) for folder in FOLDERS)
    settings = os.path.join(os.path.expanduser("~"), ".gitconfig")  # noqa: PTH111  # as above
    if os.path.isfile(settings):  # noqa: PTH113  # as above
        os.environ.setdefault("GIT_CONFIG_GLOBAL", settings)
    os.environ.update(HOME=home, TMPDIR=temporary, TMP=temporary, TEMP=temporary)
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = os.path.join(litter, "hypothesis")
    tempfile.tempdir = None
