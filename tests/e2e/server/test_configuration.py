"""Settings, folders and trust: which word counts, and what the user is told."""

from verify_lsp.settings.trust import trust

CONFIGURES = {"workspace": {"configuration": True}}


def settings_of(client, report_id):
    started = client.wait_for("verify/event", lambda p: p["reportId"] == report_id)
    return started["event"]["report"]["settings"]


def run_settings(client, **params):
    return settings_of(client, client.run(**params))


def test_the_editors_settings_win_over_the_workspaces_and_both_over_the_defaults(start, folder):
    (folder / "verify.toml").write_text("timeoutSecs = 5\nmutationMaxMutants = 6\n")
    client = start()
    client.initialize(folder, options={"trusted": True, "settings": {"mutationMaxMutants": 7}})
    settings = run_settings(client)
    assert (settings["timeoutSecs"], settings["mutationMaxMutants"], settings["runTests"]) == (5, 7, True)


def test_each_folder_has_its_own_settings_in_whatever_order_they_are_opened(start, tmp_path):
    for names in (("a", "b"), ("b", "a")):
        folders = {name: tmp_path / "-".join(names) / name for name in names}
        for one in folders.values():
            one.mkdir(parents=True)
        (folders["a"] / "verify.toml").write_text('rules = { some-rule = "off" }\n')
        client = start()
        client.answers["workspace/configuration"] = lambda asked: [
            {"timeoutSecs": 50} if item["scopeUri"].endswith("/a") else None for item in asked["items"]
        ]
        client.initialize(*folders.values(), capabilities=CONFIGURES, options={"trusted": True})
        in_a = run_settings(client, workspace=str(folders["a"]))
        in_b = run_settings(client, workspace=str(folders["b"]))
        assert (in_a["timeoutSecs"], in_a["rules"]) == (50, {"some-rule": "off"})
        assert (in_b["timeoutSecs"], in_b["rules"]) == (300, {})


def test_a_folder_in_a_folder_keeps_to_its_own_file(start, tmp_path):
    inner = tmp_path / "x" / "services" / "api"
    inner.mkdir(parents=True)
    (tmp_path / "x" / "verify.toml").write_text("testCommand = 'outer'\n")
    (inner / "verify.toml").write_text("testCommand = 'inner'\n")
    client = start()
    client.initialize(tmp_path / "x", inner, options={"trusted": True})
    client.open(inner / "a.py", "")
    assert run_settings(client)["testCommand"] == "inner"
    client.open(tmp_path / "x" / "services" / "b.py", "")
    assert run_settings(client)["testCommand"] == "outer"


def test_a_changed_file_of_settings_needs_no_restart(client, folder):
    assert run_settings(client)["timeoutSecs"] == 300
    (folder / "verify.toml").write_text("timeoutSecs = 9\n")
    assert run_settings(client)["timeoutSecs"] == 9


def test_changed_settings_are_asked_for_and_hold_from_then_on(start, folder):
    said = {"timeoutSecs": 20}
    client = start()
    client.answers["workspace/configuration"] = lambda asked: [said for _ in asked["items"]]
    client.initialize(folder, capabilities=CONFIGURES)
    assert run_settings(client)["timeoutSecs"] == 20
    said = {"timeoutSecs": 30}
    client.wait_for_request("workspace/configuration")
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.wait_for_request("workspace/configuration")
    client.received("")
    assert run_settings(client)["timeoutSecs"] == 30


def test_settings_that_come_with_the_change_hold_for_a_client_that_cannot_be_asked(client):
    client.notify("workspace/didChangeConfiguration", {"settings": {"verify": {"timeoutSecs": 40}}})
    assert run_settings(client)["timeoutSecs"] == 40


def test_a_client_that_never_tells_its_settings_does_not_hold_a_run_up(start, folder):
    client = start()
    client.answers["workspace/configuration"] = lambda _: ...
    client.initialize(folder, capabilities=CONFIGURES, options={"settings": {"timeoutSecs": 8}})
    assert run_settings(client)["timeoutSecs"] == 8


def test_wrong_settings_are_shown_once_and_the_right_ones_hold(start, folder):
    (folder / "verify.toml").write_text("nonsense = 1\n")
    client = start()
    wrong = {"inline": {"onSave": "yes"}, "timeoutSecs": 11, "rules": {"x": "loud"}}
    client.initialize(folder, options={"settings": wrong, "trusted": "maybe", "more": 1})
    shown = client.wait_for("window/showMessage")
    assert shown["type"] == 2
    assert "(and 4 more, see the log)" in shown["message"]
    logged = " ".join(client.wait_for("window/logMessage")["message"] for _ in range(5))
    assert all(name in logged for name in ("inline.onSave", "rules", "nonsense", "trusted", "more"))
    assert run_settings(client)["timeoutSecs"] == 11
    assert client.received("window/showMessage") == []
    assert client.received("window/logMessage") == []


def test_commands_of_a_workspace_wait_for_trust_and_the_editors_word_decides(start, folder):
    (folder / "verify.toml").write_text("testCommand = 'make test'\n")
    client = start()
    client.initialize(folder, options={"trusted": False})
    settings = run_settings(client)
    assert (settings["testCommand"], settings["trusted"]) == (None, False)
    assert "ignored until this workspace is trusted: testCommand" in client.wait_for("window/logMessage")["message"]
    assert client.received("window/showMessage") == []
    client.notify("verify/trust", {"trusted": True})
    settings = run_settings(client)
    assert (settings["testCommand"], settings["trusted"]) == ("make test", True)
    client.notify("verify/trust", {"trusted": False})
    assert run_settings(client)["trusted"] is False


def test_without_the_editors_word_the_users_list_decides(start, folder, tmp_path, monkeypatch):
    monkeypatch.setenv("VERIFY_LSP_HOME", str(tmp_path / "home"))
    client = start()
    client.initialize(folder)
    assert run_settings(client)["trusted"] is False
    trust(folder)
    assert run_settings(client)["trusted"] is True
    client.notify("verify/trust", {"trusted": False})
    assert run_settings(client)["trusted"] is False


def test_folders_may_be_named_in_every_way_the_protocol_has(start, folder):
    for params in (
        {"rootUri": None, "workspaceFolders": None},
        {"rootUri": folder.as_uri(), "workspaceFolders": None},
        {"rootUri": None, "rootPath": str(folder), "workspaceFolders": None},
        {"rootUri": folder.as_uri(), "workspaceFolders": []},
        {"rootUri": "untitled:root", "workspaceFolders": [{"uri": "vscode-remote://x/y", "name": "far"}]},
    ):
        client = start()
        client.request("initialize", {"processId": None, "capabilities": {}, **params})
        client.notify("initialized", {})
        named = any(value and str(folder) in str(value) for value in params.values())
        found = [one["path"] for one in client.request("verify/status")["folders"]]
        assert found == ([str(folder)] if named else [])


def test_an_introduction_that_leaves_out_what_it_may_is_enough(start):
    client = start()
    client.request("initialize", {"processId": None, "capabilities": {}})
    client.notify("initialized", {})
    assert client.request("verify/status")["folders"] == []


def test_folders_come_and_go(start, tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    client = start()
    client.initialize(one)
    event = {"added": [{"uri": two.as_uri(), "name": "two"}], "removed": [{"uri": one.as_uri() + "/", "name": "one"}]}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    assert [folder["path"] for folder in client.request("verify/status")["folders"]] == [str(two)]


def test_status_says_what_runs_what_tools_there_are_and_whom_we_trust(start, folder):
    (folder / "pyproject.toml").write_text(
        "[project]\nname = 'x'\nversion = '1'\n\n[tool.verify-lsp]\nprivacyMode = true\n"
    )
    client = start()
    client.initialize(folder, options={"trusted": True})
    report_id = client.run(sessionId="s")
    status = client.request("verify/status", {})
    (run,) = status["runs"]
    assert (run["reportId"], run["sessionId"], run["workspace"]) == (report_id, "s", str(folder))
    (only,) = status["folders"]
    assert (only["uri"], only["trusted"], only["offline"], only["problems"]) == (folder.as_uri(), True, True, [])
    assert {tool["check"] for tool in only["tools"] if tool["language"] == "python"} == {
        "project-check",
        "tests",
        "lint",
        "diagnostics",
    }
    assert all(tool["tool"] or "changed" not in tool["reason"] for tool in only["tools"])
    assert status["offline"] is True
    assert set(status["versions"]) == {"verify-lsp", "python", "pygls", "lsprotocol"}
