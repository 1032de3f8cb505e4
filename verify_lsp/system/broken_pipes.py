"""Keeping asyncio from logging what is no news."""

import asyncio
from collections.abc import Mapping
from typing import Any


def expect_broken_pipes() -> None:
    """Let children of the running loop close their input early, which their exit tells of, without a traceback in the log.

    Python 3.11.2 logs it where nobody waits for the end of that pipe, 3.11.7 does not.
    """
    loop = asyncio.get_running_loop()
    if loop.get_exception_handler() is None:
        loop.set_exception_handler(_handle)


def _handle(loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    is_of_a_pipe = "future" in context and isinstance(context.get("exception"), (BrokenPipeError, ConnectionResetError))
    if not is_of_a_pipe:
        loop.default_exception_handler(dict(context))
