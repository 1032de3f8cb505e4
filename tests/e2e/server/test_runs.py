"""Runs over the wire: requests, their commands, the stream of events, and progress."""

import pytest

from tests.harness.lsp_client import LspError
from tests.harness.scripted_client import changed_file, finding
from verify_lsp.model.report import Check, Report
from verify_lsp.model.scope import VerifyScope
from verify_lsp.reports.store import ReportStore

TEXT = "one = 1\ntwo = 2\nthree = 3\n"
PROGRESS = {"window": {"workDoneProgress": True}}


def event(client, report_id, kind):
    return client.wait_for("verify/event", lambda p: p["reportId"] == report_id and p["event"]["type"] == kind)["event"]


def stored(report_id: str, workspace, created_at: str, session_id: str | None = None) -> Report:
    checks = (Check("lint", "pass", "nothing wrong"),)
    scope = VerifyScope("working-tree")
    return Report(report_id, str(workspace), scope, created_at, "pass", checks=checks, session_id=session_id)


@pytest.fixture
def store(monkeypatch, tmp_path, folder):
    monkeypatch.setenv("VERIFY_LSP_HOME", str(tmp_path / "home"))
    return ReportStore(folder)


def test_a_run_streams_its_report_its_checks_and_its_end(client):
    report_id = client.run()
    assert event(client, report_id, "report")["report"]["status"] == "running"
    check = {
        "kind": "lint",
        "status": "pass",
        "summary": "fine",
        "findings": [],
        "durationMs": 5,
        "metrics": {"n": None},
    }
    client.step(report_id, "check", check=check)
    assert event(client, report_id, "check") == {"type": "check", "check": check}
    client.done(report_id, [finding("a.py", 1)], [changed_file("a.py", TEXT)])
    done = event(client, report_id, "done")["report"]
    assert (done["status"], done["files"][0]["after"], done["checks"][0]["findings"][0]["line"]) == ("fail", TEXT, 1)
    assert client.wait_for("verify/changed") == {"reportId": report_id}
    assert client.received("verify/sessionEvent") == []


def test_the_answer_comes_before_the_first_event(client):
    number = client.send_request("verify/run", {"scope": {"kind": "working-tree"}})
    client.wait_for("verify/event")
    assert client.incoming.responses[number]["result"] == {"reportId": "run-1"}


def test_a_run_of_a_session_tells_those_who_follow_the_session(client):
    report_id = client.run(sessionId="s-1")
    client.done(report_id, [], status="pass")
    told = client.wait_for("verify/sessionEvent")
    assert told["sessionId"] == "s-1"
    assert (told["event"]["type"], told["event"]["report"]["id"]) == ("verification", report_id)
    assert client.wait_for("verify/changed") == {"reportId": report_id, "sessionId": "s-1"}


def test_a_session_named_by_the_scope_counts_too(client):
    report_id = client.request("verify/run", {"scope": {"kind": "session", "sessionId": "s-2"}})["reportId"]
    client.done(report_id, [], status="pass")
    assert client.wait_for("verify/changed") == {"reportId": report_id, "sessionId": "s-2"}


def test_a_run_that_cannot_be_made_ends_with_a_sentence(client):
    report_id = client.run()
    client.step(report_id, "failed", error="not a git repository")
    assert event(client, report_id, "error") == {"type": "error", "error": "not a git repository"}
    assert client.wait_for("verify/changed") == {"reportId": report_id}
    assert "not a git repository" in client.wait_for("window/logMessage")["message"]


def test_a_run_that_meets_a_bug_of_ours_has_an_end_too(client):
    report_id = client.run()
    client.step(report_id, "crash")
    assert "internal error" in event(client, report_id, "error")["error"]
    assert "internal error" in client.wait_for("window/logMessage")["message"]
    assert client.request("verify/status")["runs"] == []
    client.request("shutdown")
    client.notify("exit")
    assert client.process.wait(30) == 0
    assert "RuntimeError: a bug in a run" in client.stderr()


def test_the_death_of_the_worker_ends_its_runs_and_not_the_server(client):
    report_id = client.run()
    event(client, report_id, "report")
    client.step(report_id, "exit")
    assert "ended unexpectedly" in event(client, report_id, "error")["error"]
    assert "ended unexpectedly" in client.wait_for("window/logMessage")["message"]
    again = client.run()
    assert event(client, again, "report")["report"]["status"] == "running"


def test_what_was_asked_for_reaches_the_run(client, folder):
    report_id = client.run("branch", checks=["lint", "tests"], message="All tests pass.")
    report = event(client, report_id, "report")["report"]
    assert report["workspace"] == str(folder)
    assert report["scope"] == {"kind": "branch"}
    assert (report["settings"]["wanted"], report["settings"]["message"]) == (["lint", "tests"], "All tests pass.")


def test_files_may_be_named_by_address_by_path_and_relative_to_the_folder(client, folder):
    files = [(folder / "a.py").as_uri(), str(folder / "sub" / "b.py"), "c.py"]
    report_id = client.request("verify/run", {"scope": {"kind": "files", "files": files}})["reportId"]
    assert event(client, report_id, "report")["report"]["scope"]["files"] == ["a.py", "sub/b.py", "c.py"]


def test_a_running_report_is_answered_as_far_as_it_is_known(client):
    report_id = client.run()
    check = {"kind": "tests", "status": "fail", "summary": "1 failed", "findings": [], "durationMs": 5, "metrics": {}}
    client.step(report_id, "check", check=check)
    event(client, report_id, "check")
    report = client.request("verify/get", {"reportId": report_id})
    assert report["status"] == "running"
    assert [(check["kind"], check["status"]) for check in report["checks"]] == [("tests", "fail"), ("lint", "pending")]


def test_a_run_is_cancelled_by_its_id(client):
    report_id = client.run()
    assert client.request("verify/cancel", {"reportId": report_id}) == {"cancelled": True}
    assert event(client, report_id, "done")["report"]["status"] == "cancelled"
    assert client.request("verify/cancel", {"reportId": report_id}) == {"cancelled": False}


def test_commands_do_what_their_requests_do(client, store, folder):
    store.save(stored("20260101-a", folder, "2026-01-01T00:00:00Z"))
    assert client.command("verify_get", {"reportId": "20260101-a"})["id"] == "20260101-a"
    assert [one["id"] for one in client.command("verify_list", {"limit": 5})] == ["20260101-a"]
    assert [one["id"] for one in client.command("verify_list")] == ["20260101-a"]
    assert client.command("verify_latest", {})["id"] == "20260101-a"
    report_id = client.command("verify_run", {"scope": {"kind": "staged"}})["reportId"]
    assert client.command("verify_cancel", {"reportId": report_id}) == {"cancelled": True}


def test_stored_reports_are_listed_newest_first_by_session_and_up_to_a_limit(client, store, folder):
    assert client.request("verify/list") == []
    assert client.request("verify/latest", {}) is None
    for day, session_id in ((1, "s"), (3, None), (2, "s")):
        store.save(stored(f"r{day}", folder, f"2026-01-0{day}T00:00:00Z", session_id))
    assert [one["id"] for one in client.request("verify/list", {})] == ["r3", "r2", "r1"]
    assert [one["id"] for one in client.request("verify/list", {"limit": 2})] == ["r3", "r2"]
    assert [one["id"] for one in client.request("verify/list", {"sessionId": "s", "limit": 1})] == ["r2"]
    assert client.request("verify/latest", {"sessionId": "s"})["id"] == "r2"
    assert client.request("verify/latest", {"sessionId": "other"}) is None
    assert client.request("verify/get", {"reportId": "r1"})["createdAt"] == "2026-01-01T00:00:00Z"
    assert client.request("verify/cancel", {"reportId": "r1"}) == {"cancelled": False}


def test_a_summary_is_the_one_of_the_contract(client, store, folder):
    store.save(stored("r1", folder, "2026-01-01T00:00:00Z", "s"))
    assert client.request("verify/list", {}) == [
        {
            "id": "r1",
            "createdAt": "2026-01-01T00:00:00Z",
            "scope": {"kind": "working-tree"},
            "status": "pass",
            "riskTier": 0,
            "counts": {"critical": 0, "high": 0, "medium": 0, "low": 0, "info": 0},
            "sessionId": "s",
        }
    ]


def test_a_report_that_another_program_made_is_told_of_and_shown(client, store, folder):
    report = stored("20260101-cli", folder, "2026-01-01T00:00:00Z", "s-9")
    client.received("")  # From here on what is stored is new to the server.
    store.save(report)
    assert client.wait_for("verify/changed") == {"reportId": "20260101-cli", "sessionId": "s-9"}
    assert client.wait_for("verify/sessionEvent")["event"]["report"]["id"] == "20260101-cli"


def progress(client, token, kind):
    return client.wait_for("$/progress", lambda p: p["token"] == token and p["value"]["kind"] == kind)["value"]


def test_progress_has_one_title_a_run_and_one_message_a_check(client):
    report_id = client.run(workDoneToken="mine")
    assert progress(client, "mine", "begin") == {
        "kind": "begin",
        "title": "Verifying the working tree",
        "cancellable": True,
        "percentage": 0,
    }
    for kind, status in (("tests", "running"), ("tests", "pass"), ("lint", "skipped")):
        check = {"kind": kind, "status": status, "summary": "", "findings": [], "durationMs": 0, "metrics": {}}
        client.step(report_id, "check", check=check)
    client.done(report_id, [], status="warn")
    seen = [progress(client, "mine", "report") for _ in range(2)]
    assert [(value["message"], value["percentage"]) for value in seen] == [("tests", 0), ("lint", 100)]
    assert progress(client, "mine", "end") == {"kind": "end", "message": "warn"}
    assert client.received("$/progress") == []


def test_progress_is_shown_under_a_token_of_ours_when_the_client_lets_us(start, folder):
    client = start()
    client.answers["window/workDoneProgress/create"] = lambda _: None
    client.initialize(folder, capabilities=PROGRESS)
    report_id = client.run()
    token = client.wait_for_request("window/workDoneProgress/create")["token"]
    assert progress(client, token, "begin")["cancellable"]
    client.notify("window/workDoneProgress/cancel", {"token": token})
    assert event(client, report_id, "done")["report"]["status"] == "cancelled"
    assert progress(client, token, "end")["message"] == "cancelled"


def test_a_client_that_refuses_progress_gets_none_and_the_run_goes_on(start, folder):
    client = start()
    client.initialize(folder, capabilities=PROGRESS)
    report_id = client.run()
    client.wait_for_request("window/workDoneProgress/create")
    client.done(report_id, [], status="pass")
    client.wait_for("verify/changed")
    assert client.received("$/progress") == []


def test_a_command_carries_its_progress_token_beside_or_inside_its_params(client):
    params = {"command": "verify_run", "arguments": [{"scope": {"kind": "staged"}}], "workDoneToken": 5}
    client.request("workspace/executeCommand", params)
    assert progress(client, 5, "begin")["title"] == "Verifying what is staged"
    client.command("verify_run", {"scope": {"kind": "branch"}, "workDoneToken": "inside"})
    assert progress(client, "inside", "begin")["title"] == "Verifying the branch"


def test_a_run_outside_of_all_folders_needs_to_know_where(start, tmp_path):
    client = start()
    client.initialize()
    with pytest.raises(LspError, match="no folder is open") as refusal:
        client.run()
    assert refusal.value.code == -32803
    loose = tmp_path / "loose"
    loose.mkdir()
    client.open(loose / "one.json", '{"a":1,}')
    report_id = client.run()
    assert event(client, report_id, "report")["report"]["workspace"] == str(loose)


def test_the_run_takes_the_innermost_folder_that_was_last_worked_in(start, tmp_path):
    outer, inner = tmp_path / "x", tmp_path / "x" / "services" / "api"
    inner.mkdir(parents=True)
    client = start()
    client.initialize(outer, inner)

    def workspace(report_id):
        return event(client, report_id, "report")["report"]["workspace"]

    assert workspace(client.run()) == str(outer)
    client.open(inner / "a.py", "x = 1\n")
    assert workspace(client.run()) == str(inner)
    client.open(outer / "b.py", "x = 1\n")
    assert workspace(client.run()) == str(outer)
    assert workspace(client.run(workspace=inner.as_uri())) == str(inner)
    assert workspace(client.run(workspace=str(inner))) == str(inner)
    files = {"kind": "files", "files": [str(inner / "a.py")]}
    assert workspace(client.request("verify/run", {"scope": files})["reportId"]) == str(inner)
