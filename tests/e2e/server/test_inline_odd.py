"""The inline loop where files, names and moments are odd."""

import os
from pathlib import Path

import pytest

from tests.harness.lsp_client import LspError
from tests.harness.repository import run_git

BROKEN = '{"a":1,}\n'


def rules(diagnostics):
    return [diagnostic["code"] for diagnostic in diagnostics]


def published(client, uri, where=lambda _: True):
    return client.wait_for(
        "textDocument/publishDiagnostics", lambda p: p["uri"] == uri and where(rules(p["diagnostics"]))
    )["diagnostics"]


def pushed(client):
    return client.received("textDocument/publishDiagnostics")


def fresh(client, uri, **asked):
    return client.request("verify/awaitFresh", {"uri": uri, **asked})


def test_a_file_whose_name_is_no_utf_8_is_looked_at_like_any_other(client, folder):
    uri = f"{folder.as_uri()}/b%FF.json"
    client.open(uri, BROKEN, language="json")
    answer = fresh(client, uri, version=1)
    assert (answer["fresh"], rules(answer["diagnostics"])) == (True, ["json.trailing-comma"])
    assert rules(published(client, uri)) == ["json.trailing-comma"]


def test_a_name_that_is_no_utf_8_does_not_end_the_watch(client, folder):
    written = folder / "first.json"
    written.write_text(BROKEN)
    assert rules(published(client, written.as_uri())) == ["json.trailing-comma"]
    with Path(os.fsdecode(os.fsencode(folder) + b"/b\xff.json")).open("w", encoding="utf-8") as odd:
        odd.write(BROKEN)
    assert rules(published(client, f"{folder.as_uri()}/b%FF.json")) == ["json.trailing-comma"]
    later = folder / "later.json"
    later.write_text(BROKEN)
    assert rules(published(client, later.as_uri())) == ["json.trailing-comma"]


@pytest.mark.parametrize("workspace", ["/a\0b", "/a\ud800"])
def test_a_folder_that_no_file_system_can_name_is_the_callers_mistake(client, workspace):
    with pytest.raises(LspError) as refused:
        client.request("verify/run", {"scope": {"kind": "working-tree"}, "workspace": workspace})
    assert refused.value.code == -32602
    assert "workspace" in refused.value.message


def test_what_becomes_ignored_is_not_shown_any_more(client, folder):
    run_git(folder, "init", "-q")
    written = folder / "made.json"
    written.write_text(BROKEN)
    assert rules(published(client, written.as_uri())) == ["json.trailing-comma"]
    (folder / ".gitignore").write_text("made.json\n")
    assert published(client, written.as_uri(), lambda found: not found) == []


def test_settings_in_a_file_hold_as_soon_as_it_is_written(client, folder):
    opened = client.open(folder / "open.json", BROKEN, language="json")
    written = folder / "written.json"
    written.write_text(BROKEN)
    for uri in (opened, written.as_uri()):
        published(client, uri, bool)
    (folder / "verify.toml").write_text('exclude = ["*.json"]\n')
    for uri in (opened, written.as_uri()):
        published(client, uri, lambda found: not found)
    (folder / "verify.toml").unlink()
    published(client, opened, bool)


@pytest.mark.parametrize("name", ["\ud800", "a\0b"])
def test_a_file_that_nobody_can_name_is_the_callers_mistake(client, name):
    with pytest.raises(LspError) as refused:
        client.request("verify/run", {"scope": {"kind": "files", "files": [name]}})
    assert refused.value.code == -32602
    assert "scope.files" in refused.value.message


def test_a_file_below_a_linked_folder_is_shown_under_the_name_that_the_client_opened(start, folder):
    link = folder.parent / "link"
    link.symlink_to(folder)
    client = start()
    client.initialize(link)
    (folder / "a.json").write_text(BROKEN)
    assert rules(published(client, (link / "a.json").as_uri())) == ["json.trailing-comma"]
    assert not any(params["uri"] == (folder / "a.json").as_uri() for params in pushed(client))


def test_a_folder_that_was_gone_is_watched_again(client, folder):
    written = folder / "first.json"
    written.write_text(BROKEN)
    published(client, written.as_uri(), bool)
    folder.rename(folder.parent / "elsewhere")
    published(client, written.as_uri(), lambda found: not found)
    folder.mkdir()
    later = folder / "later.json"
    later.write_text(BROKEN)
    assert rules(published(client, later.as_uri())) == ["json.trailing-comma"]
