"""The inline loop: what is written is looked at, and findings come and go with the text."""

import hashlib
import json
import shutil

import pytest

from tests.harness.lsp_client import LspError
from tests.harness.repository import run_git
from tests.harness.scripted_client import changed_file, finding

BROKEN, FIXED = '{"a":1,}\n', '{"a":1}\n'
PULL = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
WATCHES = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}


def published(client, uri, version=None):
    return client.wait_for(
        "textDocument/publishDiagnostics",
        lambda p: p["uri"] == uri and (version is None or p.get("version") == version),
    )["diagnostics"]


def rules(diagnostics):
    return [diagnostic["code"] for diagnostic in diagnostics]


def replaced(text):
    return {"text": text}


def fresh(client, uri, **asked):
    return client.request("verify/awaitFresh", {"uri": uri, **asked})


def test_a_mistake_is_told_when_a_file_is_opened_and_its_end_when_it_is_mended(client, folder):
    uri = client.open(folder / "a.json", BROKEN, language="json")
    (diagnostic,) = published(client, uri, 1)
    assert diagnostic["code"] == "json.trailing-comma"
    assert (diagnostic["source"], diagnostic["severity"]) == ("verify", 1)
    assert diagnostic["range"] == {"start": {"line": 0, "character": 6}, "end": {"line": 0, "character": 7}}
    client.change(uri, 2, replaced(FIXED))
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert published(client, uri, 2) == []


def test_a_text_that_is_being_typed_is_looked_at_without_a_save(client, folder):
    uri = client.open(folder / "a.json", FIXED, language="json")
    published(client, uri, 1)
    client.change(uri, 2, replaced(BROKEN))
    assert rules(published(client, uri, 2)) == ["json.trailing-comma"]


def test_the_last_word_is_about_the_last_text(client, folder):
    uri = client.open(folder / "a.json", FIXED, language="json")
    for version in range(2, 40):
        client.change(uri, version, replaced(BROKEN if version % 2 == 0 else FIXED))
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert fresh(client, uri, version=39) == {"fresh": True, "diagnostics": []}
    told = client.received("textDocument/publishDiagnostics")
    assert [params["version"] for params in told] == sorted(params["version"] for params in told)
    assert (told[-1]["version"], told[-1]["diagnostics"]) == (39, [])


def test_broken_syntax_is_known_at_once_however_soon_one_asks(client, folder):
    uri = client.open(folder / "a.py", "x = 1\n")
    client.change(uri, 2, replaced('x = "never ended\n'))
    answer = fresh(client, uri, version=2)
    assert (answer["fresh"], rules(answer["diagnostics"])) == (True, ["python.syntax"])


def test_a_buffer_without_a_name_is_looked_at_under_its_own_address(client):
    uri = client.open("untitled:Untitled-1", "def f(:\n", language="python")
    assert rules(published(client, uri, 1)) == ["python.syntax"]
    for version in (2, 3, 4):
        client.change(uri, version, replaced("x = 1\n"))
    assert published(client, uri, 4) == []
    assert client.request("textDocument/codeAction", code_action_params(uri, 0)) == []
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.received("window/showMessage") == client.received("window/logMessage") == []


def test_a_file_outside_of_all_folders_is_looked_at(start, tmp_path):
    client = start()
    client.initialize()
    loose = tmp_path / "loose"
    loose.mkdir()
    uri = client.open(loose / "one.json", BROKEN, language="json")
    assert rules(published(client, uri, 1)) == ["json.trailing-comma"]


def code_action_params(uri, line, diagnostics=(), only=None):
    place = {"line": line, "character": 0}
    context = {"diagnostics": list(diagnostics)} | ({} if only is None else {"only": [only]})
    return {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": context}


EDITS = {
    "textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}},
    "workspace": {"workspaceEdit": {"documentChanges": True}, "applyEdit": True},
}


@pytest.fixture
def editor(start, folder):
    made = start()
    made.initialize(folder, capabilities=EDITS)
    return made


def quick_fix(client, uri, line, title=None):
    """Choose the first preferred action of a line, and return it with its edit."""
    actions = client.request("textDocument/codeAction", code_action_params(uri, line))
    chosen = next(action for action in actions if action.get("isPreferred") and title in (None, action["title"]))
    assert "edit" not in chosen
    return client.request("codeAction/resolve", chosen)


def apply(client, buffer, action):
    changes = buffer.apply(action["edit"])
    client.change(buffer.uri, buffer.version, *changes)


def test_four_fixes_in_a_row_without_a_save_all_land(editor, folder):
    from tests.harness.texts import Buffer

    text = '{\n  "a": [1,], "b": [2,],\n  "c": [3,],\n  "d": [4,]\n}\n'
    buffer = Buffer(editor.open(folder / "a.json", text, language="json"), text)
    for line in (1, 1, 2, 3):
        apply(editor, buffer, quick_fix(editor, buffer.uri, line))
    assert buffer.text == '{\n  "a": [1], "b": [2],\n  "c": [3],\n  "d": [4]\n}\n'
    assert fresh(editor, buffer.uri, version=5) == {"fresh": True, "diagnostics": []}
    assert editor.request("textDocument/codeAction", code_action_params(buffer.uri, 1)) == []


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_fix_changes_its_place_alone_whatever_stands_before_it(editor, folder, end):
    from tests.harness.texts import Buffer

    text = f'["🚀🚀🚀",{end} "😀", {{"ä": "🚀",}}{end}]{end}'
    buffer = Buffer(editor.open(folder / "a.json", text, language="json"), text)
    apply(editor, buffer, quick_fix(editor, buffer.uri, 1))
    assert buffer.text == text.replace(",}", "}")


def test_all_is_fixed_at_once_when_that_is_asked_for_and_only_then(editor, folder):
    from tests.harness.texts import Buffer

    text = '{\n  "a": [1,],\n  // why\n  "b": 2,\n}\n'
    buffer = Buffer(editor.open(folder / "a.json", text, language="json"), text)
    kinds = {action["kind"] for action in editor.request("textDocument/codeAction", code_action_params(buffer.uri, 1))}
    assert kinds == {"quickfix"}
    (action,) = editor.request(
        "textDocument/codeAction", code_action_params(buffer.uri, 0, only="source.fixAll.verify")
    )
    apply(editor, buffer, editor.request("codeAction/resolve", action))
    assert json.loads(buffer.text) == {"a": [1], "b": 2}
    assert fresh(editor, buffer.uri)["diagnostics"] == []
    assert (
        editor.request("textDocument/codeAction", code_action_params(buffer.uri, 0, only="source.fixAll.verify")) == []
    )


def test_an_action_for_a_text_that_is_gone_is_refused(editor, folder):
    uri = editor.open(folder / "a.json", BROKEN, language="json")
    (action,) = editor.request("textDocument/codeAction", code_action_params(uri, 0))
    editor.change(uri, 2, replaced(FIXED))
    with pytest.raises(LspError) as refused:
        editor.request("codeAction/resolve", action)
    assert refused.value.code == -32602
    assert "does not fit it any more" in refused.value.message


def test_a_finding_can_be_ignored_where_the_format_has_comments(editor, folder):
    from tests.harness.texts import Buffer

    text = "top:\n  a: 1\r\n  a: 2\r\n"
    buffer = Buffer(editor.open(folder / "a.yaml", text, language="yaml"), text)
    assert rules(published(editor, buffer.uri, 1)) == ["yaml.duplicate-key"]
    actions = editor.request("textDocument/codeAction", code_action_params(buffer.uri, 2))
    ignore = next(action for action in actions if action["title"].startswith("Ignore"))
    apply(editor, buffer, editor.request("codeAction/resolve", ignore))
    assert buffer.text == "top:\n  a: 1\r\n  # verify: ignore[yaml.duplicate-key]\r\n  a: 2\r\n"
    assert fresh(editor, buffer.uri)["diagnostics"] == []
    json_uri = editor.open(folder / "a.json", BROKEN, language="json")
    titles = [each["title"] for each in editor.request("textDocument/codeAction", code_action_params(json_uri, 0))]
    assert titles == ["Remove the trailing comma"]


def test_a_client_without_lazy_edits_gets_them_at_once(client, folder):
    uri = client.open(folder / "a.json", BROKEN, language="json")
    (action,) = client.request("textDocument/codeAction", code_action_params(uri, 0))
    (edit,) = action["edit"]["changes"][uri]
    assert edit["newText"] == ""


def test_a_shown_finding_is_fixed_through_the_client(editor, folder):
    uri = editor.open(folder / "a.json", BROKEN, language="json")
    (diagnostic,) = published(editor, uri, 1)
    editor.answers["workspace/applyEdit"] = lambda _: {"applied": True}
    answer = editor.command("verify_apply_fix", {"findingId": diagnostic["data"]["findingId"]})
    asked = editor.wait_for_request("workspace/applyEdit")
    assert answer["applied"] is True
    assert asked["edit"] == answer["edit"]
    assert (folder / "a.json").exists() is False


def test_a_fix_that_the_client_refuses_is_not_called_applied(editor, folder):
    uri = editor.open(folder / "a.json", BROKEN, language="json")
    (diagnostic,) = published(editor, uri, 1)
    editor.answers["workspace/applyEdit"] = lambda _: {"applied": False, "failureReason": "the file is read-only"}
    answer = editor.request("verify/applyFix", {"findingId": diagnostic["data"]["findingId"]})
    assert (answer["applied"], answer["reason"]) == (False, "the file is read-only")


def test_an_unknown_finding_is_the_callers_mistake(editor):
    with pytest.raises(LspError) as refused:
        editor.request("verify/applyFix", {"findingId": "nonsense"})
    assert (refused.value.code, "no such finding" in refused.value.message) == (-32602, True)


def test_files_are_verified_in_their_order_and_under_their_own_names(client, folder):
    (folder / "b.json").write_text(BROKEN)
    (folder / "c.yaml").write_text("a: 1\n")
    named = ["c.yaml", str(folder / "b.json"), (folder / "b.json").as_uri(), "none.json", "notes.txt", "c.yaml"]
    results = client.request("verify/files", {"paths": named})
    assert [result["path"] for result in results] == named
    assert [(result["ok"], result["skipped"]) for result in results] == [
        (True, False),
        (False, False),
        (False, False),
        (True, True),
        (True, True),
        (True, False),
    ]
    assert results[3]["detail"] == "cannot be verified: no such file"
    given = {"paths": ["b.json", "c.yaml"], "contents": [FIXED, None]}
    assert [result["ok"] for result in client.request("verify/files", given)] == [True, True]
    with pytest.raises(LspError, match="contents"):
        client.request("verify/files", {"paths": ["b.json"], "contents": ["{}", "{}"]})


def test_freshness_is_of_the_asked_content_alone(client, folder):
    uri = client.open(folder / "a.json", BROKEN, language="json")
    assert rules(fresh(client, uri, version=1)["diagnostics"]) == ["json.trailing-comma"]
    late = client.send_request("verify/awaitFresh", {"uri": uri, "version": 2})
    client.change(uri, 2, replaced(FIXED))
    assert client.result(late) == {"fresh": True, "diagnostics": []}
    past = fresh(client, uri, version=1)
    assert (past["fresh"], past["reason"]) == (False, "the document is at version 2 already")
    never = fresh(client, uri, version=9, timeoutMs=50)
    assert (never["fresh"], "not within 50 ms" in never["reason"]) == (False, True)
    for wrong in ({"uri": "git:/x"}, {"uri": uri, "timeoutMs": -1}):
        with pytest.raises(LspError):
            client.request("verify/awaitFresh", wrong)


def test_content_that_a_verifier_skips_is_seen_and_said_not_to_be_verified(client, folder):
    uri = client.open(folder / "t.yaml", "{% if x %}\na: 1\n{% endif %}\n", language="yaml")
    answer = fresh(client, uri, version=1)
    assert (answer["fresh"], answer["diagnostics"]) == (True, [])
    assert answer["reason"].startswith("seen, but not verified: template")


def test_a_file_that_nobody_has_open_is_fresh_by_its_digest(client, folder):
    (folder / "cfg.json").write_text(BROKEN)
    uri = (folder / "cfg.json").as_uri()
    digest = hashlib.sha256(BROKEN.encode()).hexdigest()
    answer = fresh(client, uri, sha256=digest)
    assert (answer["fresh"], rules(answer["diagnostics"])) == (True, ["json.trailing-comma"])
    late = client.send_request("verify/awaitFresh", {"uri": uri, "sha256": hashlib.sha256(FIXED.encode()).hexdigest()})
    (folder / "cfg.json").write_text(FIXED)
    assert client.result(late) == {"fresh": True, "diagnostics": []}


def test_a_write_by_another_program_is_seen_without_the_clients_help(client, folder):
    uri = (folder / "cfg.json").as_uri()
    (folder / "cfg.json").write_text(BROKEN)
    assert rules(published(client, uri)) == ["json.trailing-comma"]
    (folder / "cfg.json").write_text(FIXED)
    assert published(client, uri) == []
    (folder / "cfg.json").write_text(BROKEN)
    published(client, uri)
    (folder / "cfg.json").unlink()
    assert published(client, uri) == []


def test_a_moved_folder_takes_its_findings_along_without_the_clients_help(client, folder):
    (folder / "sub").mkdir()
    (folder / "sub" / "cfg.json").write_text(BROKEN)
    published(client, (folder / "sub" / "cfg.json").as_uri())
    shutil.move(folder / "sub", folder / "moved")
    assert rules(published(client, (folder / "moved" / "cfg.json").as_uri())) == ["json.trailing-comma"]
    assert published(client, (folder / "sub" / "cfg.json").as_uri()) == []


def test_a_write_that_the_client_tells_of_is_looked_at(start, folder):
    client = start()
    client.answers["client/registerCapability"] = lambda _: None
    client.initialize(folder, capabilities=WATCHES)
    uri = (folder / "cfg.json").as_uri()
    (folder / "cfg.json").write_text(BROKEN)
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 1}]})
    assert rules(published(client, uri)) == ["json.trailing-comma"]


@pytest.fixture
def committed(folder):
    """The folder as a repository that has one broken file, and a branch where nothing is broken."""
    run_git(folder, "init", "-q", "-b", "main")
    (folder / "old.json").write_text(BROKEN)
    (folder / ".gitignore").write_text("ignored/\n")
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-qm", "one")
    run_git(folder, "switch", "-qc", "clean")
    (folder / "old.json").write_text(FIXED)
    run_git(folder, "commit", "-qam", "two")
    return folder


def test_a_switch_of_branches_shows_nothing_that_is_committed(start, committed):
    client = start()
    client.initialize(committed)
    fresh(client, (committed / "a.py").as_uri())
    run_git(committed, "switch", "-q", "main")
    (committed / "ignored").mkdir()
    (committed / "ignored" / "cfg.json").write_text(BROKEN)
    # What is written last is looked at last: then all that came before has been dealt with.
    (committed / "new.json").write_text(BROKEN)
    told = [client.wait_for("textDocument/publishDiagnostics")["uri"]]
    told += [params["uri"] for params in client.received("textDocument/publishDiagnostics")]
    assert told == [(committed / "new.json").as_uri()]


def test_a_repository_inside_of_the_folder_decides_about_its_own_files(start, committed):
    inner = committed / "libs" / "inner"
    inner.mkdir(parents=True)
    run_git(inner, "init", "-q")
    (inner / ".gitignore").write_text("made.json\n")
    client = start()
    client.initialize(committed)
    (inner / "made.json").write_text(BROKEN)
    (inner / "own.json").write_text(BROKEN)
    told = [client.wait_for("textDocument/publishDiagnostics")["uri"]]
    told += [params["uri"] for params in client.received("textDocument/publishDiagnostics")]
    assert told == [(inner / "own.json").as_uri()]


def test_settings_are_those_of_the_innermost_folder_in_either_order(start, tmp_path):
    outer, inner = tmp_path / "x", tmp_path / "x" / "services" / "api"
    inner.mkdir(parents=True)
    (outer / "verify.toml").write_text('[rules]\n"json.trailing-comma" = "off"\n')
    for first, second in ((outer, inner), (inner, outer)):
        client = start()
        client.initialize(first, second)
        told = {
            place: rules(published(client, client.open(place / "a.json", BROKEN, language="json"), 1))
            for place in (first, second)
        }
        assert told == {outer: [], inner: ["json.trailing-comma"]}


def test_a_changed_setting_holds_without_a_restart(client, folder):
    uri = client.open(folder / "a.json", BROKEN, language="json")
    published(client, uri, 1)
    client.notify(
        "workspace/didChangeConfiguration", {"settings": {"verify": {"rules": {"json.trailing-comma": "medium"}}}}
    )
    (diagnostic,) = published(client, uri, 1)
    assert diagnostic["severity"] == 2


def test_looks_can_be_switched_off(start, folder):
    client = start()
    client.initialize(folder, options={"settings": {"inline": {"onSave": False, "onChange": False}}})
    uri = client.open(folder / "a.json", FIXED, language="json")
    published(client, uri, 1)
    client.change(uri, 2, replaced(BROKEN))
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert client.received("textDocument/publishDiagnostics") == []
    assert rules(fresh(client, uri)["diagnostics"]) == ["json.trailing-comma"]


def test_an_excluded_file_is_left_in_peace(start, folder):
    client = start()
    client.initialize(folder, options={"settings": {"exclude": ["*.json"]}})
    uri = client.open(folder / "a.json", BROKEN, language="json")
    assert published(client, uri, 1) == []


def test_what_a_run_and_a_look_both_found_is_shown_once(client, folder):
    (folder / "a.json").write_text(BROKEN)
    uri = client.open(folder / "a.json", BROKEN, language="json")
    (shown,) = published(client, uri, 1)
    report_id = client.run()
    same = finding(
        "a.json",
        1,
        shown["message"],
        check="diagnostics",
        rule="json.trailing-comma",
        column=7,
        endLine=1,
        endColumn=8,
        id=shown["data"]["findingId"],
    )
    client.done(report_id, [same], [changed_file("a.json", BROKEN)])
    (again,) = published(client, uri, 1)
    assert again["data"] == {**shown["data"], "reportId": report_id}


def test_a_client_that_pulls_gets_what_was_found_by_pulling_alone(start, folder):
    client = start()
    client.answers["workspace/diagnostic/refresh"] = lambda _: None
    client.initialize(folder, capabilities=PULL)
    uri = client.open(folder / "a.json", BROKEN, language="json")
    items = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
    assert rules(items) == ["json.trailing-comma"]
    client.change(uri, 2, replaced(FIXED))
    assert client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"] == []
    client.change(uri, 3, replaced("[1,]"))
    assert rules(client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]) == [
        "json.trailing-comma"
    ]
    (folder / "cfg.json").write_text("{")
    client.wait_for_request("workspace/diagnostic/refresh")
    fresh(client, (folder / "cfg.json").as_uri())
    reports = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
    assert {report["uri"] for report in reports} == {uri, (folder / "cfg.json").as_uri()}
    assert client.received("textDocument/publishDiagnostics") == []


def test_claude_code_hears_of_a_save_and_of_nothing_in_between(start, folder):
    client = start()
    client.initialize(folder, name="Claude Code")
    uri = client.open(folder / "a.json", FIXED, language="json")
    published(client, uri, 1)
    client.change(uri, 2, replaced(BROKEN))
    assert rules(fresh(client, uri, version=2)["diagnostics"]) == ["json.trailing-comma"]
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert rules(published(client, uri, 2)) == ["json.trailing-comma"]


def test_opencode_hears_of_a_change_without_a_save(start, folder):
    client = start()
    client.initialize(folder, name="opencode")
    uri = client.open(folder / "a.json", FIXED, language="json")
    client.change(uri, 2, replaced(BROKEN))
    (diagnostic,) = published(client, uri, 2)
    assert diagnostic["message"].startswith("json.trailing-comma: ")


def test_a_hover_says_what_to_do_and_how_it_is_known(client, folder):
    uri = client.open(folder / "a.json", BROKEN, language="json")
    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 6}}
    told = client.request("textDocument/hover", place)
    assert told["range"] == {"start": {"line": 0, "character": 6}, "end": {"line": 0, "character": 7}}
    assert told["contents"]["kind"] == "markdown"
    for part in ("no comma after the last element", "To do: Remove the comma", "`json.trailing-comma`", "high"):
        assert part in told["contents"]["value"]
    nowhere = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 1}}
    assert client.request("textDocument/hover", nowhere) is None


def test_text_of_others_is_shown_as_text_in_a_hover(client, folder):
    (folder / "a.py").write_text("x = 1\n")
    uri = client.open(folder / "a.py", "x = 1\n")
    evil = "[click](command:rm) <script> `code` ![x](http://x)"
    client.done(client.run(), [finding("a.py", 1, evil)], [changed_file("a.py", "x = 1\n")])
    published(client, uri, 1)
    published(client, uri, 1)
    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    value = client.request("textDocument/hover", place)["contents"]["value"]
    assert "<script>" not in value
    assert "](command:" not in value.replace("\\]", "")


def test_a_file_deleted_or_renamed_takes_its_findings_along(client, folder):
    (folder / "a.json").write_text(BROKEN)
    old, new = (folder / "a.json").as_uri(), (folder / "b.json").as_uri()
    published(client, old)
    (folder / "a.json").rename(folder / "b.json")
    client.notify("workspace/didRenameFiles", {"files": [{"oldUri": old, "newUri": new}]})
    assert published(client, old) == []
    assert rules(published(client, new)) == ["json.trailing-comma"]
    (folder / "b.json").unlink()
    client.notify("workspace/didDeleteFiles", {"files": [{"uri": new}]})
    assert published(client, new) == []


def test_a_closed_file_shows_what_is_on_disk(client, folder):
    (folder / "a.json").write_text(FIXED)
    uri = client.open(folder / "a.json", BROKEN, language="json")
    assert rules(published(client, uri, 1)) == ["json.trailing-comma"]
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert published(client, uri) == []


def test_rules_are_listed_with_what_a_person_needs_to_know(client):
    listed = client.request("verify/rules", {})
    assert len({rule["id"] for rule in listed}) == len(listed) >= 20
    assert all(rule["severity"] and rule["description"] for rule in listed)


def test_new_lines_are_held_against_the_rules_and_old_ones_are_not(start, committed):
    (committed / "app.py").write_text("import os\n\n\ndef old(text):\n    return eval(text)\n")
    run_git(committed, "add", "-A")
    run_git(committed, "commit", "-qm", "three")
    client = start()
    client.initialize(committed)
    text = (committed / "app.py").read_text() + "\n\ndef new(text):\n    return eval(text)\n"
    uri = client.open(committed / "app.py", text)
    answer = fresh(client, uri, version=1)
    assert [diagnostic["range"]["start"]["line"] for diagnostic in answer["diagnostics"]] == [8]


def test_a_comment_that_suppresses_nothing_is_told_when_the_text_is_saved_and_not_while_it_is_typed(client, folder):
    uri = client.open(folder / "app.py", "a = 1  # verify: ignore[py-eval] x is ours\n")
    assert fresh(client, uri, version=1)["diagnostics"] == []
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert rules(fresh(client, uri, version=1)["diagnostics"]) == ["unused-suppression"]
    client.change(uri, 2, replaced("a = eval(x)  # verify: ignore[py-eval] x is ours\n"))
    assert fresh(client, uri, version=2)["diagnostics"] == []


def test_cancelled_questions_during_a_run_are_answered_once_each_and_the_run_can_still_be_cancelled(client, folder):
    uri = client.open(folder / "a.json", BROKEN, language="json")
    published(client, uri, 1)
    report_id = client.run()
    client.wait_for("verify/event")
    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 6}}
    asked = []
    for number in range(50):
        method, params = (
            ("textDocument/hover", place) if number % 2 else ("textDocument/codeAction", code_action_params(uri, 0))
        )
        asked.append(client.send_request(method, params))
        client.cancel(asked[-1])
    client.change(uri, 2, replaced(FIXED))
    assert fresh(client, uri, version=2) == {"fresh": True, "diagnostics": []}
    for request_id in asked:
        answer = client.incoming.wait(lambda i=request_id: client.incoming.responses.get(i), "an answer")
        assert "result" in answer or answer["error"]["code"] == -32800
    assert {client.incoming.response_count[request_id] for request_id in asked} == {1}
    assert client.request("verify/cancel", {"reportId": report_id}) == {"cancelled": True}


def test_a_save_pops_nothing_up(client, folder):
    uri = client.open(folder / "a.json", FIXED, language="json")
    for version in range(2, 12):
        client.change(uri, version, replaced(BROKEN if version % 2 else FIXED))
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    fresh(client, uri, version=11)
    assert client.received("window/showMessage") == []


def test_content_whose_tool_did_not_run_is_said_not_to_be_wholly_verified(client, folder):
    (folder / "go.mod").write_text("module example.org/m\n\ngo 1.19\n")
    text = 'package main\n\n// int one() { return 1; }\nimport "C"\n\nfunc main() { C.one() }\n'
    (folder / "main.go").write_text(text)
    client.notify("verify/trust", {"trusted": False})
    uri = client.open(folder / "main.go", text, language="go")
    answer = fresh(client, uri, version=1, timeoutMs=60_000)
    assert (answer["fresh"], answer["diagnostics"]) == (True, [])
    assert "not verified" in answer["reason"]
