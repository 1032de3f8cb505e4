"""The server as it is shipped, on real repositories with real tools."""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.harness.lsp_client import LspClient, conversation
from tests.harness.python_shop import shop
from verify_lsp.server.texts.uris import path_of

SOON_S = 3.0


def git(folder: Path, *words: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.invalid", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *identity, *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path) -> Path:
    """A small Python project with one commit and one change."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "verify.toml").write_text(f'testCommand = "{sys.executable} -m pytest -q"\nmutationTesting = false\n')
    (folder / "sums.py").write_text("def add(a, b):\n    return a + b\n")
    (folder / "test_sums.py").write_text("from sums import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "before")
    (folder / "sums.py").write_text("def add(a, b):\n    return a - b\n")
    return folder


def ended(client, report_id):
    ends = {"done", "error"}
    return client.wait_for("verify/event", lambda p: p["reportId"] == report_id and p["event"]["type"] in ends)["event"]


def verify(client, **params):
    report_id = client.request("verify/run", {"scope": {"kind": "working-tree"}, **params})["reportId"]
    return ended(client, report_id)


def test_a_change_that_breaks_a_test_fails_and_is_kept(real, repository):
    real.initialize(repository, options={"trusted": True})
    done = verify(real, checks=["lint", "tests"], sessionId="s", message="All tests pass.")
    report = done["report"]
    assert (done["type"], report["status"]) == ("done", "fail")
    assert [check["kind"] for check in report["checks"]] == ["tests", "lint"]
    assert [file["path"] for file in report["files"]] == ["sums.py"]
    assert real.wait_for("verify/changed") == {"reportId": report["id"], "sessionId": "s"}
    assert real.request("verify/get", {"reportId": report["id"]}) == report
    assert [one["id"] for one in real.request("verify/list", {"sessionId": "s"})] == [report["id"]]
    assert real.request("verify/latest", {"sessionId": "s"}) == report


def test_an_untrusted_workspace_runs_nothing_and_is_no_pass(real, repository):
    marker = repository / "was-run"
    (repository / "conftest.py").write_text(f"open({str(marker)!r}, 'w').close()\n")
    real.initialize(repository, options={"trusted": False})
    report = verify(real, checks=["tests"])["report"]
    (check,) = report["checks"]
    assert (check["status"], report["status"]) == ("skipped", "warn")
    assert "not trusted" in check["reason"]
    assert not marker.exists()
    real.wait_for("window/logMessage")


def test_outside_of_git_the_run_says_so_and_the_server_goes_on(real, tmp_path):
    loose = tmp_path / "loose"
    loose.mkdir()
    (loose / "one.json").write_text('{"a":1,}')
    real.initialize(options={"trusted": True})
    real.open(loose / "one.json", '{"a":1,}', language="json")
    end = verify(real)
    assert end["type"] == "error"
    assert "repository" in end["error"]
    assert real.wait_for("window/logMessage")["message"].count("repository") == 1
    assert real.request("verify/status")["runs"] == []


def test_tests_and_plug_ins_that_print_leave_the_protocol_alone(real, repository):
    (repository / "conftest.py").write_text(
        "import os, sys\nprint('x' * 1000000)\nos.write(1, b'Content-Length: 5\\n')\n"
    )
    real.initialize(repository, options={"trusted": True})
    report = verify(real, checks=["tests"])["report"]
    assert report["status"] == "fail"
    assert verify(real, checks=["lint"])["type"] == "done"


def sleeping_command(folder: Path) -> str:
    """A test command that tells its process id through a pipe, and then takes an hour."""
    os.mkfifo(folder.parent / "pid")
    script = folder.parent / "sleeping.py"
    script.write_text(
        "import os, subprocess, sys\n"
        "child = subprocess.Popen(['sleep', '3600'])\n"
        f"open({str(folder.parent / 'pid')!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        "child.wait()\n"
    )
    return f"{sys.executable} {script}"


def started_pids(folder: Path) -> list[int]:
    return [int(pid) for pid in (folder.parent / "pid").read_text().split()]


def gone(pids: list[int]) -> bool:
    """Whether the processes ended, or end soon."""
    deadline = time.monotonic() + SOON_S
    while time.monotonic() < deadline:
        if not any(lives(pid) for pid in pids):
            return True
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(["tail", "--pid", str(pids[0]), "-f", os.devnull], timeout=0.2, check=False)
    return False


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture
def sleeping(repository, tmp_path):
    """A server whose run is in the middle of an endless test command."""
    client = LspClient(env={"VERIFY_LSP_HOME": str(tmp_path / "home")})
    try:
        settings = {"testCommand": sleeping_command(repository), "mutationTesting": False}
        client.initialize(repository, options={"trusted": True, "settings": settings})
        run = {"scope": {"kind": "working-tree"}, "checks": ["tests"]}
        client.report_id = client.request("verify/run", run)["reportId"]
        client.pids = started_pids(repository)
        yield client
    finally:
        client.close()


def test_a_cancelled_run_ends_with_all_its_children(sleeping):
    begun = time.monotonic()
    assert sleeping.request("verify/cancel", {"reportId": sleeping.report_id}) == {"cancelled": True}
    assert ended(sleeping, sleeping.report_id)["report"]["status"] == "cancelled"
    assert time.monotonic() - begun < SOON_S
    assert gone(sleeping.pids)
    sleeping.leave()


def test_shutdown_in_the_middle_of_a_run_leaves_no_child_and_ends_well(sleeping):
    begun = time.monotonic()
    sleeping.leave()
    assert time.monotonic() - begun < SOON_S
    assert gone(sleeping.pids)


def test_a_server_whose_input_ends_leaves_no_child(sleeping):
    sleeping.process.stdin.close()
    sleeping.check_end(1)
    assert gone(sleeping.pids)


def test_a_killed_server_leaves_no_child(sleeping):
    sleeping.process.kill()
    sleeping.process.wait(30)
    assert gone(sleeping.pids)


def test_requests_are_answered_while_a_run_goes_on(sleeping):
    waits = []
    for _ in range(20):
        begun = time.monotonic()
        sleeping.request("verify/get", {"reportId": sleeping.report_id})
        waits.append(time.monotonic() - begun)
    assert sorted(waits)[10] < 0.3
    sleeping.leave()


def test_the_shipped_server_is_the_one_that_is_tested(tmp_path):
    with conversation(LspClient(env={"VERIFY_LSP_HOME": str(tmp_path)})) as client:
        assert client.initialize(tmp_path)["serverInfo"]["name"] == "verify-lsp"


def test_where_the_editor_has_no_server_for_a_language_the_one_of_this_machine_is_asked(real, repository):
    (repository / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    (repository / "sums.py").write_text("def add(a, b):\n    return a + c\n")
    real.answers["verify/collectDiagnostics"] = lambda _: []
    real.initialize(repository, options={"trusted": True, "capabilities": {"collectDiagnostics": True}})
    (check,) = verify(real, checks=["diagnostics"])["report"]["checks"]
    assert check["status"] == "fail"
    assert [(finding["path"], finding["line"]) for finding in check["findings"]] == [("sums.py", 2)]
    assert "pyright" in check["command"]


def test_a_run_that_a_command_started_ends_with_its_report_as_a_document(real, tmp_path):
    made = shop(tmp_path / "shop")
    made.write("menu.json", '{"tea": 1,}\n')
    real.answers["window/showDocument"] = lambda _: {"success": True}
    shows = {"window": {"showDocument": {"support": True}}}
    real.initialize(made.path, capabilities=shows, options={"trusted": True})
    started = real.command("verify_run", {"scope": {"kind": "working-tree"}, "checks": ["diagnostics"]})
    asked = real.wait_for_request("window/showDocument")
    page = path_of(asked["uri"])
    assert page.is_relative_to(tmp_path / "home")
    assert page.stem == started["reportId"]
    assert "menu.json" in page.read_text()
    assert page.stat().st_mode & 0o777 == 0o600


def test_a_run_that_a_request_started_shows_no_document(real, tmp_path):
    made = shop(tmp_path / "shop")
    made.write("menu.json", '{"tea": 1,}\n')
    real.initialize(made.path, capabilities={"window": {"showDocument": {"support": True}}})
    real.request("verify/run", {"scope": {"kind": "working-tree"}, "checks": ["diagnostics"]})
    real.wait_for("verify/changed")
    real.request("verify/status", {})
    assert [asked["method"] for asked in real.incoming.requests] == []
