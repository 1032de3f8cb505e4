import asyncio
import logging

import pytest
from pygls.exceptions import JsonRpcException

from verify_lsp.model.errors import EngineError, NoSuchReportError, UsageError
from verify_lsp.server.guarded import BugError, guarded_notification, guarded_request, guarded_task, outcome


def raising(error: BaseException):
    def handle(_params):
        raise error

    return handle


def raising_later(error: BaseException):
    async def handle(_params):
        raise error

    return handle


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (UsageError("limit: expected a number"), -32602, "limit: expected a number"),
        (NoSuchReportError("no such report: x"), -32602, "no such report: x"),
        (EngineError("no folder is open"), -32803, "no folder is open"),
        (BugError("internal error elsewhere"), -32603, "internal error elsewhere"),
    ],
)
def test_what_the_user_can_mend_is_answered_and_not_logged(error, code, message, caplog):
    with pytest.raises(JsonRpcException) as answer:
        guarded_request("verify/x", raising(error))(None)
    assert (answer.value.code, answer.value.message) == (code, message)
    with pytest.raises(JsonRpcException) as answer:
        asyncio.run(guarded_request("verify/x", raising_later(error))(None))
    assert (answer.value.code, answer.value.message) == (code, message)
    assert not caplog.records


def test_a_bug_is_logged_with_its_traceback_and_answered_without_it(caplog):
    with pytest.raises(JsonRpcException) as answer:
        guarded_request("verify/x", raising(KeyError("secret")))(None)
    assert answer.value.code == -32603
    assert "secret" not in answer.value.message
    (record,) = caplog.records
    assert record.exc_info is not None


def test_a_cancelled_request_stays_cancelled():
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(guarded_request("verify/x", raising_later(asyncio.CancelledError()))(None))


def test_a_notification_raises_nothing(caplog):
    for error in (UsageError("trusted: expected true or false"), ValueError("a bug")):
        guarded_notification("verify/trust", raising(error))(None)
    assert [record.levelno for record in caplog.records] == [logging.WARNING, logging.ERROR, logging.WARNING]


def test_the_outcome_of_work_is_a_result_or_what_to_say_of_its_failure():
    async def fine():
        return 3

    assert asyncio.run(outcome("work", fine())) == (3, None)
    result, error = asyncio.run(outcome("work", raising_later(EngineError("no"))(None)))
    assert (result, str(error)) == (None, "no")
    assert isinstance(asyncio.run(outcome("work", raising_later(ValueError())(None)))[1], BugError)
    asyncio.run(guarded_task("work", raising_later(ValueError())(None)))
