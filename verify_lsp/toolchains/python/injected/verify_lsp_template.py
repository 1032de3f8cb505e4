"""Our end of a process that mutants are tried in; its own end is `verify_lsp_forks`.

Everything here must work with Python 3.8, where there is `os.fork`.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any

from verify_lsp_forks import CLOCK, Visit, forked, served  # type: ignore[import-not-found]  # it stands beside this file at run time
from verify_lsp_origins import identity_of  # type: ignore[import-not-found]  # likewise


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
        self._identities = (identity_of(orders), identity_of(answers))
        self._rest = b""
        self._is_dismissed = False

    @classmethod
    def started(cls, prepare: Callable[[], None], others: Iterable[Template], number: int) -> list[Template] | Visit:
        """Fork some off, and return as a fork does: here our ends of them, in each process that they fork for an order that order.

        They are no children of this process, whose tests may count or await their own. Each forks the next one, while this
        process goes on already.

        Args:
            prepare: Lets go, in each, of what belongs to this process alone.
            others: Our ends of those that were started before. While one held these open too, they would wait for more.
        """
        pipes = [(*os.pipe(), *os.pipe()) for _ in range(number)]
        middle = forked()
        if middle == 0:
            visit = None
            try:
                if forked() == 0:
                    visit = cls._served(prepare, others, pipes)
                    return visit
            finally:
                if visit is None:
                    os._exit(0)
        os.waitpid(middle, 0)
        for order_in, _, _, answer_out in pipes:
            os.close(order_in)
            os.close(answer_out)
        return [cls(order_out, answer_in) for _, order_out, answer_in, _ in pipes]

    @classmethod
    def _served(
        cls, prepare: Callable[[], None], others: Iterable[Template], pipes: list[tuple[int, int, int, int]]
    ) -> Visit:
        place = 0
        while place + 1 < len(pipes) and forked() == 0:
            place += 1
        for other in (*others, *(cls(order_out, answer_in) for _, order_out, answer_in, _ in pipes)):
            other.drop()
        for order_in, _, _, answer_out in (*pipes[:place], *pipes[place + 1 :]):
            os.close(order_in)
            os.close(answer_out)
        return served(prepare, pipes[place][0], pipes[place][3])

    def fileno(self) -> int:
        """Return the descriptor that is ready when there is an answer, as `select` asks for it."""
        return self._answers

    def send(self, order: dict[str, Any]) -> bool:
        """Have tests run with a mutant on; say whether the process still takes orders.

        `order`: `mutant` (or null), `canary`, `limit_s` and `cpu_s`; what is to be run (`tests`, or all `until` one); `since`,
        when the tests began (seconds since the epoch), where it must be given up before it does what others could
        notice, else null; `spare`, whether others go first. Several orders are followed and answered one after another.
        """
        return self._wrote(json.dumps(order).encode() + b"\n")

    def give_up(self) -> bool:
        """Have what was ordered last ended; it is answered as if its limit had passed."""
        return self._wrote(b"\n")

    def _wrote(self, line: bytes) -> bool:
        try:
            return self._is_there() and os.write(self._orders, line) > 0
        except OSError:
            return False

    def received(self) -> dict[str, Any] | None:
        """Return the answer once it is there whole, an empty one when the process is gone, and None before.

        `ended` is `passed`, `failed`, `timeout`, `died`, `exited` (with success, before its time), or `shared` for what was given up; `at` the test that was the last,
        `reached` whether the mutant was asked for, `spent` whether it ended for its processor time, `cpu_s` the
        processor time of all that this process has tried so far.
        """
        try:
            while self._is_there():
                line, end, rest = self._rest.partition(b"\n")
                if end:
                    self._rest = rest
                    return json.loads(line)  # type: ignore[no-any-return]  # as `served` writes it
                if not select.select([self._answers], [], [], 0)[0]:
                    return None
                piece = os.read(self._answers, 65536)
                if not piece:
                    return {}
                self._rest += piece
        except OSError:
            return {}
        return {}

    def drop(self) -> None:
        """Let go of the pipes, in a process that they were not made for."""
        if self._is_there():
            os.close(self._orders)
            os.close(self._answers)

    def dismiss(self) -> None:
        """Tell the process to go."""
        if self._is_there():
            os.close(self._orders)
            self._is_dismissed = True

    def close(self) -> bool:
        """Tell the process to go, unless it was told, and say whether it was seen to."""
        self.dismiss()
        if not self._is_dismissed or identity_of(self._answers) != self._identities[1]:
            return False
        is_gone = self._is_dismissed = False
        with contextlib.suppress(OSError):
            ended = CLOCK[0]() + 2
            while not is_gone and select.select([self._answers], [], [], max(0, ended - CLOCK[0]()))[0]:
                is_gone = not os.read(self._answers, 65536)
        os.close(self._answers)
        return is_gone

    def _is_there(self) -> bool:
        """Tests may close what they did not open, and the numbers are given to other files then."""
        return (identity_of(self._orders), identity_of(self._answers)) == self._identities
