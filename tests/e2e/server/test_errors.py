"""Every request gets exactly one answer, and one that says what is wrong."""

from typing import Any

import pytest

from tests.harness.lsp_client import LspError

INVALID_PARAMS, INVALID_REQUEST, NOT_FOUND, PARSE_ERROR = -32602, -32600, -32601, -32700
NOT_INITIALIZED, CANCELLED = -32002, -32800

WRONG_PARAMS = [
    ("verify/run", None, "scope"),
    ("verify/run", {}, "scope"),
    ("verify/run", {"scope": {}}, "kind"),
    ("verify/run", {"scope": {"kind": "everything"}}, "scope.kind"),
    ("verify/run", {"scope": {"kind": 3}}, "scope.kind"),
    ("verify/run", {"scope": {"kind": "files"}}, "scope.files"),
    ("verify/run", {"scope": {"kind": "files", "files": "a.py"}}, "scope.files"),
    ("verify/run", {"scope": {"kind": "files", "files": [1]}}, "scope.files[0]"),
    ("verify/run", {"scope": {"kind": "files", "files": ["/etc/passwd"]}}, "scope.files"),
    ("verify/run", {"scope": {"kind": "files", "files": ["../a.py"]}}, "scope.files"),
    ("verify/run", {"scope": {"kind": "files", "files": ["b/../../a.py"]}}, "scope.files"),
    ("verify/run", {"scope": {"kind": "session"}}, "sessionId"),
    ("verify/run", {"scope": {"kind": "change-set"}}, "diff"),
    ("verify/run", {"scope": {"kind": "branch", "base": 3}}, "scope.base"),
    ("verify/run", {"scope": {"kind": "branch"}, "checks": ["lint", "nonsense"]}, "checks[1]"),
    ("verify/run", {"scope": {"kind": "branch"}, "checks": "lint"}, "checks"),
    ("verify/run", {"scope": {"kind": "branch"}, "message": 3}, "message"),
    ("verify/run", {"scope": {"kind": "branch"}, "sessionID": "x"}, "sessionID"),
    ("verify/run", {"scope": {"kind": "branch"}, "workDoneToken": True}, "workDoneToken"),
    ("verify/run", {"scope": {"kind": "branch"}, "workspace": "/nowhere"}, "workspace"),
    ("verify/run", ["branch"], "object"),
    ("verify/get", {}, "reportId"),
    ("verify/get", {"reportId": 3}, "reportId"),
    ("verify/get", {"reportId": "none"}, "no such report: none"),
    ("verify/get", {"reportId": "../../etc/passwd"}, "no such report"),
    ("verify/cancel", {"reportId": None}, "reportId"),
    ("verify/cancel", {"reportId": "none"}, "no such report: none"),
    ("verify/list", {"limit": "3"}, "limit"),
    ("verify/list", {"limit": 0}, "limit"),
    ("verify/list", {"limit": True}, "limit"),
    ("verify/list", {"sessionId": 3}, "sessionId"),
    ("verify/latest", {"session": "x"}, "session"),
    ("verify/status", {"verbose": True}, "verbose"),
    ("workspace/executeCommand", {}, "command"),
    ("workspace/executeCommand", {"command": "verify_nothing"}, "verify_nothing"),
    ("workspace/executeCommand", {"command": "verify_get", "arguments": [{}, {}]}, "arguments"),
    ("workspace/executeCommand", {"command": "verify_get", "arguments": {"reportId": "x"}}, "arguments"),
    ("workspace/executeCommand", {"command": "verify_get", "arguments": [{"reportId": 3}]}, "reportId"),
    (
        "workspace/executeCommand",
        {"command": "verify_get", "arguments": [{"reportId": "none"}]},
        "no such report: none",
    ),
    ("workspace/executeCommand", {"command": "verify_get"}, "reportId"),
    ("workspace/executeCommand", {"command": "verify_cancel", "arguments": [3]}, "object"),
    ("workspace/executeCommand", {"command": "verify_run", "arguments": [{"scope": {"kind": "x"}}]}, "scope.kind"),
]


def refused(client: Any, method: str, params: Any) -> LspError:
    with pytest.raises(LspError) as refusal:
        client.request(method, params)
    return refusal.value


def test_wrong_params_are_refused_with_the_field_named(client):
    for method, params, named in WRONG_PARAMS:
        error = refused(client, method, params)
        assert (error.code, named in error.message) == (INVALID_PARAMS, True), (method, params, str(error))


def test_what_is_not_built_is_not_answered(client):
    for method in ("verify/nothing", "textDocument/completion"):
        assert refused(client, method, {}).code == NOT_FOUND
    # This client does not pull, so that it is pushed to, and there is nothing to pull.
    assert refused(client, "textDocument/diagnostic", {"textDocument": {"uri": "file:///a"}}).code == NOT_FOUND


def test_the_session_of_a_run_is_the_session_of_its_scope(client):
    client.request("verify/run", {"scope": {"kind": "session"}, "sessionId": "s-1"})

    (run,) = client.request("verify/status")["runs"]
    assert run["scope"] == {"kind": "session", "sessionId": "s-1"}


def test_before_the_introduction_there_is_only_the_introduction(start, folder):
    client = start()
    assert refused(client, "verify/status", {}).code == NOT_INITIALIZED
    client.notify("textDocument/didOpen", {})
    client.initialize(folder)
    assert client.request("verify/status", {})["runs"] == []
    assert (
        refused(client, "initialize", {"processId": None, "rootUri": None, "capabilities": {}}).code == INVALID_REQUEST
    )


def test_an_introduction_that_cannot_be_read_is_refused_and_may_be_made_again(start, folder):
    client = start()
    assert refused(client, "initialize", {"processId": None, "rootUri": None}).code == INVALID_PARAMS
    client.initialize(folder)


def test_params_that_are_left_out_are_named_as_those_that_are_missing(start, folder):
    client = start()
    assert "capabilities" in refused(client, "initialize", None).message
    client.initialize(folder, capabilities={"textDocument": {"diagnostic": {}}})
    error = refused(client, "textDocument/diagnostic", None)
    assert (error.code, "textDocument" in error.message) == (INVALID_PARAMS, True)


def test_after_shutdown_requests_are_refused(client):
    client.request("shutdown")
    assert refused(client, "verify/status", {}).code == INVALID_REQUEST
    client.notify("exit")
    client.check_end(0)


def test_messages_that_are_none_do_not_end_the_conversation(client):
    for body in (b"{", b"[]", b'"text"', b"\xff\xfe", b"[" * 100_000, b'{"jsonrpc": "2.0"}', b"{}"):
        client.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    client.send_bytes(b"X-Unknown: 1\r\n\r\n")
    client.send({"jsonrpc": "2.0", "id": 77, "result": "an answer to nothing"})
    client.send({"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "?"}})
    client.send({"jsonrpc": "2.0", "id": True, "method": "verify/status"})
    client.notify("$/somethingOptional", {"x": 1})
    client.notify("verify/unknownNotification", None)
    assert client.request("verify/status")["runs"] == []
    unasked = client.incoming.responses.pop(None)
    assert unasked["error"]["code"] in {PARSE_ERROR, INVALID_REQUEST}
    del client.incoming.response_count[None]


def test_notifications_that_cannot_be_read_are_dropped_without_a_word_to_the_user(client):
    for method in ("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "textDocument/didSave"):
        for params in (None, {}, [], {"textDocument": 3}, {"textDocument": {"uri": 5}, "contentChanges": "x"}):
            client.notify(method, params)
    client.notify("verify/trust", {"trusted": "yes"})
    client.notify("workspace/didChangeWatchedFiles", {"changes": 3})
    assert client.received("window/showMessage") == []


def test_ids_may_be_strings_and_params_may_hold_anything(client):
    client.send_request("verify/status", {}, request_id="a-string")
    assert client.result("a-string")["runs"] == []
    nested = {"command": "verify_get", "arguments": [{"reportId": "x", "jsonrpc": "2.0", "id": 1, "method": "exit"}]}
    assert refused(client, "workspace/executeCommand", nested).code == INVALID_PARAMS


def test_a_cancelled_request_is_answered_as_cancelled_and_starts_nothing(client):
    scope = {"scope": {"kind": "working-tree"}}
    client.send(
        {"jsonrpc": "2.0", "id": "r", "method": "verify/run", "params": scope},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "r"}},
    )
    with pytest.raises(LspError) as cancelled:
        client.result("r")
    assert cancelled.value.code == CANCELLED
    assert client.request("verify/status")["runs"] == []


def test_a_cancelled_command_is_answered_as_cancelled_and_starts_nothing(client):
    params = {"command": "verify_run", "arguments": [{"scope": {"kind": "working-tree"}}]}
    client.send(
        {"jsonrpc": "2.0", "id": "r", "method": "workspace/executeCommand", "params": params},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "r"}},
    )
    with pytest.raises(LspError) as cancelled:
        client.result("r")
    assert cancelled.value.code == CANCELLED
    assert client.request("verify/status")["runs"] == []


def test_late_and_unknown_cancels_are_no_fault(client):
    number = client.send_request("verify/status", {})
    client.result(number)
    for request_id in (number, "unknown", 99, None, 1.5, {"a": 1}):
        client.cancel(request_id)
    client.notify("$/cancelRequest", None)
    client.notify("window/workDoneProgress/cancel", {"token": "unknown"})
    assert client.received("window/showMessage") == []
    assert client.received("window/logMessage") == []
    assert client.stderr() == ""
