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

from verify_lsp_mutants import CANARY, CHOSEN, FOLDER, Switches  # type: ignore[import-not-found]  # it stands beside this file at run time

LITTER = "zz-mutants"
MAX_LINE = 10_000


class Runner:
    """What a test tool must be able to do in a forked process; numbers stand for tests in memory."""

    def prepare(self) -> None:
        """Let go of all that belongs to the process which runs the tests: its output, its reports."""
        raise NotImplementedError

    def run(self, tests: list[int], told: Callable[[int, bool], None]) -> None:
        """Run tests in this order, telling of each whether it passed, up to the first that fails."""
        raise NotImplementedError


def cannot_fork() -> str | None:
    """Say why this process must not be forked, or return None."""
    if not hasattr(os, "fork") or sys.platform == "win32":
        return "this system cannot fork processes"
    if threading.active_count() > 1:
        return "threads run beside the tests"
    return None


class Template:
    """Our end of the two pipes to that process."""

    def __init__(self, orders: int, answers: int) -> None:
        self._orders = orders
        self._answers = answers
        self._rest = b""

    @classmethod
    def started(cls, runner: Runner, switches: Switches) -> Template:
        """Fork it off. It is no child of this process, whose tests may count or await their own."""
        order_in, order_out = os.pipe()
        answer_in, answer_out = os.pipe()
        middle = _forked()
        if middle == 0:
            if _forked() == 0:
                os.close(order_out)
                os.close(answer_in)
                _serve(runner, switches, order_in, answer_out)
            os._exit(0)
        os.close(order_in)
        os.close(answer_out)
        os.waitpid(middle, 0)
        return cls(order_out, answer_in)

    def tried(self, order: dict[str, Any], deadline: float) -> dict[str, Any] | None:
        """Have tests run with a mutant on; None when no answer came by the deadline (of the monotonic clock).

        `order`: `mutant` (or null), `canary`, `tests`, `limit_s` and `cpu_s`. The answer: `ended` is `passed`,
        `failed`, `timeout` or `died`, `at` the test that was the last, `reached` whether the mutant was asked for,
        `cpu_s` the processor time of all that was tried so far.
        """
        try:
            os.write(self._orders, json.dumps(order).encode() + b"\n")
            while b"\n" not in self._rest:
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([self._answers], [], [], left)[0]:
                    return None
                piece = os.read(self._answers, 65536)
                if not piece:
                    return None
                self._rest += piece
        except OSError:
            return None
        line, _, self._rest = self._rest.partition(b"\n")
        return json.loads(line)  # type: ignore[no-any-return]  # as `_serve` writes it

    def close(self) -> None:
        """Tell the process to go, and see that it went."""
        os.close(self._orders)
        with contextlib.suppress(OSError):
            ended = time.monotonic() + 2
            while select.select([self._answers], [], [], max(0, ended - time.monotonic()))[0]:
                if not os.read(self._answers, 65536):
                    break
        os.close(self._answers)


def let_go(own: Iterable[int]) -> None:
    """Put other files in the place of descriptors that are shared with the process we come from.

    What a nameless file holds (captured output) is copied to a file of our own; anything else leads nowhere.
    """
    shared = {_identity(descriptor) for descriptor in own} - {None}
    nowhere = os.open(os.devnull, os.O_RDWR)
    copies: dict[Any, int] = {}
    for name in os.listdir("/dev/fd"):
        descriptor = int(name)
        identity = _identity(descriptor)
        if identity in shared and descriptor != nowhere:
            if identity not in copies:
                copies[identity] = _own_copy(descriptor) if _is_nameless_file(descriptor) else nowhere
            os.dup2(copies[identity], descriptor, inheritable=os.get_inheritable(descriptor))


def _identity(descriptor: int) -> tuple[int, int] | None:
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


def _forked() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return int(os.fork())


def _serve(runner: Runner, switches: Switches, orders: int, answers: int) -> None:
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
    litter = os.path.join(FOLDER, LITTER, str(number))
    for folder in ("home", "tmp"):
        os.makedirs(os.path.join(litter, folder), exist_ok=True)  # noqa: PTH103  # as above
    told_in, told_out = os.pipe()
    child = _forked()
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
        return _watched(child, told_in, orders, time.monotonic() + order["limit_s"])
    finally:
        os.close(told_in)
        shutil.rmtree(litter, ignore_errors=True)


def _watched(child: int, told: int, orders: int, deadline: float) -> dict[str, Any]:
    """Follow a forked process to its end or its limit, and end all that came from it."""
    rest, last, ended = b"", None, ""
    while not ended:
        left = deadline - time.monotonic()
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
    if ended == "died" and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        ended = "timeout"
    at = None if last is None else last["at"]
    reached = bool(last and last["reached"])
    return {"ended": ended, "at": at, "reached": reached, "cpu_s": sum(os.times()[:4])}


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

    def tell(ended: str, at: int | None) -> None:
        reached = mutant in switches
        os.write(told, json.dumps({"ended": ended, "at": at, "reached": reached}).encode() + b"\n")

    tests = order["tests"]

    following = {test: tests[index + 1] for index, test in enumerate(tests[:-1])}

    def note(test: int, passed: bool) -> None:  # noqa: FBT001  # a runner's answer
        if not passed:
            tell("failed", test)
        elif test in following:
            tell("", following[test])
        else:
            tell("passed", test)

    tell("", tests[0])
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
