import json
import os
import stat
import subprocess
import sys
import time
import tracemalloc
from datetime import UTC, datetime, timedelta
from pathlib import Path

import attrs
import pytest
from hypothesis import HealthCheck, given, settings

from tests.harness.model_strategies import values_of
from tests.harness.processes import PROJECT_ROOT
from tests.harness.samples import a_check, a_file_change, a_finding, a_report
from verify_lsp.model.errors import EngineError, NoSuchReportError
from verify_lsp.model.report import Report, SeverityCounts
from verify_lsp.reports.store import KEPT, ReportStore, new_report_id
from verify_lsp.reports.summary import summarize


@pytest.fixture
def store(tmp_path, monkeypatch) -> ReportStore:
    monkeypatch.setenv("VERIFY_LSP_HOME", str(tmp_path / "home"))
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    return ReportStore(workspace)


def at(minute: int, **fields) -> Report:
    created = datetime(2026, 3, 14, 9, 0, tzinfo=UTC) + timedelta(minutes=minute)
    return a_report(**{"id": f"report-{minute:04}", "created_at": f"{created:%Y-%m-%dT%H:%M:%S.000Z}", **fields})


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def ids(store: ReportStore, *arguments) -> list[str]:
    return [summary.id for summary in store.summaries(*arguments)]


def test_a_report_comes_back_as_it_was_saved(store):
    report = a_report(session_id="s1", checks=(a_check(findings=(a_finding(),), metrics={"passed": None, "x": 1.5}),))
    store.save(report)
    assert store.load(report.id) == report


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(values_of(Report))
def test_any_report_comes_back_as_it_was_saved(store, report):
    report = attrs.evolve(report, id="any")
    store.save(report)
    assert store.load("any") == report


def test_the_file_is_one_json_document_with_the_keys_of_the_contract(store):
    report = a_report(files=(a_file_change("a.py"), a_file_change("b.py")))
    store.save(report)
    data = json.loads((store.folder / f"{report.id}.json").read_text(encoding="utf-8"))
    assert list(data)[:5] == ["id", "workspace", "scope", "createdAt", "status"]
    assert data["schemaVersion"] == 1
    assert [file["path"] for file in data["files"]] == ["a.py", "b.py"]


def test_a_name_that_is_no_unicode_is_stored_and_comes_back(store):
    report = a_report(files=(a_file_change("caf\udce9.py"),))
    store.save(report)
    (store.folder / f"{report.id}.json").read_text(encoding="utf-8")
    assert store.load(report.id) == report


def test_reports_lie_where_the_contract_says_for_their_owner_alone(store, tmp_path):
    store.save(at(1))
    (folder,) = (tmp_path / "home/state/verify").iterdir()
    assert folder == store.folder
    assert {path.name for path in folder.iterdir()} == {"report-0001.json", "summaries"}
    assert mode(folder) == mode(folder / "summaries") == mode(tmp_path / "home/state") == 0o700
    assert mode(folder / "report-0001.json") == mode(folder / "summaries/report-0001.json") == 0o600


def test_a_folder_that_others_could_enter_is_shut(store):
    store.folder.mkdir(parents=True)
    store.folder.chmod(0o755)
    store.save(at(1))
    assert mode(store.folder) == 0o700


def test_every_spelling_of_a_workspace_has_the_same_reports_and_another_has_none(store, tmp_path):
    store.save(at(1))
    (tmp_path / "link").symlink_to(store.workspace)
    assert ids(ReportStore(tmp_path / "link")) == ["report-0001"]
    assert ids(ReportStore(tmp_path)) == []


def test_reading_makes_nothing(store, tmp_path):
    assert store.summaries() == []
    assert store.latest() is None
    with pytest.raises(NoSuchReportError):
        store.load("report-0001")
    assert not (tmp_path / "home").exists()


def test_saving_again_replaces_the_report_and_its_summary(store):
    store.save(at(1, status="running"))
    store.save(at(1, status="fail", risk_tier=2))
    (summary,) = store.summaries()
    assert (summary.status, summary.risk_tier) == ("fail", 2)
    assert store.load("report-0001").status == "fail"


def test_summaries_come_newest_first_whatever_the_ids_say(store):
    for report in (at(5, id="a"), at(9, id="c"), at(7, id="b")):
        store.save(report)
    assert ids(store) == ["c", "b", "a"]


def test_times_are_compared_as_times(store):
    times = {
        "1": "2026-03-14T09:00:00Z",
        "2": "2026-03-14T09:00:00.5Z",
        "3": "2026-03-14T10:30:00+01:00",
        "0": "gibberish",
    }
    for name, created in times.items():
        store.save(a_report(id=name, created_at=created))
    assert ids(store) == ["3", "2", "1", "0"]


def test_summaries_can_be_those_of_one_session_and_not_too_many(store):
    for minute in range(6):
        store.save(at(minute, session_id="even" if minute % 2 == 0 else None))
    assert ids(store, "even") == ["report-0004", "report-0002", "report-0000"]
    assert ids(store, "even", 2) == ["report-0004", "report-0002"]
    assert ids(store, None, 1) == ["report-0005"]
    assert ids(store, None, 0) == []
    assert ids(store, "nobody") == []


def test_a_summary_counts_the_findings_by_severity(store):
    findings = (a_finding(severity="high"), a_finding(severity="high"), a_finding(severity="low"))
    store.save(at(1, checks=(a_check(findings=findings),)))
    assert store.summaries()[0].counts == SeverityCounts(high=2, low=1)


def test_the_latest_report_can_be_that_of_a_session(store):
    store.save(at(1, session_id="s"))
    store.save(at(2))
    assert store.latest() == at(2)
    assert store.latest("s") == at(1, session_id="s")
    assert store.latest("other") is None


def test_a_report_is_found_by_the_beginning_of_its_id_where_that_is_unambiguous(store):
    for name in ("abc", "abd", "x"):
        store.save(a_report(id=name))
    assert store.load("abc").id == "abc"
    assert store.load("abd").id == "abd"
    with pytest.raises(NoSuchReportError, match=r"^no such report: ab \(2 reports have ids that begin so\)$"):
        store.load("ab")


def test_an_id_that_begins_another_is_still_itself(store):
    for name in ("ab", "abc"):
        store.save(a_report(id=name))
    assert store.load("ab").id == "ab"


def test_an_unknown_report_is_named(store):
    store.save(at(1))
    with pytest.raises(NoSuchReportError, match=r"^no such report: 20260101$"):
        store.load("20260101")


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../other/report",
        "/etc/passwd",
        "a/b",
        "a\\b",
        "a\0b",
        "a.json",
        "*",
        "summaries/x",
        "-",
        "é",
        "a\n",
        "x" * 101,
    ],
)
def test_no_path_can_be_smuggled_in_an_id(store, name):
    outside = store.folder.parent / "other"
    outside.mkdir(parents=True)
    store.save(at(1))
    (outside / "report.json").write_bytes((store.folder / "report-0001.json").read_bytes())
    with pytest.raises(NoSuchReportError, match=r"^no such report: "):
        store.load(name)
    with pytest.raises(EngineError):
        store.save(a_report(id=name))


def test_an_unknown_id_cannot_write_to_the_terminal(store):
    with pytest.raises(NoSuchReportError) as caught:
        store.load("\x1b[31m" + "x" * 1000)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200


def test_the_newest_fifty_are_kept(store):
    for minute in range(KEPT + 3):
        store.save(at(minute))
    assert ids(store) == [f"report-{minute:04}" for minute in reversed(range(3, KEPT + 3))]
    assert len(list(store.folder.glob("*.json"))) == KEPT
    assert len(list((store.folder / "summaries").iterdir())) == KEPT


def test_the_oldest_goes_by_its_time_and_not_by_when_it_was_saved(store):
    store.save(at(1000))
    for minute in range(KEPT):
        store.save(at(minute))
    assert "report-1000" in ids(store)
    assert "report-0000" not in ids(store)


def test_a_list_reads_no_whole_reports(store, monkeypatch):
    for minute in range(3):
        store.save(at(minute))
    monkeypatch.setattr(ReportStore, "_read", lambda *_: pytest.fail("read a whole report"))
    assert len(store.summaries()) == 3


@pytest.mark.parametrize("damage", ["gone", "empty", "no json", "other json", "not a file", "other shape"])
def test_summaries_that_are_lost_or_damaged_are_made_anew(store, damage):
    store.save(at(1))
    kept = store.folder / "summaries/report-0001.json"
    contents = {
        "empty": "",
        "no json": "{",
        "other json": "[1]",
        "other shape": '{"stamp": [], "by": "", "summary": 3}',
    }
    if damage in contents:
        kept.write_text(contents[damage])
    else:
        kept.unlink()
    if damage == "not a file":
        kept.mkdir()
    assert store.summaries() == [summarize(at(1))]


def test_a_summary_of_an_older_state_is_not_believed(store):
    store.save(at(1, status="running"))
    old = (store.folder / "summaries/report-0001.json").read_bytes()
    store.save(at(1, status="fail"))
    (store.folder / "summaries/report-0001.json").write_bytes(old)
    assert store.summaries()[0].status == "fail"


def test_the_whole_folder_of_summaries_may_go(store):
    store.save(at(1))
    for path in (store.folder / "summaries").iterdir():
        path.unlink()
    (store.folder / "summaries").rmdir()
    assert ids(store) == ["report-0001"]
    store.save(at(2))
    assert ids(store) == ["report-0002", "report-0001"]


@pytest.mark.parametrize("content", [b"", b"{", b'{"id": "x"', b"\xff\xfe\x00", b"[" * 100_000, b"\0" * 100])
def test_a_damaged_report_is_moved_aside_and_said_so_and_the_others_stay(store, content, caplog):
    store.save(at(1))
    store.save(at(2))
    (store.folder / "report-0002.json").write_bytes(content)
    assert ids(store) == ["report-0001"]
    assert "report-0002.json is damaged" in caplog.text
    assert (store.folder / "report-0002.damaged").read_bytes() == content
    assert store.latest() == at(1)
    with pytest.raises(NoSuchReportError):
        store.load("report-0002")


def test_loading_a_damaged_report_says_where_it_went(store):
    store.save(at(1))
    (store.folder / "report-0001.json").write_text("{")
    with pytest.raises(NoSuchReportError, match=r"its file was damaged and has been moved to .*report-0001\.damaged"):
        store.load("report-0001")


@pytest.mark.parametrize("change", [{"schemaVersion": 2}, {"invented": 1}, {"status": "splendid"}])
def test_a_report_of_another_version_is_skipped_and_left_in_place(store, change, caplog):
    store.save(at(1))
    store.save(at(2))
    path = store.folder / "report-0002.json"
    foreign = json.dumps({**json.loads(path.read_text()), **change})
    path.write_text(foreign)
    assert ids(store) == ["report-0001"]
    assert "does not understand" in caplog.text
    assert path.read_text() == foreign
    assert store.latest() == at(1)
    with pytest.raises(NoSuchReportError, match="does not understand"):
        store.load("report-0002")


def test_a_report_that_cannot_be_understood_is_looked_at_only_once(store, caplog):
    store.save(at(1))
    (store.folder / "report-0001.json").write_text('{"schemaVersion": 2}')
    store.summaries()
    caplog.clear()
    assert store.summaries() == []
    assert caplog.text == ""


def test_what_is_no_file_of_ours_is_left_alone(store):
    store.save(at(1))
    (store.folder / "folder.json").mkdir()
    (store.folder / "a note.json").write_text("mine")
    (store.folder / "README").write_text("mine")
    assert ids(store) == ["report-0001"]
    store.save(at(2))
    assert (store.folder / "a note.json").read_text() == "mine"
    assert (store.folder / "README").exists()


def test_what_a_killed_writer_left_goes_in_time(store):
    store.save(at(1))
    old, young = (store.folder / f".report-0009.json.{name}.verify-lsp-tmp" for name in ("old", "young"))
    for path in (old, young):
        path.write_text("half")
    os.utime(old, (time.time() - 7200,) * 2)
    store.save(at(2))
    assert not old.exists()
    assert young.exists()
    assert ids(store) == ["report-0002", "report-0001"]


def test_a_full_disk_is_one_sentence_and_loses_nothing(store, monkeypatch):
    store.save(at(1))
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, os.strerror(28))))
    with pytest.raises(EngineError, match=r"^cannot write .*report-0002\.json: no space left on device$"):
        store.save(at(2))
    with pytest.raises(EngineError):
        store.save(at(1, status="fail"))
    assert store.load("report-0001") == at(1)
    assert {path.name for path in store.folder.iterdir()} == {"report-0001.json", "summaries"}


def test_a_write_cut_short_by_the_system_leaves_no_half_file(store):
    code = f"""
import resource, sys
from pathlib import Path
from tests.harness.samples import a_file_change, a_report
from verify_lsp.model.errors import EngineError
from verify_lsp.reports.store import ReportStore
store = ReportStore(Path({str(store.workspace)!r}))
store.save(a_report(id="small"))
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
try:
    store.save(a_report(id="large", files=(a_file_change(after="x" * 100_000 + "\\n"),)))
except EngineError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PROJECT_ROOT)
    assert done.stdout.startswith("cannot write ")
    assert done.stdout.rstrip().endswith("file too large")
    assert ids(store) == ["small"]
    assert {path.name for path in store.folder.iterdir()} == {"small.json", "summaries"}


def test_a_home_that_cannot_be_written_is_one_sentence(store, tmp_path):
    (tmp_path / "home").write_text("in the way")
    with pytest.raises(EngineError, match=r"^cannot make the folder .*/home: file exists$"):
        store.save(at(1))


def test_several_processes_may_save_at_once(store):
    code = f"""
import sys
from pathlib import Path
from tests.harness.samples import a_report
from verify_lsp.reports.store import ReportStore, new_report_id
store = ReportStore(Path({str(store.workspace)!r}))
for number in range(20):
    store.save(a_report(id=new_report_id(), session_id=sys.argv[1]))
    if number % 5 == 0:
        assert store.latest() is not None
"""
    writers = [subprocess.Popen([sys.executable, "-c", code, str(number)], cwd=PROJECT_ROOT) for number in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    store.save(at(1_000_000))
    assert len(ids(store)) == KEPT
    for name in ids(store):
        store.load(name)


def test_a_report_of_five_thousand_files_costs_no_second_copy_of_them(store):
    text = ("x" * 1000 + "\n") * 2
    files = tuple(a_file_change(f"src/{number}.py", None, text + str(number) + "\n") for number in range(20))
    files = tuple(attrs.evolve(files[number % 20], path=f"src/{number}.py") for number in range(5000))
    report = a_report(files=files)
    tracemalloc.start()
    try:
        store.save(report)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    size = (store.folder / f"{report.id}.json").stat().st_size
    assert size > 20_000_000
    assert peak < size / 10
    assert len(store.load(report.id).files) == 5000


def test_ids_are_unique_over_processes_and_sort_by_time():
    code = "from verify_lsp.reports.store import new_report_id\nfor _ in range(1000): print(new_report_id())"
    outputs = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=PROJECT_ROOT)
        for _ in range(2)
    ]
    made = [process.communicate()[0].split() for process in outputs]
    assert len({*made[0], *made[1]}) == 2000
    earlier = new_report_id()
    time.sleep(0.001)
    assert earlier < new_report_id()


def test_an_id_of_ours_can_be_stored(store):
    report = a_report(id=new_report_id())
    store.save(report)
    assert ids(store) == [report.id]


def test_a_report_never_stands_without_its_summary(tmp_path, monkeypatch):
    store = ReportStore(tmp_path)
    taken = []
    replace = Path.replace

    def noted(file, target):
        taken.append(Path(target).relative_to(store.folder).as_posix())
        return replace(file, target)

    monkeypatch.setattr(Path, "replace", noted)
    store.save(a_report(id="r1"))

    assert taken == ["summaries/r1.json", "r1.json"]
