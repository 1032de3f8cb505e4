# ruff: noqa: PTH118, PTH208
# The functions of os.path are the least that a test can have replaced under our feet.
"""A process forked off before the first test ran, from which the tests of each mutant are forked again.

So every mutant meets tests that have never run, in a process that has loaded everything, and nothing that a mutant
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
from collections.abc import Callable, Iterable
from typing import Any

from verify_lsp_guard import keep_apart  # type: ignore[import-not-found]  # it stands beside this file at run time
from verify_lsp_mutants import CANARY, CHOSEN, FOLDER, Switches  # type: ignore[import-not-found]  # likewise

LITTER = "zz-mutants"
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

    What a nameless file holds (captured output) is copied to a file of our own; anything else leads nowhere.
    """
    shared = {identity_of(descriptor) for descriptor in own} - {None}
    nowhere = os.open(os.devnull, os.O_RDWR)
    copies: dict[Any, int] = {}
    for name in os.listdir("/dev/fd"):
        descriptor = int(name)
        identity = identity_of(descriptor)
        if identity in shared and descriptor != nowhere:
            if identity not in copies:
                copies[identity] = _own_copy(descriptor) if _is_nameless_file(descriptor) else nowhere
            os.dup2(copies[identity], descriptor, inheritable=os.get_inheritable(descriptor))


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


def serve(runner: Runner, switches: Switches, orders: int, answers: int) -> None:
    """Never returns. Whatever goes wrong in here ends this process, and the one that asks is told by that."""
    try:
        # Line and branch counts of mutants are nobody's business, and slow.
        sys.settrace(None)
        threading.settrace(None)
        switches.note = None
        runner.prepare()
        gc.freeze()
        number = 0
        rest = b""
        while True:
            piece = os.read(orders, 65536)
            if not piece:
                break
            rest += piece
            while b"\n" in rest:
                line, _, rest = rest.partition(b"\n")
                number += 1
                answer = _tried(runner, switches, json.loads(line), number, orders)
                os.write(answers, json.dumps(answer).encode() + b"\n")
    finally:
        os._exit(0)


def _tried(runner: Runner, switches: Switches, order: dict[str, Any], number: int, orders: int) -> dict[str, Any]:
    litter = os.path.join(os.path.realpath(FOLDER), LITTER, f"{os.getpid()}-{number}")
    for folder in ("home", "tmp"):
        os.makedirs(os.path.join(litter, folder), exist_ok=True)  # noqa: PTH103  # as above
    told_in, told_out = os.pipe()
    child = forked()
    if child == 0:
        try:
            os.close(told_in)
            _be_tried(runner, switches, order, litter, told_out)
        finally:
            os._exit(70)
    os.close(told_out)
    with contextlib.suppress(OSError):
        os.setpgid(child, child)
    try:
        return _watched(child, told_in, orders, CLOCK[0]() + order["limit_s"])
    finally:
        os.close(told_in)
        shutil.rmtree(litter, ignore_errors=True)


def _watched(child: int, told: int, orders: int, deadline: float) -> dict[str, Any]:
    """Follow a forked process to its end or its limit, and end all that came from it."""
    rest, last, ended = b"", None, ""
    while not ended:
        left = deadline - CLOCK[0]()
        ready = select.select([told, orders], [], [], left)[0] if left > 0 else []
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
        else:
            # Nobody sends a second order before the first is answered: whoever asked is gone.
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


def _be_tried(runner: Runner, switches: Switches, order: dict[str, Any], litter: str, told: int) -> None:
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
    _limit(order["cpu_s"])
    _move_home(litter)
    mutant = order["mutant"]
    switches.note = None
    switches.choose(mutant, canary=order["canary"])
    if mutant is not None:
        os.environ[CHOSEN] = str(mutant)
    if order["canary"]:
        os.environ[CANARY] = "place"

    tests = order["tests"]
    following = {test: tests[index + 1] for index, test in enumerate(tests[:-1])}
    now = [tests[0]]

    def tell(ended: str, at: int) -> None:
        now[0] = at
        reached = mutant in switches
        os.write(told, json.dumps({"ended": ended, "at": at, "reached": reached}).encode() + b"\n")

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

    tell("", tests[0])
    if order["spare"]:
        os.nice(SPARE)
    if order["since"] is not None:
        keep_apart(litter, order["since"], give_up)
    runner.run(tests, note)
    os._exit(0)


def _limit(cpu_s: float) -> None:
    """Processor time is no longer on a busy machine; what sleeps or waits is ended by the clock."""
    import resource

    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        seconds = math.ceil(cpu_s)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))


def _move_home(litter: str) -> None:
    """A mutant may take a guard away from what deletes files; it should find none of the user's."""
    home, temporary = os.path.join(litter, "home"), os.path.join(litter, "tmp")
    settings = os.path.join(os.path.expanduser("~"), ".gitconfig")  # noqa: PTH111  # as above
    if os.path.isfile(settings):  # noqa: PTH113  # as above
        os.environ.setdefault("GIT_CONFIG_GLOBAL", settings)
    os.environ.update(HOME=home, TMPDIR=temporary, TMP=temporary, TEMP=temporary)
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = os.path.join(litter, "hypothesis")
    tempfile.tempdir = None
