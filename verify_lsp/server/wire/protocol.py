"""JSON-RPC as we speak it: pygls' protocol, with one answer to every request, whatever is in it.

What pygls does otherwise, and why it will not do here: it answers nothing to a request whose params
it cannot read or that comes after `shutdown`; it turns the params of foreign methods into objects, so
that a wrong type goes unnoticed; it logs every late `$/cancelRequest`; and it shows a pop-up to the
user for each notification it cannot handle.
"""

import asyncio
import contextvars
import itertools
import json
import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import cattrs
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams, JsonRpcRequestCancelled
from pygls.protocol import LanguageServerProtocol

from verify_lsp.codec import explain
from verify_lsp.server.wire.answer import Answer, RawJson
from verify_lsp.server.wire.channel import Channel
from verify_lsp.server.wire.introduction import cut_down

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
NOT_INITIALIZED = -32002
_WITHOUT_PARAMS = frozenset({lsp.SHUTDOWN, lsp.EXIT})

log = logging.getLogger(__name__)


class VerifyProtocol(LanguageServerProtocol):
    """The conversation with one client.

    Attributes:
        channel: Where messages go; None before the client is there.
        raw_methods: Methods whose handlers get their params as they came.
        unreadable: Told of a notification whose params cannot be read: its method and its params.
        leaving: Set by `exit`: the exit code to leave with.
    """

    def __init__(self, server: Any, converter: Any) -> None:
        super().__init__(server, converter)
        self.channel: Channel | None = None
        self.raw_methods: frozenset[str] = frozenset()
        self.unreadable: Callable[[str, Any], None] = lambda _method, _params: None
        self.leaving: asyncio.Event = asyncio.Event()
        self.initialized = False
        self._asked: dict[str, asyncio.Future[Any]] = {}
        self._numbers = itertools.count(1)

    @property
    def shut_down(self) -> bool:
        """Whether `shutdown` was asked for."""
        return self._shutdown

    def _register_builtin_features(self) -> None:
        # Of pygls' own handlers only this one serves; the others assume well-behaved clients.
        self.fm.add_builtin_feature(lsp.INITIALIZE, self.lsp_initialize)

    def receive(self, body: bytes) -> None:
        """Handle one message. Nothing that is in it gets past here."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            self._refuse(None, PARSE_ERROR, f"not a JSON document: {error}")
            return
        if not isinstance(message, dict) or not _is_id(message.get("id")):
            self._refuse(None, INVALID_REQUEST, "not a JSON-RPC message")
        elif isinstance(method := message.get("method"), str):
            context = contextvars.copy_context()
            handle = self._request if message.get("id") is not None else self._notification
            context.run(handle, message.get("id"), method, message.get("params"))
        elif "result" in message or "error" in message:
            self._answered(message)
        else:
            self._refuse(message.get("id"), INVALID_REQUEST, "neither a request nor a response")

    def _request(self, request_id: Any, method: str, params: Any) -> None:
        if self._shutdown:
            self._refuse(request_id, INVALID_REQUEST, "the server is shutting down")
        elif method == lsp.INITIALIZE and self.initialized:
            self._refuse(request_id, INVALID_REQUEST, "the server is already initialized")
        elif method != lsp.INITIALIZE and not self.initialized:
            self._refuse(request_id, NOT_INITIALIZED, "the server waits for `initialize`")
        elif not self._is_known(method):
            self._refuse(request_id, METHOD_NOT_FOUND, f"no such method: {method}")
        else:
            try:
                read = self._read_params(method, params, request_id)
            except JsonRpcInvalidParams as error:
                self._refuse(request_id, error.code, error.message)
                return
            self._handle_request(request_id, method, read)

    def _notification(self, _: None, method: str, params: Any) -> None:
        if method == lsp.CANCEL_REQUEST:
            self._cancel(params)
        elif not self._is_known(method) or not (self.initialized or method == lsp.EXIT):
            log.debug("ignored: %s", method)
        elif self._shutdown and method != lsp.EXIT:
            log.debug("ignored after shutdown: %s", method)
        else:
            try:
                read = self._read_params(method, params, None)
            except JsonRpcInvalidParams as error:
                log.warning("%s cannot be read: %s", method, error.message)
                self.unreadable(method, params)
                return
            self._handle_notification(method, read)

    def _is_known(self, method: str) -> bool:
        return method in self.fm.features or method in self.fm.builtin_features

    def _read_params(self, method: str, params: Any, request_id: Any) -> Any:
        if method in self.raw_methods:
            return params
        message_type = self.get_message_type(method)
        if message_type is None:
            return params
        if params is None and method not in _WITHOUT_PARAMS:
            params = {}  # What is missing of them is then named, and where nothing is needed nothing is missing.
        if method == lsp.INITIALIZE:
            params = cut_down(params)
        message = {"jsonrpc": self.VERSION, "id": request_id, "method": method, "params": params}
        try:
            return self._converter.structure(message, message_type).params
        except (cattrs.BaseValidationError, TypeError, ValueError, KeyError, AttributeError) as error:
            raise JsonRpcInvalidParams(explain(error)) from None

    def _cancel(self, params: Any) -> None:
        """Stop a request that still runs. It is no fault to cancel one that was just answered."""
        request_id = params.get("id") if isinstance(params, dict) else None
        if request_id is not None and _is_id(request_id) and (going := self._request_futures.get(request_id)):
            going.cancel()

    def begin_shutdown(self) -> None:
        """Take no more requests, and cancel those that still wait for their answer."""
        self._shutdown = True
        for request_id, future in list(self._request_futures.items()):
            if request_id != self.msg_id:
                future.cancel()

    def _send_handler_result(self, future: "Future[Any]", *, msg_id: Any) -> None:
        self._request_futures.pop(msg_id, None)
        if future.cancelled():
            self._refuse(msg_id, JsonRpcRequestCancelled.CODE, "the request was cancelled")
        elif (error := future.exception()) is None:
            self._send_response(msg_id, result=future.result())
        elif isinstance(error, JsonRpcException):
            self._refuse(msg_id, error.code, error.message)
        else:
            log.error("a handler let an exception through", exc_info=error)
            self._refuse(msg_id, JsonRpcInternalError.CODE, "internal error; the server's log has the details")

    def _send_response(self, msg_id: Any, result: Any = None, error: Any = None) -> None:
        afterwards = None
        if isinstance(result, Answer):
            result, afterwards = result.result, result.afterwards
        if error is not None:
            self._refuse(msg_id, error.code, error.message)
        elif isinstance(result, RawJson):
            self._send_raw(b'{"jsonrpc":"2.0","id":%b,"result":%b}', json.dumps(msg_id).encode(), result.text)
        else:
            self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "result": result})
        if afterwards is not None:
            afterwards()

    def _refuse(self, request_id: Any, code: int, message: str) -> None:
        error = {"code": code, "message": message}
        self._send_data({"jsonrpc": self.VERSION, "id": request_id, "error": error})

    def tell(self, method: str, params: Any) -> None:
        """Send a notification; `params` are JSON, or `RawJson`."""
        if isinstance(params, RawJson):
            name = json.dumps(method).encode()
            self._send_raw(b'{"jsonrpc":"2.0","method":%b,"params":%b}', name, params.text)
        else:
            self._send_data({"jsonrpc": self.VERSION, "method": method, "params": params})

    def plain(self, value: Any) -> Any:
        """Return a value of the protocol as JSON-ready dicts, lists and scalars."""
        return self._converter.unstructure(value)

    async def ask(self, method: str, params: Any, limit_s: float) -> Any:
        """Send a request and return its result.

        Raises:
            TimeoutError: The client did not answer within `limit_s` seconds; it is told that we gave up.
            JsonRpcException: The client answered with an error.
        """
        request_id = f"verify-{next(self._numbers)}"
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._asked[request_id] = answer
        self._send_data({"jsonrpc": self.VERSION, "id": request_id, "method": method, "params": params})
        try:
            # Not `wait_for`, which forgets a cancellation that comes together with the answer.
            async with asyncio.timeout(limit_s):
                return await answer
        except (TimeoutError, asyncio.CancelledError):
            self.tell(lsp.CANCEL_REQUEST, {"id": request_id})
            raise
        finally:
            del self._asked[request_id]

    def _answered(self, message: dict[str, Any]) -> None:
        answer = self._asked.get(str(message.get("id")))
        if answer is None or answer.done():
            log.debug("an answer that nobody waits for: %s", message.get("id"))
        elif message.get("error") is not None:
            error = message["error"] if isinstance(message["error"], dict) else {}
            answer.set_exception(JsonRpcException(str(error.get("message")), code=INVALID_REQUEST))
        else:
            answer.set_result(message.get("result"))

    def _send_data(self, data: Any) -> None:
        if self.channel is not None:
            text = json.dumps(data, default=self._serialize_message, separators=(",", ":"))
            self.channel.send(text.encode())

    def _send_raw(self, pattern: bytes, *parts: bytes) -> None:
        if self.channel is not None:
            self.channel.send(pattern % parts)


def _is_id(value: Any) -> bool:
    return value is None or (isinstance(value, (int, str)) and not isinstance(value, bool))
