"""Findings as diagnostics: at the right place, in one channel, and never for an older text."""

import shutil

from tests.harness.scripted_client import changed_file, finding

TEXT = "one = 1\ntwo = 2\nthree = 3\n"
PULL = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}


def published(client, uri):
    return client.wait_for("textDocument/publishDiagnostics", lambda p: p["uri"] == uri)


def opened(client, path, text):
    """Open a document, and wait for the word that it was looked at."""
    uri = client.open(path, text)
    client.wait_for("textDocument/publishDiagnostics", lambda p: p["uri"] == uri and p.get("version") == 1)
    return uri


def lines(params):
    return [diagnostic["range"]["start"]["line"] + 1 for diagnostic in params["diagnostics"]]


def found(client, findings, files=None):
    """Run, and let the run find these."""
    report_id = client.run()
    client.done(report_id, findings, files if files is not None else [changed_file("a.py", TEXT)])
    client.wait_for("verify/changed")
    return report_id


def insert(line, text):
    place = {"line": line, "character": 0}
    return {"range": {"start": place, "end": place}, "text": text}


def test_a_finding_becomes_a_diagnostic_with_all_that_the_contract_says(client, folder):
    more = {"column": 1, "endColumn": 4, "url": "https://example.invalid/rule", "fixable": True, "severity": "medium"}
    report_id = found(client, [finding("a.py", 2, **more)])
    assert published(client, (folder / "a.py").as_uri())["diagnostics"] == [
        {
            "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 3}},
            "severity": 2,
            "source": "verify",
            "code": "test-rule",
            "codeDescription": {"href": "https://example.invalid/rule"},
            "message": "wrong",
            "data": {"findingId": "a.py:2:wrong", "reportId": report_id, "fixable": True},
        }
    ]


def test_positions_are_in_the_encoding_that_was_agreed_on(start, folder):
    line = 'x = "😀😀"; password = "correct-horse-9917"'
    (folder / "a.py").write_text(line + "\n")
    for offered, agreed, character in (
        (None, "utf-16", 12),
        (["utf-8", "utf-16"], "utf-8", 16),
        (["utf-32"], "utf-32", 10),
        (["utf-7"], "utf-16", 12),
    ):
        client = start()
        general = {} if offered is None else {"general": {"positionEncodings": offered}}
        assert client.initialize(folder, capabilities=general)["capabilities"]["positionEncoding"] == agreed
        found(client, [finding("a.py", 1, column=11, endColumn=19)], [changed_file("a.py", line + "\n")])
        (diagnostic,) = published(client, (folder / "a.py").as_uri())["diagnostics"]
        assert diagnostic["range"]["start"] == {"line": 0, "character": character}
        assert diagnostic["range"]["end"] == {"line": 0, "character": character + 8}


def test_lines_are_the_same_whatever_ends_them(client, folder):
    crlf = "".join(f"line_{number} = 0\r\n" for number in range(1, 51))
    texts = {
        "crlf.py": crlf,
        "mixed.py": crlf.replace("\r\n", "\n", 10),
        "lone.py": crlf.replace("line_5 = 0", "line_5 = 0 # a\rb = 0"),
        "feeds.py": crlf.replace("line_6 = 0", "line_6 = '\x0c\u2028\x85'"),
    }
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode())
        opened(client, folder / name, text)
    found(client, [finding(name, 40) for name in texts], [changed_file(name, text) for name, text in texts.items()])
    for name in texts:
        (diagnostic,) = published(client, (folder / name).as_uri())["diagnostics"]
        assert diagnostic["range"] == {"start": {"line": 39, "character": 0}, "end": {"line": 39, "character": 11}}


def test_an_edit_moves_findings_and_takes_away_those_of_its_own_lines(client, folder):
    uri = opened(client, folder / "a.py", TEXT)
    found(client, [finding("a.py", line) for line in (1, 2, 3)])
    assert (lines(first := published(client, uri)), first["version"]) == ([1, 2, 3], 1)
    client.change(uri, 2, insert(0, "zero = 0\n"), insert(2, "# "))
    assert (lines(second := published(client, uri)), second["version"]) == ([2, 4], 2)
    client.change(uri, 3, {"text": TEXT})
    assert (lines(third := published(client, uri)), third["version"]) == ([1, 2, 3], 3)


def test_what_was_found_in_an_older_text_is_not_shown_over_a_newer_one(client, folder):
    broken, fixed = "a = 1\n", "a = 2\n"
    (folder / "x.py").write_text(broken)
    uri = opened(client, folder / "x.py", "\n")
    client.change(uri, 2, {"text": broken})
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    late = client.run()
    client.wait_for("verify/event")
    client.change(uri, 3, {"text": fixed})
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    client.received("")
    client.done(late, [finding("x.py", 1)], [changed_file("x.py", broken)])
    client.wait_for("verify/changed")
    assert all(told["diagnostics"] == [] for told in client.received("textDocument/publishDiagnostics"))


def test_an_edit_during_the_run_of_a_text_that_had_findings_leaves_none(client, folder):
    uri = opened(client, folder / "a.py", TEXT)
    found(client, [finding("a.py", 2)])
    assert lines(published(client, uri)) == [2]
    late = client.run()
    client.change(uri, 2, insert(0, "zero = 0\n"))
    assert lines(published(client, uri)) == [3]
    client.done(late, [finding("a.py", 2)], [changed_file("a.py", TEXT)])
    last = published(client, uri)
    assert (last["diagnostics"], last["version"]) == ([], 2)


def test_a_file_that_is_right_again_is_told_empty(client, folder):
    found(client, [finding("a.py", 1)])
    uri = (folder / "a.py").as_uri()
    assert lines(published(client, uri)) == [1]
    found(client, [])
    assert published(client, uri)["diagnostics"] == []


def test_a_cancelled_run_leaves_what_the_last_one_found(client, folder):
    found(client, [finding("a.py", 1)])
    published(client, (folder / "a.py").as_uri())
    report_id = client.run()
    client.request("verify/cancel", {"reportId": report_id})
    client.wait_for("verify/changed")
    assert client.received("textDocument/publishDiagnostics") == []


def test_a_file_deleted_in_the_editor_is_told_empty(client, folder):
    found(client, [finding("a.py", 1)])
    uri = (folder / "a.py").as_uri()
    published(client, uri)
    (folder / "a.py").unlink()
    client.notify("workspace/didDeleteFiles", {"files": [{"uri": uri}]})
    assert published(client, uri)["diagnostics"] == []


def test_a_file_removed_behind_the_editor_is_told_empty_even_while_it_is_open(client, folder):
    uri = opened(client, folder / "a.py", TEXT)
    found(client, [finding("a.py", 1)])
    assert lines(published(client, uri)) == [1]
    (folder / "a.py").unlink()
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 3}]})
    assert published(client, uri)["diagnostics"] == []


def test_files_are_looked_after_when_the_client_watches_none(client, folder):
    found(client, [finding("a.py", 1)])
    uri = (folder / "a.py").as_uri()
    published(client, uri)
    (folder / "a.py").write_text("other = 1\n")
    assert published(client, uri)["diagnostics"] == []
    (folder / "a.py").write_text(TEXT)
    assert lines(published(client, uri)) == [1]
    (folder / "a.py").unlink()
    assert published(client, uri)["diagnostics"] == []


def test_a_renamed_file_takes_its_findings_along(client, folder):
    found(client, [finding("a.py", 2)])
    old, new = (folder / "a.py").as_uri(), (folder / "b.py").as_uri()
    published(client, old)
    (folder / "a.py").rename(folder / "b.py")
    client.notify("workspace/didRenameFiles", {"files": [{"oldUri": old, "newUri": new}]})
    assert published(client, old)["diagnostics"] == []
    assert lines(published(client, new)) == [2]


def test_the_files_of_a_renamed_folder_take_their_findings_along(client, folder):
    (folder / "sub").mkdir()
    (folder / "sub" / "c.py").write_text(TEXT)
    found(client, [finding("sub/c.py", 3)], [changed_file("sub/c.py", TEXT)])
    published(client, (folder / "sub" / "c.py").as_uri())
    shutil.move(folder / "sub", folder / "new")
    names = {"oldUri": (folder / "sub").as_uri(), "newUri": (folder / "new").as_uri()}
    client.notify("workspace/didRenameFiles", {"files": [names]})
    assert lines(published(client, (folder / "new" / "c.py").as_uri())) == [3]
    shutil.rmtree(folder / "new")
    client.notify("workspace/didDeleteFiles", {"files": [{"uri": (folder / "new").as_uri()}]})
    assert published(client, (folder / "new" / "c.py").as_uri())["diagnostics"] == []


def test_a_closed_file_keeps_its_findings_when_its_text_is_the_verified_one(client, folder):
    uri = opened(client, folder / "a.py", TEXT)
    found(client, [finding("a.py", 1)])
    assert published(client, uri)["version"] == 1
    client.change(uri, 2, insert(0, "# "))
    assert published(client, uri)["diagnostics"] == []
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert lines(params := published(client, uri)) == [1]
    assert "version" not in params


def test_a_file_is_spelled_the_way_the_client_spells_it(start, tmp_path):
    root = tmp_path / "My App" / "100%"
    root.mkdir(parents=True)
    (root / "ünï#1.py").write_text(TEXT)
    client = start()
    root_uri = f"file://{tmp_path}/My%20App/100%25"
    client.initialize(root_uri)
    found(client, [finding("ünï#1.py", 1)], [changed_file("ünï#1.py", TEXT)])
    folder_spelling = root_uri + "/%C3%BCn%C3%AF%231.py"
    assert lines(published(client, folder_spelling)) == [1]
    own_spelling = f"file://{tmp_path}/My%20App/100%25/ünï%231.py"
    client.open(own_spelling, TEXT)
    assert published(client, folder_spelling)["diagnostics"] == []
    assert lines(published(client, own_spelling)) == [1]


def test_a_client_that_pulls_is_never_pushed_to(start, folder):
    client = start()
    client.answers["workspace/diagnostic/refresh"] = lambda _: None
    capabilities = client.initialize(folder, capabilities=PULL)["capabilities"]
    assert capabilities["diagnosticProvider"] == {
        "identifier": "verify",
        "interFileDependencies": False,
        "workspaceDiagnostics": True,
    }
    uri = client.open(folder / "a.py", TEXT)
    report_id = found(client, [finding("a.py", line) for line in (1, 2, 3)])
    client.wait_for_request("workspace/diagnostic/refresh")

    full = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert (full["kind"], lines({"diagnostics": full["items"]})) == ("full", [1, 2, 3])
    assert full["items"][0]["data"]["reportId"] == report_id
    again = {"textDocument": {"uri": uri}, "previousResultId": full["resultId"], "identifier": "verify"}
    assert client.request("textDocument/diagnostic", again) == {"kind": "unchanged", "resultId": full["resultId"]}

    client.change(uri, 2, insert(1, "# "))
    edited = client.request("textDocument/diagnostic", again)
    assert lines({"diagnostics": edited["items"]}) == [1, 3]

    previous = {"previousResultIds": [{"uri": uri, "value": edited["resultId"]}]}
    (item,) = client.request("workspace/diagnostic", previous)["items"]
    assert item == {"kind": "unchanged", "resultId": edited["resultId"], "uri": uri, "version": 2}
    page = client.request("textDocument/diagnostic", {"textDocument": {"uri": "vscode-notebook-cell:/x.ipynb#W0"}})
    assert page == {"kind": "full", "items": []}
    assert client.received("textDocument/publishDiagnostics") == []


def test_claude_code_gets_ten_a_file_and_nothing_while_a_text_is_being_changed(start, folder):
    text = "x = 1\n" * 30
    (folder / "a.py").write_text(text)
    client = start()
    client.initialize(folder, name="Claude Code")
    uri = opened(client, folder / "a.py", text)
    found(client, [finding("a.py", line, severity="low") for line in range(1, 30)], [changed_file("a.py", text)])
    first = published(client, uri)
    assert len(first["diagnostics"]) == 10
    assert "20 more findings in this file hidden" in first["diagnostics"][-1]["message"]
    client.change(uri, 2, insert(0, "zero\n"))
    assert client.received("textDocument/publishDiagnostics") == []
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert published(client, uri)["version"] == 2


def test_opencode_gets_errors_with_the_rule_in_the_message(start, folder):
    client = start()
    client.initialize(folder, name="opencode")
    found(client, [finding("a.py", 1, severity="medium"), finding("a.py", 2, "old", preexisting=True)])
    (diagnostic,) = published(client, (folder / "a.py").as_uri())["diagnostics"]
    assert (diagnostic["severity"], diagnostic["message"]) == (1, "test-rule: wrong")


def test_a_changed_text_may_come_in_any_shape_and_ends_as_the_clients(client, folder):
    uri = opened(client, folder / "a.py", TEXT)
    found(client, [finding("a.py", 3)])
    assert lines(published(client, uri)) == [3]
    client.change((folder / "never-opened.py").as_uri(), 2, {"text": "x"})
    # A whole text, a range past the end, a reversed range, several in one: what comes out is TEXT again.
    past, start, end = {"line": 99, "character": 99}, {"line": 0, "character": 0}, {"line": 0, "character": 3}
    client.change(
        uri, 2, {"text": "ten = 1\ntwo = 2\nthree = "}, {"range": {"start": past, "end": past}, "text": "3\n"}
    )
    assert lines(published(client, uri)) == []
    client.change(uri, 3, {"range": {"start": end, "end": start}, "text": "one"})
    assert lines(published(client, uri)) == [3]
    for _ in range(2):
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}, "text": TEXT})
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert lines(published(client, uri)) == [3]


def test_a_change_that_cannot_be_read_makes_the_text_unknown_until_it_comes_whole(client, folder):
    uri = opened(client, folder / "a.py", TEXT)
    found(client, [finding("a.py", 3)])
    assert lines(published(client, uri)) == [3]
    client.change(uri, 2, {"range": {"start": {"line": "x"}}, "text": 3})
    assert published(client, uri)["diagnostics"] == []
    client.change(uri, 3, insert(0, "zero\n"))
    client.change(uri, 4, {"text": TEXT})
    assert lines(last := published(client, uri)) == [3]
    assert last["version"] == 4


def test_untitled_and_virtual_documents_are_left_in_peace(client):
    for uri in ("untitled:Untitled-1", "git:/x/a.py?ref", "vscode-notebook-cell:/x.ipynb#W0", "not an address", ""):
        client.open(uri, 'api_key = "AKIAABCDEFGHIJKLMNOP"\n')
        for version in (2, 3, 4):
            client.change(uri, version, insert(0, "# "))
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.received("window/showMessage") == []
    assert client.received("window/logMessage") == []


def test_large_and_deep_files_do_not_trouble_the_server(client, folder):
    for name, text in (
        ("data.py", "x = [\n" + '    "text",\n' * 60_000 + "]\n"),
        ("one-line.json", '["' + "x" * 12_000_000 + '"]'),
        ("deep.json", "[" * 3_000 + "]" * 3_000),
    ):
        uri = client.open(folder / name, text, language="json")
        client.change(uri, 2, insert(0, "\n"))
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    found(client, [finding("a.py", 1)])
    assert lines(published(client, (folder / "a.py").as_uri())) == [1]


def test_a_finding_without_a_file_stays_in_the_report(client):
    report_id = found(client, [finding("", 0), finding("gone.py", 1)])
    assert client.received("textDocument/publishDiagnostics") == []
    assert len(client.request("verify/get", {"reportId": report_id})["checks"][0]["findings"]) == 2


def test_the_client_is_asked_to_watch_files_when_it_can(start, folder):
    client = start()
    client.answers["client/registerCapability"] = lambda _: None
    client.initialize(folder, capabilities={"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}})
    (registration,) = client.wait_for_request("client/registerCapability")["registrations"]
    assert registration["method"] == "workspace/didChangeWatchedFiles"


def test_file_operations_are_offered_to_a_client_that_tells_of_them(start, folder):
    client = start()
    told = {"didCreate": True, "didRename": True, "didDelete": True}
    capabilities = client.initialize(folder, capabilities={"workspace": {"fileOperations": told}})["capabilities"]
    assert set(capabilities["workspace"]["fileOperations"]) == set(told)
