"""The one door where exceptions become answers: what the user can mend is said, what is our fault is logged."""

import contextlib
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams

from verify_lsp.model.errors import UsageError, VerifyError
from verify_lsp.server.wire.protocol import REQUEST_FAILED

log = logging.getLogger(__name__)


def guarded_request(method: str, handle: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return `handle` such that it returns a result or raises a `JsonRpcException`."""
    if inspect.iscoroutinefunction(handle):

        async def answer_later(params: Any) -> Any:
            with _door(method):
                return await handle(params)

        return answer_later

    def answer(params: Any) -> Any:
        with _door(method):
            return handle(params)

    return answer


def guarded_notification(method: str, handle: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return `handle` such that it raises nothing: a notification has no answer to put an error in."""

    def take(params: Any) -> None:
        try:
            with _door(method):
                handle(params)
        except JsonRpcException as error:
            log.warning("%s: %s", method, error.message)

    return take


async def guarded_task(name: str, work: Awaitable[Any]) -> None:
    """Await work that nobody waits for; what is wrong with it goes to the log."""
    try:
        with _door(name):
            await work
    except JsonRpcException as error:
        log.warning("%s: %s", name, error.message)


async def bug_in(name: str, work: Awaitable[Any]) -> str | None:
    """Await work whose ends are told elsewhere, and return a sentence if it ended by a bug of ours."""
    try:
        with _door(name):
            await work
    except JsonRpcInternalError as error:
        return error.message
    except JsonRpcException:
        return None
    return None


@contextlib.contextmanager
def _door(name: str) -> Iterator[None]:
    try:
        yield
    except JsonRpcException:
        raise
    except UsageError as error:
        raise JsonRpcInvalidParams(str(error)) from None
    except VerifyError as error:
        raise JsonRpcException(str(error), code=REQUEST_FAILED) from None
    except Exception as error:
        log.exception("a bug in %s", name)
        raise JsonRpcInternalError(f"internal error in {name}; the server's log has the details") from error
