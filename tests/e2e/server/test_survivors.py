"""A fault that no test notices: looked at, told to an agent, answered with a test; and nothing of it once it is stale."""

import json
import sys
from pathlib import Path

import pytest

from tests.e2e.server.test_real_runs import git
from tests.harness.lsp_client import LspClient, LspError, conversation
from tests.harness.scripted_client import changed_file, finding
from verify_lsp.server.texts.uris import path_of

SHOP = "def price(amount):\n    if amount >= 100:\n        return amount - 10\n    return amount\n"
TESTS = "from shop import price\n\n\ndef test_small():\n    assert price(1) == 1\n"
NAMES = ["test_shop.py::test_small", "test_shop.py::test_large"]
MUTANT = {
    "path": "shop.py", "line": 2, "column": 15, "endLine": 2, "endColumn": 17, "operator": "boundary", "original": ">=",
    "replacement": ">", "status": "survived", "function": "price", "tests": 12, "coveredBy": NAMES,
}  # fmt: skip
CAPABILITIES = {
    "textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}},
    "window": {"showDocument": {"support": True}},
    "workspace": {
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]},
        "applyEdit": True,
        "executeCommand": {},
    },
}
TITLES = [
    "Show the program with the fault in it: changing `>=` to `>`",
    "Copy what an agent should know: changing `>=` to `>`",
    "Insert a failing test: changing `>=` to `>`",
]


@pytest.fixture
def shop(folder):
    (folder / "shop.py").write_text(SHOP)
    (folder / "test_shop.py").write_text(TESTS)
    return folder


@pytest.fixture
def editor(start, shop):
    return begun(start, shop)


def begun(start, shop, capabilities=CAPABILITIES):
    made = start()
    made.answers["workspace/applyEdit"] = lambda _: {"applied": True}
    made.answers["window/showDocument"] = lambda _: {"success": True}
    made.initialize(shop, capabilities=capabilities, options={"trusted": True})
    return made


def ended(client, *mutants, text=SHOP):
    """Let a run end with these survivors in `shop.py`."""
    report_id = client.run()
    mutants = mutants or (MUTANT,)
    place = {name: mutants[0][name] for name in ("column", "endLine", "endColumn")}
    more = {"check": "mutation", "rule": "mutation-survived", "severity": "medium", **place}
    findings = [finding("shop.py", 2, "goes unnoticed", **more)]
    check = {
        "kind": "mutation", "status": "warn", "summary": "one survives", "findings": findings, "durationMs": 1,
        "metrics": {}, "mutants": list(mutants),
    }  # fmt: skip
    report = {"status": "warn", "checks": [check], "files": [changed_file("shop.py", text)]}
    client.step(report_id, "done", report=report)
    client.wait_for("verify/changed")
    return {"findingId": findings[0]["id"], "reportId": report_id}


def actions(client, uri, line=1):
    place = {"line": line, "character": 4}
    asked = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}
    offered = client.request("textDocument/codeAction", asked)
    return [client.request("codeAction/resolve", action) for action in offered]


def asked_of(client, method):
    """Return the params of the requests that the server made of the client."""
    return [message["params"] for message in client.incoming.requests if message["method"] == method]


def test_its_line_offers_three_things_and_no_other_line_does(editor, shop):
    asked = ended(editor)
    uri = editor.open(shop / "shop.py", SHOP)

    offered = actions(editor, uri)
    assert [action["title"] for action in offered] == TITLES
    assert {action["kind"] for action in offered} == {"quickfix"}
    assert all(action["command"]["arguments"] == [asked] and "edit" not in action for action in offered)
    assert actions(editor, uri, line=0) == actions(editor, uri, line=2) == []


def test_the_program_that_survives_is_told_and_written_nowhere(editor, shop):
    told = editor.request("verify/mutant", ended(editor))

    assert (told["original"], told["mutated"]) == (SHOP, SHOP.replace(">=", ">"))
    assert told["diff"] == (
        "--- shop.py\n+++ shop.py (changing `>=` to `>`)\n@@ -1,4 +1,4 @@\n def price(amount):\n"
        "-    if amount >= 100:\n+    if amount > 100:\n         return amount - 10\n     return amount\n"
    )
    assert (shop / "shop.py").read_text() == SHOP
    assert not [path for path in shop.rglob("*") if path.is_file() and "amount > 100" in path.read_text()]


def test_the_brief_holds_facts(editor):
    assert editor.request("verify/mutant", ended(editor))["brief"] == (
        "File: shop.py\n"
        "Line: 2, in price\n"
        "        if amount >= 100:\n"
        "Tried there, in no file: changing `>=` to `>`, so that it says\n"
        "        if amount > 100:\n"
        "Run over this line without noticing (12):\n"
        "- test_shop.py::test_small\n"
        "- test_shop.py::test_large\n"
        "- and 10 more\n"
        "A test must tell these two apart: pass with the first, fail with the second.\n"
    )


@pytest.mark.parametrize(
    ("command", "part"), [("verify_show_mutant", "+    if amount > 100"), ("verify_brief_mutant", "Line: 2")]
)
def test_a_client_without_views_of_its_own_is_shown_a_document(editor, command, part):
    assert editor.command(command, ended(editor))["shown"] is True

    (shown,) = asked_of(editor, "window/showDocument")
    assert part in path_of(shown["uri"]).read_text()


def test_a_client_that_opens_no_documents_gets_a_message(start, shop):
    client = begun(start, shop, {"workspace": {"executeCommand": {}}})
    client.command("verify_show_mutant", ended(client))

    assert "+    if amount > 100" in client.wait_for("window/showMessage")["message"]
    uri = client.open(shop / "shop.py", SHOP)
    asked = {"textDocument": {"uri": uri}, "context": {"diagnostics": []}}
    place = {"line": 1, "character": 0}
    offered = client.request("textDocument/codeAction", {**asked, "range": {"start": place, "end": place}})
    assert [action["title"] for action in offered] == TITLES[:2]


def test_a_failing_test_is_inserted_by_the_client_and_shown(editor, shop):
    asked = ended(editor)
    uri = editor.open(shop / "test_shop.py", TESTS + "# typed\n")
    answer = editor.command("verify_insert_test", asked)

    assert (answer["applied"], answer["path"]) == (True, "test_shop.py")
    (change,) = asked_of(editor, "workspace/applyEdit")[0]["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": uri, "version": 1}
    (edit,) = change["edits"]
    end = {"line": 6, "character": 0}
    assert edit["range"] == {"start": end, "end": end}
    assert edit["newText"].startswith("\n\ndef test_price_boundary():\n    # shop.py, line 2, in price:\n")
    (shown,) = asked_of(editor, "window/showDocument")
    assert (shown["uri"], shown["selection"]["start"]) == (uri, {"line": 11, "character": 4})
    assert (shop / "test_shop.py").read_text() == TESTS


def test_where_no_test_file_is_about_the_code_one_is_made(editor, shop):
    (shop / "test_shop.py").rename(shop / "test_other.py")
    answer = editor.command("verify_insert_test", ended(editor, {**MUTANT, "coveredBy": []}))

    assert answer["applied"] is True, answer
    create, change = answer["edit"]["documentChanges"]
    assert create["kind"] == "create"
    assert create["uri"] == change["textDocument"]["uri"] == (shop / "test_shop.py").as_uri()
    assert create["options"] == {"ignoreIfExists": False, "overwrite": False}


def test_a_client_that_makes_no_files_is_told_where_the_test_belongs(start, shop):
    (shop / "test_shop.py").unlink()
    (shop / "test_other.py").write_text(TESTS)
    workspace = {"workspaceEdit": {"documentChanges": True}, "applyEdit": True}
    client = begun(start, shop, {**CAPABILITIES, "workspace": workspace})
    answer = client.command("verify_insert_test", ended(client, {**MUTANT, "coveredBy": []}))

    assert (answer["applied"], answer["path"]) == (False, "test_shop.py")
    assert "makes no files" in answer["reason"]
    assert "def test_price_boundary" in answer["text"]


def test_a_line_that_was_edited_offers_nothing_and_refuses_what_was_offered(editor, shop):
    asked = ended(editor)
    uri = editor.open(shop / "shop.py", SHOP)
    place = {"line": 1, "character": 7}
    editor.change(uri, 2, {"range": {"start": place, "end": {"line": 1, "character": 13}}, "text": "total"})

    assert actions(editor, uri) == []
    assert editor.request("verify/mutant", asked) == {"reason": "the text has changed since the fault was tried in it"}
    assert editor.command("verify_insert_test", asked)["applied"] is False
    assert asked_of(editor, "workspace/applyEdit") == []


def test_a_line_that_moved_takes_its_offers_along(editor, shop):
    asked = ended(editor)
    uri = editor.open(shop / "shop.py", SHOP)
    place = {"line": 0, "character": 0}
    editor.change(uri, 2, {"range": {"start": place, "end": place}, "text": "# 🎁\r\n\n"})

    assert len(actions(editor, uri, line=3)) == 3
    told = editor.request("verify/mutant", asked)
    assert (told["line"], told["mutated"]) == (4, "# 🎁\r\n\n" + SHOP.replace(">=", ">"))
    assert "shop.py, line 4" in editor.command("verify_insert_test", asked)["text"]


def test_a_fault_over_several_lines_keeps_their_ends(editor, shop):
    text = SHOP.replace("if amount >= 100:", "if (amount >= 100 and\n            amount):").replace("\n", "\r\n")
    (shop / "shop.py").write_bytes(text.encode())
    place = {"column": 9, "endLine": 3, "endColumn": 19}
    piece = "amount >= 100 and\n            amount"
    told = ended(editor, {**MUTANT, **place, "original": piece, "replacement": f"not ({piece})"}, text=text)

    mutated = editor.request("verify/mutant", told)["mutated"]
    assert mutated == text.replace("(amount >= 100", "(not (amount >= 100").replace(" amount):", " amount)):")


def test_of_a_fault_beside_a_secret_nothing_more_is_said(editor, shop):
    asked = ended(editor, {**MUTANT, "original": "…", "replacement": "…"})

    assert actions(editor, editor.open(shop / "shop.py", SHOP)) == []
    assert "secret" in editor.request("verify/mutant", asked)["reason"]


def test_what_is_no_survivor_is_refused_by_name(editor):
    ended(editor)
    for wrong in ({"findingId": "nothing"}, {"findingId": "nothing", "reportId": "run-1"}, {"reportId": "run-1"}):
        with pytest.raises(LspError) as refused:
            editor.request("verify/mutant", wrong)
        assert refused.value.code == -32602


def test_after_a_restart_a_stored_report_answers_for_the_very_text_that_was_verified(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "verify.toml").write_text("runTests = true\n")
    (folder / "shop.py").write_text(SHOP.replace(">= 100", "> 99"))
    (folder / "test_shop.py").write_text(TESTS + "\n\ndef test_large():\n    assert price(200) == 190\n")
    (folder / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    (folder / ".venv").symlink_to(sys.prefix)
    for words in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-qm", "before")):
        git(folder, *words)
    (folder / "shop.py").write_text(SHOP)
    home = {"VERIFY_LSP_HOME": str(tmp_path / "home")}
    with conversation(LspClient(env=home)) as client:
        client.initialize(folder, options={"trusted": True})
        asked = survivor_of_a_real_run(client)
    with conversation(LspClient(env=home)) as client:
        client.initialize(folder, capabilities=CAPABILITIES, options={"trusted": True})
        assert actions(client, client.open(folder / "shop.py", SHOP)) == []
        told = client.request("verify/mutant", asked)
        assert told["mutated"] == SHOP.replace(">= 100", "> 100")
        assert "- test_shop.py::test_small" in told["brief"]
        client.answers["workspace/applyEdit"] = lambda _: {"applied": True}
        assert client.command("verify_insert_test", asked)["path"] == "test_shop.py"
    (folder / "shop.py").write_text("\n" + SHOP)
    with conversation(LspClient(env=home)) as client:
        client.initialize(folder, options={"trusted": True})
        assert "changed" in client.request("verify/mutant", asked)["reason"]


def survivor_of_a_real_run(client):
    report_id = client.request("verify/run", {"scope": {"kind": "working-tree"}, "checks": ["mutation"]})["reportId"]
    client.wait_for("verify/event", lambda p: p["reportId"] == report_id and p["event"]["type"] in {"done", "error"})
    (check,) = client.request("verify/get", {"reportId": report_id})["checks"]
    (survivor,) = [one for one in check["mutants"] if one["status"] == "survived"]
    (found,) = [one for one in check["findings"] if one["line"] == survivor["line"]]
    assert set(survivor["coveredBy"]) == {"test_shop.py::test_small", "test_shop.py::test_large"}, json.dumps(check)
    assert Path(found["path"]) == Path("shop.py")
    return {"findingId": found["id"], "reportId": report_id}
