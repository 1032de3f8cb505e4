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
import mmap
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
from verify_lsp_origins import identity_of  # type: ignore[import-not-found]  # likewise

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


class Progress:
    """How far a forked process is: seen by the one that it comes from at any time, and noted without waking that."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, 8)

    def note(self, test: int, *, reached: bool) -> None:
        """Take the test that comes next, and whether the mutant was asked for before it."""
        self._memory[:] = (2 * test + reached).to_bytes(8, "little")

    def seen(self) -> tuple[int, bool]:
        """Return what was noted last."""
        noted = int.from_bytes(self._memory[:], "little")
        return noted >> 1, bool(noted & 1)


class Visit:
    """What a process was forked off for.

    Args:
        order: As `Template.send` takes it.
        litter: The real path of a folder of its own.
        told: Where to write what comes of it.

    Attributes:
        progress: Where to note how far it is, where tests are ordered.
    """

    def __init__(self, order: dict[str, Any], litter: str, told: int, progress: Progress) -> None:
        self.order = order
        self.litter = litter
        self.progress = progress
        self._told = told

    def begin(self, switches: Switches) -> None:
        """Put the mutant in force in this process, and the limits."""
        order, mutant = self.order, self.order["mutant"]
        with contextlib.suppress(OSError):
            os.setpgid(0, 0)
        _limit(order["cpu_s"])
        _move_home(self.litter)
        switches.note = None
        switches.choose(mutant, canary=order["canary"])
        if mutant is not None:
            os.environ[CHOSEN] = str(mutant)
        if order["spare"]:
            os.nice(SPARE)

    def keep_apart(self, give_up: Callable[[], None]) -> None:
        """Where others run beside, have `give_up` called before anything is done that these could notice."""
        if self.order["since"] is not None:
            keep_apart(self.litter, self.order["since"], give_up)

    def tell(self, ended: str, at: Any, *, reached: bool = True) -> None:
        """Say how it ended: `ended` as in the answers of a `Template`."""
        told = {"ended": ended, "at": at, "reached": reached, "cpu_s": sum(os.times()[:4])}
        os.write(self._told, json.dumps(told).encode() + b"\n")

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
        wanted, progress = Orders(orders), Progress()
        for number, order in enumerate(wanted, start=1):
            visit = _followed(order, number, wanted, answers, progress)
            if visit is not None:
                return visit
    finally:
        if visit is None:
            os._exit(0)
    raise AssertionError


def _followed(order: dict[str, Any], number: int, wanted: Orders, answers: int, progress: Progress) -> Visit | None:
    """Fork a process off and answer what came of it; the visit in the forked process, None here."""
    litter = os.path.join(os.path.realpath(FOLDER), LITTER, f"{os.getpid()}-{number}")
    for folder in FOLDERS:
        os.makedirs(os.path.join(litter, folder), exist_ok=True)  # noqa: PTH103  # as above
    if order["tests"]:
        progress.note(order["tests"][0], reached=False)
    told_in, told_out = os.pipe()
    child = forked()
    if child == 0:
        os.close(told_in)
        return Visit(order, litter, told_out, progress)
    os.close(told_out)
    with contextlib.suppress(OSError):
        os.setpgid(child, child)
    try:
        told = _watched(child, told_in, wanted, CLOCK[0]() + order["limit_s"])
        # One that ran beside others has started nothing, and is at its own end: nobody need wait for that.
        is_quick = order["since"] is not None and told["ended"] not in ("timeout", "died")
        if not is_quick:
            _close(child, told, order, progress)
        told["cpu_s"] += sum(os.times()[:4])
        os.write(answers, json.dumps(told).encode() + b"\n")
        if is_quick:
            _end(child)
    finally:
        os.close(told_in)
        _clear(litter)
    return None


def _close(child: int, told: dict[str, Any], order: dict[str, Any], progress: Progress) -> None:
    """End a forked process, and complete what it told."""
    status = _end(child)
    told["cpu_s"] = 0.0
    if told["ended"] == "died" and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        told.update(ended="timeout", spent=True)
    elif told["ended"] == "died" and status == 0:
        told["ended"] = "exited"
    if told["at"] is None and order["tests"]:
        told["at"], told["reached"] = progress.seen()


def _clear(litter: str) -> None:
    """Most leave nothing there."""
    try:
        for folder in FOLDERS:
            os.rmdir(os.path.join(litter, folder))
        os.rmdir(litter)
    except OSError:
        shutil.rmtree(litter, ignore_errors=True)


def _watched(child: int, told: int, wanted: Orders, deadline: float) -> dict[str, Any]:
    """Wait for what a forked process tells at its end, or for its limit; the process itself may still be there."""
    rest = b""
    while True:
        left = deadline - CLOCK[0]()
        is_over = left <= 0 or wanted.gives_up()
        ready = [] if is_over else select.select([told, wanted.descriptor], [], [], left)[0]
        if not ready:
            return _untold("timeout")
        if told in ready:
            piece = os.read(told, 65536)
            line, end, rest = (rest + piece).partition(b"\n")
            if end:
                return {**json.loads(line), "spent": False}
            rest = line
            if not piece:
                return _untold("died")
        elif not wanted.read():
            _end(child)
            os._exit(0)


def _untold(ended: str) -> dict[str, Any]:
    return {"ended": ended, "at": None, "reached": False, "spent": False, "cpu_s": 0.0}


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
    mutant = visit.order["mutant"]

    def note(test: int, passed: bool) -> None:  # noqa: FBT001  # a runner's answer
        if passed and test in following:
            visit.progress.note(following[test], reached=mutant in switches)
        else:
            visit.tell("passed" if passed else "failed", test, reached=mutant in switches)

    def give_up() -> None:
        visit.tell("shared", visit.progress.seen()[0], reached=mutant in switches)
        os._exit(0)

    visit.begin(switches)
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
