"""A small LSP client over stdio that forgets nothing: whatever the server said wrong and no test read fails the test."""

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

LIMIT_S = 60.0
ROOT = Path(__file__).resolve().parents[2]
SERVER = (sys.executable, "-c", "from verify_lsp.server.start import Stdio, serve; raise SystemExit(serve(Stdio()))")

Answer = Callable[[Any], Any]


class LspError(Exception):
    """The server answered with an error."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.code: int = error["code"]
        self.message: str = error["message"]


class RefusalError(Exception):
    """Raised by an answer to make the client refuse a request of the server."""


class Incoming:
    """Takes the server's stream apart, on a thread, and wakes those who wait."""

    def __init__(self, stream: Any, answer: Callable[[dict[str, Any]], None]) -> None:
        self.notifications: list[dict[str, Any]] = []
        self.requests: list[dict[str, Any]] = []
        self.responses: dict[Any, dict[str, Any]] = {}
        self.response_count: Counter[Any] = Counter()
        self.garbage: list[bytes] = []
        self.ended = False
        self.changed = threading.Condition()
        self._stream, self._answer = stream, answer
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while (message := self._message()) is not None:
            if "method" in message and "id" in message:
                with self.changed:
                    self.requests.append(message)
                    self.changed.notify_all()
                self._answer(message)
                continue
            with self.changed:
                if "method" in message:
                    self.notifications.append(message)
                else:
                    self.responses[message["id"]] = message
                    self.response_count[message["id"]] += 1
                self.changed.notify_all()
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def _message(self) -> dict[str, Any] | None:
        length = None
        while (line := self._stream.readline()) not in {b"\r\n", b""}:
            name, colon, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
            elif not colon:
                self.garbage.append(line)
        if length is None:
            return None
        return json.loads(self._stream.read(length))

    def wait(self, found: Callable[[], Any], what: str) -> Any:
        with self.changed:
            if not self.changed.wait_for(lambda: found() is not None or self.ended, LIMIT_S):
                raise AssertionError(f"the server did not send {what}; it sent {self._summary()}")
            result = found()
            if result is None:
                raise AssertionError(f"the server ended before it sent {what}; it sent {self._summary()}")
            return result

    def _summary(self) -> list[str]:
        return [message["method"] for message in (*self.notifications, *self.requests)]


class LspClient:
    """One conversation with one server process."""

    def __init__(
        self,
        argv: Sequence[str] = SERVER,
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        self.answers: dict[str, Answer] = {}
        self.open_fds: list[int] = []
        self._numbers = iter(range(1, 1_000_000))
        self._writing = threading.Lock()
        self._stderr: list[bytes] = []
        python_path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        self.process = subprocess.Popen(
            list(argv),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": python_path, **(env or {})},
            cwd=cwd,
        )
        self._stderr_thread = threading.Thread(target=self._read_stderr, daemon=True)
        self._stderr_thread.start()
        self.incoming = Incoming(self.process.stdout, self._answer_request)

    def initialize(
        self,
        *folders: Path | str,
        capabilities: Mapping[str, Any] | None = None,
        options: Any = None,
        name: str = "test-client",
        **more: Any,
    ) -> dict[str, Any]:
        """Introduce the client, and say that the introduction is over."""
        uris = [folder if isinstance(folder, str) else folder.as_uri() for folder in folders]
        params: dict[str, Any] = {
            "processId": os.getpid(),
            "clientInfo": {"name": name},
            "rootUri": None,
            "capabilities": dict(capabilities or {}),
            "workspaceFolders": [{"uri": uri, "name": uri} for uri in uris] or None,
            "initializationOptions": options,
        }
        result = self.request("initialize", params | more)
        self.notify("initialized", {})
        return result

    def request(self, method: str, params: Any = None) -> Any:
        """Send a request and return its result, or raise `LspError`."""
        return self.result(self.send_request(method, params))

    def send_request(self, method: str, params: Any = None, request_id: Any = None) -> Any:
        request_id = next(self._numbers) if request_id is None else request_id
        message = {"jsonrpc": "2.0", "id": request_id, "method": method}
        self.send(message if params is None else message | {"params": params})
        return request_id

    def result(self, request_id: Any) -> Any:
        """Wait for the answer to a request."""
        answer = self.incoming.wait(lambda: self.incoming.responses.get(request_id), f"an answer to {request_id}")
        if "error" in answer:
            raise LspError(answer["error"])
        return answer["result"]

    def command(self, name: str, *arguments: Any) -> Any:
        return self.request("workspace/executeCommand", {"command": name, "arguments": list(arguments)})

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def cancel(self, request_id: Any) -> None:
        self.notify("$/cancelRequest", {"id": request_id})

    def send(self, *messages: Any) -> None:
        """Send messages in one write, so that the server finds them together."""
        bodies = [json.dumps(message).encode() for message in messages]
        self.send_bytes(b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies))

    def send_bytes(self, data: bytes) -> None:
        with self._writing:
            self.process.stdin.write(data)
            self.process.stdin.flush()

    def wait_for(self, method: str, where: Callable[[Any], bool] = lambda _: True) -> Any:
        """Return the params of the first unread notification `method` that fits; it counts as read."""

        def find() -> Any:
            for index, message in enumerate(self.incoming.notifications):
                if message["method"] == method and where(message.get("params")):
                    return index, message.get("params")
            return None

        found = self.incoming.wait(find, f"{method} that fits")
        with self.incoming.changed:
            del self.incoming.notifications[found[0]]
        return found[1]

    def wait_for_request(self, method: str, where: Callable[[Any], bool] = lambda _: True) -> Any:
        """Return the params of a request of the server that fits; it counts as read."""

        def find() -> Any:
            for index, message in enumerate(self.incoming.requests):
                if message["method"] == method and where(message.get("params")):
                    return index, message
            return None

        index, message = self.incoming.wait(find, f"the request {method} that fits")
        with self.incoming.changed:
            del self.incoming.requests[index]
        return message.get("params")

    def received(self, method: str) -> list[Any]:
        """Return the params of all notifications `method` that nobody read; they count as read.

        All that the server sent before it answers is here, so ask for what has surely been handled.
        """
        self.request("verify/list", {"limit": 1})
        with self.incoming.changed:
            found = [message.get("params") for message in self.incoming.notifications if message["method"] == method]
            self.incoming.notifications[:] = [m for m in self.incoming.notifications if m["method"] != method]
        return found

    def open(self, path: Path | str, text: str, version: int = 1, language: str = "python") -> str:
        uri = path if isinstance(path, str) else path.as_uri()
        document = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def change(self, uri: str, version: int, *changes: Any) -> None:
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)},
        )

    def stderr(self) -> str:
        return b"".join(self._stderr).decode("utf-8", "replace")

    def leave(self, *, expect: int = 0) -> None:
        """End the conversation as the protocol has it, and look whether all was well."""
        self.request("shutdown")
        self.notify("exit")
        self.check_end(expect)

    def check_end(self, expect: int) -> None:
        """Wait for the process, and fail for whatever it said wrong that no test read."""
        code = self.process.wait(LIMIT_S)
        self._stderr_thread.join(LIMIT_S)
        assert code == expect, f"exit code {code}\n{self.stderr()}"
        self.check_clean()

    def check_clean(self) -> None:
        assert not self.incoming.garbage, self.incoming.garbage
        twice = [request_id for request_id, count in self.incoming.response_count.items() if count > 1]
        assert not twice, f"answered more than once: {twice}"
        errors = [message for message in self.incoming.notifications if _is_error(message)]
        assert not errors, errors
        assert "Traceback" not in self.stderr(), self.stderr()

    def close(self) -> None:
        """End the process, whatever state it is in."""
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
        for fd in self.open_fds:
            with contextlib.suppress(OSError):
                os.close(fd)

    def _answer_request(self, message: dict[str, Any]) -> None:
        answer = self.answers.get(message["method"], _refuse)
        response: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            result = answer(message.get("params"))
            if result is Ellipsis:
                return  # A client that never answers.
            response["result"] = result
        except RefusalError as refusal:
            response["error"] = {"code": -32601, "message": str(refusal)}
        with contextlib.suppress(OSError, ValueError):
            self.send(response)

    def _read_stderr(self) -> None:
        for line in self.process.stderr:
            self._stderr.append(line)


@contextlib.contextmanager
def conversation(client: LspClient, *, leave: bool = True) -> Iterator[LspClient]:
    """End the client with the block, and fail when it heard something wrong that was not read."""
    try:
        yield client
        if leave and client.process.poll() is None:
            client.leave()
    finally:
        client.close()


def _refuse(params: Any) -> Any:
    raise RefusalError("the test client does not answer this")


def _is_error(message: Mapping[str, Any]) -> bool:
    return message["method"] in {"window/showMessage", "window/logMessage"} and message["params"]["type"] == 1
