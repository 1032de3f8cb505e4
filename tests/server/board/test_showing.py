from pathlib import Path
from typing import Any

from verify_lsp.model.finding import Finding
from verify_lsp.server.board.board import Verified
from verify_lsp.server.board.layers import Layers
from verify_lsp.server.board.policy import Policy, View
from verify_lsp.server.board.showing import Showing
from verify_lsp.server.board.spans import Placed, span_of
from verify_lsp.server.texts.disk import OnDisk
from verify_lsp.server.texts.document import Change
from verify_lsp.server.texts.open_documents import OpenDocuments
from verify_lsp.server.texts.uris import uri_of

TEXT = "one\ntwo\nthree\n"


class Stage:
    def __init__(self, policy: Policy) -> None:
        self.pushed: list[dict[str, Any]] = []
        self.asked = 0
        self.layers, self.documents = Layers(), OpenDocuments()
        self.showing = Showing(self.layers, self.documents, self.pushed.append, self._ask, uri_of)
        self.showing.view = View(policy)

    def _ask(self) -> None:
        self.asked += 1

    def put_up(self, **lines: list[int]) -> None:
        files = [verified(f"/w/{name}", found) for name, found in lines.items()]
        present = {key: document.text() for key, document in self.documents.by_key.items()}
        self.showing.update(self.layers.runs.put_up("/w", files, present), settled=True)

    def seen(self) -> list[tuple[str, int]]:
        """What was pushed since the last look: file and number of diagnostics."""
        pushed, self.pushed[:] = list(self.pushed), []
        return [(params["uri"].removeprefix("file:///w/"), len(params["diagnostics"])) for params in pushed]


def verified(key: str, lines: list[int]) -> Verified:
    findings = [Finding(f"{key}{n}", "lint", "high", key, n, "r", "m") for n in lines]
    placed = tuple(Placed(finding, span_of(finding, TEXT.split("\n")), "r1") for finding in findings)
    return Verified(key, key, TEXT, placed, OnDisk(TEXT))


def test_a_file_is_pushed_when_it_looks_different_and_not_otherwise():
    stage = Stage(Policy("push"))
    stage.put_up(a=[1, 2], b=[1])
    assert stage.seen() == [("a", 2), ("b", 1)]
    stage.put_up(a=[1, 2], b=[3])
    assert stage.seen() == [("b", 1)]


def test_a_file_without_findings_any_more_is_pushed_empty_once():
    stage = Stage(Policy("push"))
    stage.put_up(a=[1])
    stage.seen()
    stage.put_up()
    assert stage.seen() == [("a", 0)]
    stage.put_up()
    assert stage.seen() == []


def test_an_open_document_is_pushed_under_its_own_spelling_and_version():
    stage = Stage(Policy("push"))
    stage.documents.open("file:///w/%61", 7, TEXT)
    stage.put_up(a=[1])
    assert [(params["uri"], params["version"]) for params in stage.pushed] == [("file:///w/%61", 7)]


def test_a_file_shown_under_another_spelling_is_cleared_there():
    stage = Stage(Policy("push"))
    stage.put_up(a=[1])
    stage.seen()
    stage.documents.open("file:///w/%61", 1, TEXT)
    stage.showing.update(stage.layers.settle("/w/a", TEXT), settled=True)
    assert stage.seen() == [("a", 0), ("%61", 1)]


def edit(stage: Stage, text: str) -> None:
    key, document = stage.documents.get("file:///w/a")
    edits = [document.apply(Change(text), "utf-16")]
    document.version += 1
    stage.showing.update(stage.layers.edit(key, edits, document.text()), settled=False)


def test_an_edit_is_followed_with_the_new_version():
    stage = Stage(Policy("push"))
    stage.documents.open("file:///w/a", 1, TEXT)
    stage.put_up(a=[3])
    stage.pushed.clear()
    edit(stage, "zero\n" + TEXT)
    (params,) = stage.pushed
    assert params["version"] == 2
    assert params["diagnostics"][0]["range"]["start"]["line"] == 3


def test_a_client_that_adds_up_what_it_gets_hears_nothing_until_the_text_is_saved():
    stage = Stage(Policy("push", settled_only=True))
    stage.documents.open("file:///w/a", 1, TEXT)
    stage.put_up(a=[1, 3])
    stage.seen()
    edit(stage, "ONE\ntwo\nthree\n")
    assert stage.seen() == []
    stage.showing.update({"/w/a"}, settled=True)
    assert stage.seen() == [("a", 1)]


def test_a_client_that_pulls_is_never_pushed_to_and_is_asked_when_a_run_ended():
    stage = Stage(Policy("pull"))
    stage.documents.open("file:///w/a", 1, TEXT)
    stage.put_up(a=[1])
    assert stage.asked == 1
    edit(stage, "zero\n" + TEXT)
    assert (stage.seen(), stage.asked) == ([], 1)


def test_a_pull_with_the_last_result_id_is_answered_with_no_news():
    stage = Stage(Policy("pull"))
    stage.put_up(a=[1])
    full = stage.showing.report("/w/a", None)
    assert (full["kind"], len(full["items"])) == ("full", 1)
    assert stage.showing.report("/w/a", full["resultId"]) == {"kind": "unchanged", "resultId": full["resultId"]}
    stage.put_up(a=[2])
    assert stage.showing.report("/w/a", full["resultId"])["kind"] == "full"


def test_a_pull_of_the_workspace_names_files_with_findings_and_those_that_had_some():
    stage = Stage(Policy("pull"))
    stage.put_up(a=[1], b=[1])
    before = {
        f"/w/{name}": (f"file:///w/{name}", stage.showing.report(f"/w/{name}", None)["resultId"]) for name in "ab"
    }
    stage.put_up(b=[1], c=[1])
    reports = {report["uri"][-1]: report for report in stage.showing.reports(before)}
    assert [(name, report["kind"], report.get("items") == []) for name, report in sorted(reports.items())] == [
        ("a", "full", True),
        ("b", "unchanged", False),
        ("c", "full", False),
    ]
    assert {report["version"] for report in reports.values()} == {None}


def test_files_beyond_the_total_come_into_view_when_there_is_room():
    stage = Stage(Policy("push", total=2))
    stage.put_up(a=[1, 2], b=[1])
    assert stage.seen() == [("a", 3)]
    stage.showing.update(stage.layers.settle("/w/a", None), settled=True)
    assert stage.seen() == [("a", 0), ("b", 1)]


def test_an_unopened_file_is_spelled_by_the_address_given():
    stage = Stage(Policy("push"))
    stage.showing.address = lambda path: f"other:{Path(path).name}"
    stage.put_up(a=[1])
    assert stage.pushed[0]["uri"] == "other:a"
