"""How a conversation ends: with the right exit code, soon, and with nothing left behind."""

import contextlib
import os
import signal
import subprocess
import sys
import time

from tests.harness.lsp_client import SERVER, LspClient
from tests.harness.scripted_client import SERVER as SCRIPTED

SOON_S = 3.0


def soon(client) -> float:
    """Wait for the process; return how many seconds that took."""
    begun = time.monotonic()
    client.process.wait(30)
    return time.monotonic() - begun


def test_exit_after_shutdown_is_0_although_a_run_goes_on(client):
    report_id = client.run()
    client.wait_for("verify/event")
    begun = time.monotonic()
    client.request("shutdown")
    done = client.wait_for("verify/event", lambda p: p["event"]["type"] == "done")
    assert (done["reportId"], done["event"]["report"]["status"]) == (report_id, "cancelled")
    client.notify("exit")
    client.check_end(0)
    assert time.monotonic() - begun < SOON_S


def test_exit_without_shutdown_is_1(client):
    client.run()
    client.notify("exit")
    assert soon(client) < SOON_S
    client.check_end(1)


def test_exit_before_the_introduction_is_1(start):
    client = start()
    client.notify("exit")
    client.check_end(1)


def test_the_end_of_the_input_is_the_end(client):
    client.run()
    client.process.stdin.close()
    assert soon(client) < SOON_S
    client.check_end(1)


def test_an_input_that_ends_in_the_middle_of_a_message_is_the_end(client):
    client.send_bytes(b'Content-Length: 100\r\n\r\n{"jsonrpc"')
    client.process.stdin.close()
    client.check_end(1)


def test_the_end_of_the_input_after_shutdown_is_a_good_end(client):
    client.request("shutdown")
    client.process.stdin.close()
    client.check_end(0)


def test_a_client_that_stops_reading_is_gone(client):
    client.received("")
    reading = client.process.stdout.raw.fileno()
    os.dup2(os.open(os.devnull, os.O_RDONLY), reading)
    # The first answer still finds the reader that waits in the old pipe; one of the next finds nobody.
    for _ in range(100):
        with contextlib.suppress(BrokenPipeError, subprocess.TimeoutExpired):
            client.send_request("verify/list", {})
            client.process.wait(0.2)
            break
    assert client.process.wait(30) == 1
    client._stderr_thread.join(30)
    assert "Traceback" not in client.stderr()
    assert "BrokenPipe" not in client.stderr()


def test_a_terminated_server_ends_its_runs_first(client):
    client.run()
    client.wait_for("verify/event")
    client.process.send_signal(signal.SIGTERM)
    done = client.wait_for("verify/event", lambda p: p["event"]["type"] == "done")
    assert done["event"]["report"]["status"] == "cancelled"
    client.check_end(1)


def test_the_server_does_not_outlive_the_editor_that_named_itself(tmp_path):
    """The editor is killed, and its pipes are held open by somebody else."""
    editor = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    client = LspClient(SERVER, env={"VERIFY_LSP_HOME": str(tmp_path)})
    try:
        client.initialize(tmp_path, processId=editor.pid)
        client.received("")
        editor.kill()
        # Not reaped yet: a dead editor may stay a zombie for as long as its own parent sleeps.
        assert soon(client) < SOON_S
        client.check_end(1)
    finally:
        editor.communicate()
        client.close()


def test_an_editor_that_we_cannot_see_is_not_taken_for_a_dead_one(start, folder):
    client = start()
    client.initialize(folder, processId=2**22 + 1)
    assert client.request("verify/status")["runs"] == []


PRINTS = """
from verify_lsp.server.features import runs

folder_of = runs._folder

def printing(*arguments):
    print("the server prints")
    return folder_of(*arguments)

runs._folder = printing
"""


def test_what_prints_does_not_disturb_the_protocol(start, folder):
    client = start(code=PRINTS + SCRIPTED.replace("ScriptedRuns", "PrintingRuns"))
    client.initialize(folder, options={"trusted": True})
    report_id = client.run()
    assert client.request("verify/get", {"reportId": report_id})["status"] == "running"
    client.leave()
    said = client.stderr()
    assert "the server prints" in said
    assert "a plug-in prints" in said
    assert "x" * 1000 in said
    assert "EOFError" in said.replace("Traceback", ""), "a child must find nothing to read"


def test_a_crowd_of_cancelled_requests_during_a_run_is_answered_one_by_one(client, folder):
    report_id = client.run()
    client.step(report_id, "burn", seconds=1)
    messages = []
    for number in range(50):
        request = {"jsonrpc": "2.0", "id": f"n{number}", "method": "verify/list", "params": {"limit": 1}}
        messages += [request, {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": f"n{number}"}}]
    client.send(*messages)
    uri = client.open(folder / "a.py", "x = 1\n")
    client.change(uri, 2, {"text": "x = 2\n"})
    for number in range(50):
        client.incoming.wait(lambda number=number: client.incoming.responses.get(f"n{number}"), f"n{number}")
    codes = {client.incoming.responses[f"n{n}"].get("error", {}).get("code") for n in range(50)}
    assert codes <= {None, -32800}
    begun = time.monotonic()
    assert client.request("verify/cancel", {"reportId": report_id}) == {"cancelled": True}
    client.wait_for("verify/event", lambda p: p["event"]["type"] == "done")
    assert time.monotonic() - begun < 2


def test_a_run_that_computes_does_not_keep_others_waiting(client, folder):
    report_id = client.run()
    client.step(report_id, "burn", seconds=2)
    waits = []
    burning = True
    while burning:
        begun = time.monotonic()
        client.request("verify/list", {"limit": 1})
        waits.append(time.monotonic() - begun)
        burning = not any(
            m["params"]["event"]["type"] == "check"
            for m in client.incoming.notifications
            if m["method"] == "verify/event"
        )
    client.wait_for("verify/event", lambda p: p["event"]["type"] == "check")
    waits.sort()
    assert len(waits) > 5
    assert waits[len(waits) // 2] < 0.3
