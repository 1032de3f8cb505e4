"""The same conversation over a socket and over a WebSocket."""

import contextlib
import json
import os
import re
import socket
import subprocess
import sys

import pytest

from tests.harness.lsp_client import ROOT

START = (
    "import sys; from verify_lsp.server.start import {kind}, serve; "
    "from verify_lsp.model.errors import VerifyError\n"
    "try: code = serve({kind}('127.0.0.1', {port}))\n"
    "except VerifyError as error: code = f'refused: {{error}}'\n"
    "raise SystemExit(code)"
)


@contextlib.contextmanager
def server(kind: str, home, port: int = 0):
    env = {**os.environ, "VERIFY_LSP_HOME": str(home), "PYTHONPATH": str(ROOT)}
    argv = [sys.executable, "-c", START.format(kind=kind, port=port)]
    process = subprocess.Popen(argv, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def port_of(process) -> int:
    line = process.stderr.readline()
    found = re.fullmatch(r"verify-lsp listens on 127\.0\.0\.1:(\d+)\n", line)
    assert found, line
    return int(found[1])


def request(number: int, method: str, params=None) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()


def notification(method: str) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "method": method}).encode()


INITIALIZE = request(1, "initialize", {"processId": None, "capabilities": {}})


def test_a_client_on_a_socket_is_served_and_the_server_ends_with_it(tmp_path):
    with server("Tcp", tmp_path) as process, socket.create_connection(("127.0.0.1", port_of(process)), 30) as line:
        stream = line.makefile("rwb")

        def send(body: bytes) -> None:
            stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            stream.flush()

        def receive() -> dict:
            length = int(stream.readline().split(b":")[1])
            stream.readline()
            return json.loads(stream.read(length))

        send(INITIALIZE)
        assert receive()["result"]["serverInfo"]["name"] == "verify-lsp"
        send(request(2, "shutdown"))
        assert receive() == {"jsonrpc": "2.0", "id": 2, "result": None}
        send(notification("exit"))
        assert stream.read() == b""
        assert process.wait(30) == 0
        assert process.stdout.read() == ""


def test_a_socket_that_hangs_up_ends_the_server(tmp_path):
    with server("Tcp", tmp_path) as process:
        with socket.create_connection(("127.0.0.1", port_of(process)), 30) as line:
            line.sendall(b"Content-Length: %d\r\n\r\n%b" % (len(INITIALIZE), INITIALIZE))
            assert line.recv(1)
        assert process.wait(30) == 1
        assert "Traceback" not in process.stderr.read()


def test_a_client_on_a_websocket_is_served_and_the_server_ends_with_it(tmp_path):
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    with server("WebSocket", tmp_path) as process, connect(f"ws://127.0.0.1:{port_of(process)}", proxy=None) as line:
        line.send(INITIALIZE.decode())
        assert json.loads(line.recv(30))["result"]["serverInfo"]["name"] == "verify-lsp"
        line.send(request(2, "shutdown").decode())
        assert json.loads(line.recv(30)) == {"jsonrpc": "2.0", "id": 2, "result": None}
        line.send(notification("exit").decode())
        with pytest.raises(ConnectionClosed):
            line.recv(30)
        assert process.wait(30) == 0


@pytest.mark.parametrize("kind", ["Tcp", "WebSocket"])
def test_an_address_that_is_taken_is_said_to_be(tmp_path, kind):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with server(kind, tmp_path, port) as process:
            _, err = process.communicate(timeout=60)
            assert process.returncode == 1
            assert err.startswith(f"refused: cannot listen on 127.0.0.1:{port}: ")
            assert "Traceback" not in err
