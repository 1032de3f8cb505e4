import json
from pathlib import Path

import attrs
from hypothesis import given

from tests.harness.model_strategies import values_of
from verify_lsp.codec import from_wire, to_wire
from verify_lsp.model.change import FileChange
from verify_lsp.model.event import CheckChanged, ReportDone, ReportFailed, ReportStarted
from verify_lsp.model.finding import Finding
from verify_lsp.model.report import Check, Report
from verify_lsp.model.scope import VerifyScope
from verify_lsp.server.running.messages import Call, packed, unpacked
from verify_lsp.server.running.news import news_of, report_json

FINDING = Finding(id="f", check="lint", severity="high", path="a.py", line=2, rule="r", message="m")


def report(
    workspace: Path, *files: FileChange, status: str = "fail", findings: tuple[Finding, ...] = (FINDING,)
) -> Report:
    return Report(
        id="r1",
        workspace=str(workspace),
        scope=VerifyScope("files", files=()),
        created_at="2026-01-01T00:00:00Z",
        status=status,
        files=files,
        checks=(Check("lint", "fail", "one", findings=findings),),
        session_id="s",
    )


@given(values_of(Report))
def test_a_report_written_piece_by_piece_is_the_same_report(one):
    assert json.loads(report_json(one)) == json.loads(json.dumps(to_wire(one)))


def test_a_lone_surrogate_survives_as_an_escape(tmp_path):
    one = report(tmp_path, FileChange("a.py", "modified", after="\ud800"))
    assert from_wire(json.loads(report_json(one)), Report) == one


def test_the_end_of_a_run_brings_its_findings_laid_against_the_text(tmp_path):
    (tmp_path / "a.py").write_text("one\ntwo\n")
    news = news_of(ReportDone(report(tmp_path, FileChange("a.py", "modified", after="one\ntwo\n"))))
    assert (news.kind, news.status, news.session_id, news.concludes) == ("done", "fail", "s", True)
    (found,) = news.found
    assert (found.path, found.text, found.on_disk.text) == (str(tmp_path / "a.py"), "one\ntwo\n", "one\ntwo\n")
    assert [(placed.finding, placed.span.line) for placed in found.placed] == [(FINDING, 1)]


def test_what_is_on_disk_may_differ_from_what_was_verified(tmp_path):
    (tmp_path / "a.py").write_text("newer\n")
    (found,) = news_of(ReportDone(report(tmp_path, FileChange("a.py", "modified", after="one\ntwo\n")))).found
    assert (found.text, found.on_disk.text) == ("one\ntwo\n", "newer\n")


def test_a_file_outside_of_the_change_counts_as_it_is_on_disk(tmp_path):
    (tmp_path / "a.py").write_bytes(b"one\r\ntwo \xe9\r\n")
    (found,) = news_of(ReportDone(report(tmp_path))).found
    assert found.text == "one\r\ntwo é\r\n"


def test_findings_without_a_text_to_stand_in_are_left_to_the_report(tmp_path):
    nowhere = attrs.evolve(FINDING, path="")
    (tmp_path / "a.py").write_bytes(b"\0binary")
    assert news_of(ReportDone(report(tmp_path, findings=(FINDING, nowhere)))).found == ()


def test_a_run_that_was_called_off_or_not_begun_concludes_nothing(tmp_path):
    file = FileChange("a.py", "modified", after="x")
    assert not news_of(ReportDone(report(tmp_path, file, status="cancelled"))).concludes
    assert not news_of(ReportDone(report(tmp_path, status="error"))).concludes
    assert news_of(ReportDone(report(tmp_path, file, status="error"))).concludes
    assert news_of(ReportDone(report(tmp_path, status="empty"))).concludes


def test_every_event_has_its_news(tmp_path):
    one = report(tmp_path)
    assert news_of(ReportStarted(one)).checks == (("lint", "fail"),)
    assert news_of(CheckChanged("r1", one.checks[0])).checks == (("lint", "fail"),)
    failed = news_of(ReportFailed("r1", 'no "repository"'))
    assert (failed.kind, json.loads(failed.text), failed.status) == ("error", 'no "repository"', "error")


def test_messages_come_back_from_the_pipe(tmp_path):
    for message in (Call(1, "report", (tmp_path, "x")), news_of(ReportDone(report(tmp_path)))):
        assert unpacked(packed(message)) == message
