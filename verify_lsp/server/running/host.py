"""The server's side of the worker: starts it, calls it, and takes its news."""

import asyncio
import contextlib
import itertools
import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import attrs

from verify_lsp.model.errors import EngineError
from verify_lsp.model.finding import Problem
from verify_lsp.server.guarded import in_background, outcome
from verify_lsp.server.running.messages import Call, Message, News, Question, Reply, packed, unpacked
from verify_lsp.server.wire.channel import read_framed
from verify_lsp.system.broken_pipes import expect_broken_pipes

# Isolated, so that no file of the folder we stand in can take the place of a module of ours.
_CODE = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from verify_lsp.server.running.worker import main; main(sys.argv[2])"
)

_HANG_UP_S = 0.5
_BUFFER = 1 << 20

Ask = Callable[[Question], Awaitable[Mapping[str, tuple[Problem, ...]]]]


class WorkerHost:
    """One worker at a time; a new one when the last one died.

    Args:
        runs: What makes the runs, as in `verify_lsp.runs:Runs`.
        deliver: Takes the news, in the order they happened.
        ask_editor: Answers a run's question.
    """

    def __init__(self, runs: str, deliver: Callable[[News], None], ask_editor: Ask) -> None:
        self._runs, self._deliver, self._ask_editor = runs, deliver, ask_editor
        self._worker: _Worker | None = None
        self._starting = asyncio.Lock()
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def warm_up(self) -> None:
        """Start the worker, so that the first run need not wait for it."""
        await self._living()

    async def call(self, name: str, *arguments: Any) -> Any:
        """Have the worker do something and return the result.

        Raises:
            VerifyError: What the user can mend.
            BugError: What only we can.
            EngineError: The worker died.
        """
        worker = await self._living()
        return await worker.call(name, *arguments)

    async def start(self, request: Any, *, collects: bool) -> str:
        """Start a run and return its report id. Cancelling this call cancels the run."""
        worker = await self._living()
        starting = asyncio.ensure_future(worker.call("start", request, collects))
        try:
            report_id: str = await asyncio.shield(starting)
        except asyncio.CancelledError:
            in_background(self._tasks, self._cancel_started(worker, starting))
            raise
        return report_id

    async def close(self, limit_s: float) -> None:
        """Cancel all runs, wait at most `limit_s` seconds until their children are gone, and end the worker."""
        self._closed = True
        worker, self._worker = self._worker, None
        if worker is not None:
            with contextlib.suppress(TimeoutError, EngineError):
                async with asyncio.timeout(limit_s):
                    await worker.call("close")
            await worker.end(_HANG_UP_S)

    async def _living(self) -> "_Worker":
        async with self._starting:
            if self._closed:
                raise EngineError("the server is shutting down")
            if self._worker is None or self._worker.dead:
                self._worker = await self._started()
            return self._worker

    async def _started(self) -> "_Worker":
        words = ("-I", "-c", _CODE, json.dumps([path for path in sys.path if path]), self._runs)
        pipe = asyncio.subprocess.PIPE
        expect_broken_pipes()
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, *words, stdin=pipe, stdout=pipe, limit=_BUFFER
            )
        except OSError as error:
            raise EngineError(f"cannot start the process that verifies: {error.strerror}") from None
        worker = _Worker(process)
        in_background(self._tasks, self._listen(worker))
        return worker

    async def _listen(self, worker: "_Worker") -> None:
        while (message := await worker.receive()) is not None:
            match message:
                case News():
                    worker.note(message)
                    self._deliver(message)
                case Reply():
                    worker.settle(message)
                case Question():
                    in_background(self._tasks, self._answer(worker, message))
        worker.bury()
        for report_id in () if self._closed else worker.going:
            # JSON of a sentence, as of any other run that could not be made.
            text = json.dumps(_DIED).encode()
            self._deliver(News(report_id, "error", text, status="error"))

    async def _answer(self, worker: "_Worker", question: Question) -> None:
        said, error = await outcome("collecting diagnostics", self._said(question))
        late = isinstance(said, TimeoutError)
        worker.send(Reply(question.number, None if late else said, said if late else error))

    async def _said(self, question: Question) -> Mapping[str, tuple[Problem, ...]] | TimeoutError:
        """Return what the editor said, or that it did not in time: the run may make of that what it will."""
        try:
            return await self._ask_editor(question)
        except TimeoutError as late:
            return late

    async def _cancel_started(self, worker: "_Worker", starting: "asyncio.Future[Any]") -> None:
        report_id, error = await outcome("starting a run", starting)
        if error is None:
            await outcome("cancelling a run", worker.call("cancel", report_id))


_DIED = "the process that verifies ended unexpectedly; the server's log may say why"


@attrs.define(eq=False)
class _Worker:
    """One worker process.

    Attributes:
        going: Runs that have not ended.
    """

    process: asyncio.subprocess.Process
    dead: bool = False
    going: set[str] = attrs.field(factory=set)
    _calls: dict[int, asyncio.Future[Any]] = attrs.field(factory=dict)
    _numbers: "itertools.count[int]" = attrs.field(factory=lambda: itertools.count(1))

    async def call(self, name: str, *arguments: Any) -> Any:
        if self.dead:
            raise EngineError(_DIED)
        number = next(self._numbers)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._calls[number] = answer
        self.send(Call(number, name, arguments))
        try:
            return await answer
        finally:
            self._calls.pop(number, None)

    def send(self, message: Message) -> None:
        if self.process.stdin is not None and not self.process.stdin.is_closing():
            body = packed(message)
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    async def receive(self) -> Message | None:
        if self.process.stdout is None:
            return None
        body = await read_framed(self.process.stdout)
        return None if body is None else unpacked(body)

    def note(self, news: News) -> None:
        if news.kind in {"done", "error"}:
            self.going.discard(news.report_id)
        else:
            self.going.add(news.report_id)

    def settle(self, reply: Reply) -> None:
        answer = self._calls.get(reply.number)
        if answer is not None and not answer.done():
            answer.set_exception(reply.error) if reply.error is not None else answer.set_result(reply.result)

    def bury(self) -> None:
        self.dead = True
        for answer in self._calls.values():
            if not answer.done():
                answer.set_exception(EngineError(_DIED))

    async def end(self, limit_s: float) -> None:
        """Hang up, and kill what does not take the hint."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            async with asyncio.timeout(limit_s):
                await self.process.wait()
        except TimeoutError:
            self.process.kill()
