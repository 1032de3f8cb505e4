"""What asyncio logs of pipes that children close."""

import asyncio
import gc

import pytest

from verify_lsp.system.broken_pipes import expect_broken_pipes


async def left_behind(error):
    """Let an error go that nobody asks for, as asyncio does with that of a pipe."""
    expect_broken_pipes()
    asyncio.get_running_loop().create_future().set_exception(error)
    gc.collect()


@pytest.mark.parametrize(("error", "logged"), [(BrokenPipeError(), 0), (ConnectionResetError(), 0), (ValueError(), 1)])
def test_that_a_child_no_longer_reads_is_no_news_and_other_errors_are(caplog, error, logged):
    asyncio.run(left_behind(error))
    assert len(caplog.records) == logged


def test_a_handler_of_the_loops_own_is_left_in_place():
    async def kept():
        own = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: own.append(context))
        await left_behind(BrokenPipeError())
        return own

    assert len(asyncio.run(kept())) == 1
