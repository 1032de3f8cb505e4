"""The one door where exceptions become answers: what the user can mend is said, what is our fault is logged."""

import asyncio
import contextlib
import inspect
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any

from verify_lsp.model.errors import UsageError, VerifyError

REQUEST_FAILED = -32803

log = logging.getLogger(__name__)


class BugError(Exception):
    """A bug of ours that was logged where it happened; the message is fit for the user."""


def guarded_request(method: str, handle: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return `handle` such that it returns a result or raises a `JsonRpcException`."""
    if inspect.iscoroutinefunction(handle):

        async def answer_later(params: Any) -> Any:
            with _as_answers(method):
                return await handle(params)

        return answer_later

    def answer(params: Any) -> Any:
        with _as_answers(method):
            return handle(params)

    return answer


def guarded_notification(method: str, handle: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return `handle` such that it raises nothing: a notification has no answer to put an error in."""

    def take(params: Any) -> None:
        try:
            with _bugs_logged(method):
                handle(params)
        except (VerifyError, BugError) as error:
            log.warning("%s: %s", method, error)

    return take


async def guarded_task(name: str, work: Awaitable[Any]) -> None:
    """Await work that nobody waits for; what is wrong with it goes to the log."""
    _, error = await outcome(name, work)
    if error is not None:
        log.warning("%s: %s", name, error)


def in_background(tasks: set[asyncio.Task[None]], work: Coroutine[Any, Any, None]) -> None:
    """Begin work on the running loop, and keep it among `tasks` until it is done, or it could vanish unfinished."""
    task = asyncio.ensure_future(work)
    tasks.add(task)
    task.add_done_callback(tasks.discard)


async def outcome(name: str, work: Awaitable[Any]) -> tuple[Any, VerifyError | BugError | None]:
    """Await `work` and return its result, or what is to be said of its failure."""
    try:
        with _bugs_logged(name):
            return await work, None
    except (VerifyError, BugError) as error:
        return None, error


@contextlib.contextmanager
def _as_answers(name: str) -> Iterator[None]:
    from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams

    try:
        with _bugs_logged(name):
            yield
    except UsageError as error:
        raise JsonRpcInvalidParams(str(error)) from None
    except VerifyError as error:
        raise JsonRpcException(str(error), code=REQUEST_FAILED) from None
    except BugError as error:
        raise JsonRpcInternalError(str(error)) from None


@contextlib.contextmanager
def _bugs_logged(name: str) -> Iterator[None]:
    try:
        yield
    except (VerifyError, BugError):
        raise
    except Exception:
        log.exception("a bug in %s", name)
        raise BugError(f"internal error in {name}; the server's log has the details") from None
