"""One run at a time a workspace; every way to cancel ends what the run started."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from tests.harness.python_shop import SOURCE, shop
from verify_lsp.model.errors import EngineError, NoSuchReportError
from verify_lsp.model.event import CheckChanged, ReportDone, ReportFailed, ReportStarted
from verify_lsp.model.scope import VerifyScope
from verify_lsp.reports.store import ReportStore
from verify_lsp.runs import Runs
from verify_lsp.settings.settings import Settings
from verify_lsp.verify import RunRequest

pytestmark = pytest.mark.anyio


@pytest.fixture
def repository(tmp_path):
    made = shop(tmp_path / "shop")
    made.write("shop.py", SOURCE + "\n\nFREE = 0\n")
    return made


class Gate:
    """A test command that says that it runs, and goes on when it is told to."""

    def __init__(self, folder: Path, name: str) -> None:
        self.began, self.go = folder / f"{name}-began", folder / f"{name}-go"
        os.mkfifo(self.began)
        os.mkfifo(self.go)
        self.command = f"echo $$ > {self.began}; cat {self.go}"

    async def entered(self) -> int:
        """Wait until the command runs; return its process id."""
        return int(await asyncio.to_thread(self.began.read_text))

    async def open(self) -> None:
        await asyncio.to_thread(self.go.write_text, "go")


def request(repository, command, *, session=None):
    return RunRequest(
        workspace=repository.path,
        scope=VerifyScope("working-tree"),
        settings=Settings(test_command=command),
        trusted=True,
        checks=("tests",),
        session_id=session,
    )


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_events_come_in_order_and_the_report_is_kept(repository):
    runs, events = Runs(), []

    report_id = runs.start(request(repository, "true"), events.append)
    report = await runs.wait(report_id)

    kinds = [type(event) for event in events]
    assert kinds[0] is ReportStarted
    assert kinds[-1] is ReportDone
    assert [event.check.status for event in events if isinstance(event, CheckChanged)] == ["running", "pass"]
    assert ReportStore(repository.path).load(report_id) == report
    assert runs.active() == ()


async def test_a_second_run_waits_for_the_first(repository, tmp_path):
    runs, first, second = Runs(), Gate(tmp_path, "first"), Gate(tmp_path, "second")
    waiting = asyncio.Event()
    one = runs.start(request(repository, first.command, session="one"), lambda _: None)
    await first.entered()

    def observe(event):
        if isinstance(event, CheckChanged) and "waiting" in event.check.summary:
            waiting.set()

    other = runs.start(request(repository, second.command, session="other"), observe)
    await waiting.wait()
    assert runs.active() == (one, other)

    await first.open()
    assert (await runs.wait(one)).status == "pass"
    await second.entered()
    await second.open()
    assert (await runs.wait(other)).status == "pass"


async def test_the_same_request_takes_the_place_of_the_older_one(repository, tmp_path):
    runs, gate = Runs(), Gate(tmp_path, "gate")
    old = runs.start(request(repository, gate.command), lambda _: None)
    ended = asyncio.ensure_future(runs.wait(old))
    pid = await gate.entered()

    new = runs.start(request(repository, "true"), lambda _: None)

    assert (await ended).status == "cancelled"
    assert (await runs.wait(new)).status == "pass"
    assert not is_alive(pid)


async def test_a_cancelled_run_leaves_no_child_and_keeps_what_is_known(repository, tmp_path):
    runs, gate, events = Runs(), Gate(tmp_path, "gate"), []
    report_id = runs.start(request(repository, gate.command), events.append)
    ended = asyncio.ensure_future(runs.wait(report_id))
    pid = await gate.entered()

    assert runs.cancel(report_id)
    report = await ended

    assert not is_alive(pid)
    assert report.status == "cancelled"
    assert [(check.status, check.reason) for check in report.checks] == [("skipped", "the run was cancelled")]
    assert isinstance(events[-1], ReportDone)
    assert ReportStore(repository.path).load(report_id) == report


async def test_a_run_that_is_cancelled_again_and_again_ends_once(repository, tmp_path):
    runs, gate, events = Runs(), Gate(tmp_path, "gate"), []
    report_id = runs.start(request(repository, gate.command), events.append)
    ended = asyncio.ensure_future(runs.wait(report_id))
    pid = await gate.entered()

    while not ended.done():
        runs.cancel(report_id)
        await asyncio.sleep(0)

    assert (await ended).status == "cancelled"
    assert not is_alive(pid)
    assert [type(event) for event in events].count(ReportDone) == 1


async def test_each_of_many_runs_that_supersede_one_another_is_told_its_end(repository):
    runs, told = Runs(), {}
    ids = []
    for _ in range(5):
        events = []
        ids.append(runs.start(request(repository, "true"), events.append))
        told[ids[-1]] = events
        await asyncio.sleep(0)

    await asyncio.gather(*(runs.wait(report_id) for report_id in runs.active()))

    assert [told[report_id][-1].report.status for report_id in ids] == ["cancelled"] * 4 + ["pass"]


async def test_a_run_that_waits_tells_of_its_report_before_its_checks(repository, tmp_path):
    runs, gate, events = Runs(), Gate(tmp_path, "gate"), []
    runs.start(request(repository, gate.command, session="one"), lambda _: None)
    await gate.entered()

    other = runs.start(request(repository, "true", session="other"), events.append)
    await gate.open()
    await runs.wait(other)

    assert isinstance(events[0], ReportStarted)
    assert any(isinstance(event, CheckChanged) and event.check.status == "pending" for event in events)


async def test_closing_ends_all_runs(repository, tmp_path):
    runs, gate = Runs(), Gate(tmp_path, "gate")
    runs.start(request(repository, gate.command, session="one"), lambda _: None)
    runs.start(request(repository, "true", session="other"), lambda _: None)
    pid = await gate.entered()

    await runs.close()

    assert runs.active() == ()
    assert not is_alive(pid)


async def test_a_run_in_another_process_is_waited_for(repository, tmp_path):
    gate = Gate(tmp_path, "gate")
    repository.write(".git/info/exclude", "verify.toml\n")
    repository.write("verify.toml", f"testCommand = {json.dumps(gate.command)}\n")
    command = [sys.executable, "-m", "verify_lsp", "run", "--checks", "tests", "--format", "json"]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    other = await asyncio.create_subprocess_exec(
        *command, cwd=repository.path, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    await gate.entered()
    runs, waiting = Runs(), asyncio.Event()

    def observe(event):
        if isinstance(event, CheckChanged) and "waiting" in event.check.summary:
            waiting.set()

    mine = asyncio.ensure_future(runs.wait(runs.start(request(repository, "true"), observe)))
    await waiting.wait()
    await gate.open()

    out, _ = await other.communicate()
    assert json.loads(out)["status"] == "pass"
    assert (await mine).status == "pass"


async def test_a_scope_that_cannot_be_resolved_is_told_and_kept(tmp_path):
    runs, events = Runs(), []
    folder = tmp_path / "nowhere"
    folder.mkdir()
    asked = RunRequest(folder, VerifyScope("working-tree"), Settings(), trusted=True)

    report_id = runs.start(asked, events.append)
    with pytest.raises(EngineError, match="not in a git repository"):
        await runs.wait(report_id)

    assert isinstance(events[-1], ReportFailed)
    assert ReportStore(folder).load(report_id).status == "error"


async def test_a_run_that_is_not_there_cannot_be_cancelled_or_awaited():
    runs = Runs()

    assert not runs.cancel("20200101")
    with pytest.raises(NoSuchReportError):
        await runs.wait("20200101")


async def test_another_message_about_the_same_change_is_another_run(repository):
    runs = Runs()
    asked = [
        attrs.evolve(request(repository, "true"), message=text) for text in ("All tests pass.", "The build passes.")
    ]

    waits = [asyncio.ensure_future(runs.wait(runs.start(each, lambda _: None))) for each in asked]

    assert [(await wait).status for wait in waits] == ["pass", "pass"]
