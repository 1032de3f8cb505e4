# ruff: noqa: PTH109, PTH113, PTH118, PTH119, PTH123
# The functions of os.path are the least that a test can have replaced under our feet.
"""A pytest plugin that writes down what pytest saw. It prints nothing and changes no outcome.

Everything here must work with Python 3.8 and pytest 6, in xdist's workers, and beside any other plugin.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Generator
from typing import Any, TextIO

import pytest
from verify_lsp_origins import FOLDER, Running, Trouble, foreign_modules, read_request  # type: ignore[import-not-found]  # it stands beside this file at run time
from verify_lsp_session import missed_coverage, printed_counts, session_facts  # type: ignore[import-not-found]  # likewise

MAX_FAILURES = 500
MAX_TEXT = 4000
PYTEST_MAJOR = int(re.match(r"\d+", pytest.__version__)[0])  # type: ignore[index]  # versions start with a number


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: Any) -> Generator[None, Any, None]:
    """Be ready for mutants before anything of the project is loaded."""
    with Trouble():
        is_apart = os.environ.get("VERIFY_LSP_MUTANT") or os.environ.get("PYTEST_XDIST_WORKER")
        if not is_apart and read_request().get("mutation"):
            from verify_lsp_pytest_host import expect  # type: ignore[import-not-found]  # only beside a run with mutants

            expect(early_config)
    yield


def pytest_configure(config: Any) -> None:
    """Start writing, if somebody asked for a report."""
    trouble = Trouble()
    with trouble:
        request = read_request()
        place = os.path.realpath(os.getcwd())
        manager = config.pluginmanager
        host = manager.getplugin("verify-lsp-host")
        if request["selection"] is not None:
            manager.register(Selection(config, request["selection"], trouble), "verify-lsp-selection")
        worker = getattr(config, "workerinput", {}).get("workerid")
        if worker is not None:
            manager.register(WorkerReporter(request, place, str(worker)), "verify-lsp-reporter")
        elif host is None or not host.is_entered:
            manager.register(Reporter(config, request, place, trouble), "verify-lsp-reporter")
            with Trouble():
                if host is not None:
                    _watch_mutants(config, host)


def _watch_mutants(config: Any, host: Any) -> None:
    """Registered after the reporter, it comes to its own end after the report is written; its troubles are its own."""
    from verify_lsp_pytest_mutants import Mutation  # type: ignore[import-not-found]  # only beside a run with mutants

    config.pluginmanager.register(Mutation(config, host, Trouble()), "verify-lsp-mutation")


class Selection:
    """Keeps only the tests that were asked for by id."""

    def __init__(self, config: Any, ids: list[str], trouble: Trouble) -> None:
        self._config = config
        self._trouble = trouble
        # xdist's `loadgroup` appends "@group" to the ids that it reports.
        self._ids = set(ids) | {test_id.rpartition("@")[0] for test_id in ids if "@" in test_id}
        root = str(config.rootpath if hasattr(config, "rootpath") else config.rootdir)
        self._files = {os.path.normpath(os.path.join(root, test_id.split("::")[0])) for test_id in ids}

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Take the others out, as pytest's own `-k` does."""
        with self._trouble:
            others = [item for item in items if item.nodeid not in self._ids]
            if others:
                items[:] = [item for item in items if item.nodeid in self._ids]
                self._config.hook.pytest_deselected(items=others)

    def _is_needless(self, path: Any) -> bool | None:
        """Files without a wanted test need not be imported; folders, packages and conftest files stay."""
        name = os.path.basename(str(path))
        if name in {"__init__.py", "conftest.py"} or not os.path.isfile(str(path)):
            return None
        return None if os.path.normpath(str(path)) in self._files else True

    if PYTEST_MAJOR >= 7:

        def pytest_ignore_collect(self, collection_path: Any) -> bool | None:
            """Answer pytest 7 and newer."""
            return self._is_needless(collection_path)

    else:

        def pytest_ignore_collect(self, path: Any) -> bool | None:  # type: ignore[misc]  # the older signature
            """Answer pytest 6."""
            return self._is_needless(path)


class Reporter:
    """Writes one line a test while the tests run, and a summary when they have ended."""

    def __init__(self, config: Any, request: Any, place: str, trouble: Trouble) -> None:
        self._trouble = trouble
        self._request = request
        self._place = place
        self._tests = self._open("pytest-tests.jsonl")
        self._running = Running("pytest-running.txt")
        self._cases: dict[str, dict[str, Any]] = {}
        self._categories: dict[int, str] = {}
        self._counts: dict[str, int] = {}
        self._failures: list[dict[str, Any]] = []
        self._collect_errors: list[dict[str, Any]] = []
        self._finished = 0
        self._summary = session_facts(config)
        self._summary["selecting"] = request["selection"] is not None

    @staticmethod
    def _open(name: str) -> TextIO:
        return open(os.path.join(FOLDER, name), "w", encoding="utf-8", newline="\n")

    def _count(self, category: str, report: Any) -> None:
        if category and getattr(report, "count_towards_summary", True):
            self._counts[category] = self._counts.get(category, 0) + 1

    def pytest_deselected(self, items: Any) -> None:
        """Count what the project's options leave out."""
        self._counts["deselected"] = self._counts.get("deselected", 0) + len(items)

    def pytest_collectreport(self, report: Any) -> None:
        """Note a file that could not be collected, and a module that skips itself."""
        with self._trouble:
            if report.failed:
                self._count("error", report)
                if len(self._collect_errors) < MAX_FAILURES:
                    text = str(report.longrepr)[-MAX_TEXT:]
                    self._collect_errors.append({"id": report.nodeid, "text": text})
            elif report.skipped:
                self._count("skipped", report)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Remember which test runs, in case the process does not survive it."""
        with self._trouble:
            self._running.tell(nodeid)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_report_teststatus(self, report: Any) -> Generator[None, Any, None]:
        """Listen to the category that pytest and its plugins give to a report; their summary counts these."""
        outcome = yield
        with self._trouble:
            status = outcome.get_result()
            if status is not None:
                self._categories[id(report)] = status[0]

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_logreport(self, report: Any) -> Generator[None, Any, None]:
        """Merge setup, call and teardown into one outcome, after everybody else has seen the report."""
        yield
        with self._trouble:
            category = self._categories.pop(id(report), None)
            if category is None:
                category = _usual_category(report)
            self._count(category, report)
            case = self._cases.setdefault(report.nodeid, {"id": report.nodeid, "outcome": "", "seconds": 0.0})
            case["seconds"] = round(case["seconds"] + float(getattr(report, "duration", 0) or 0), 6)
            _merge(case, category, report)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Write the test down, unless a plugin will run it once more."""
        with self._trouble:
            if not self._cases.get(nodeid, {}).get("again"):
                self._write_case(nodeid)
            self._running.tell("")

    def _write_case(self, nodeid: str) -> None:
        case = self._cases.pop(nodeid, None)
        if case is None:
            return
        case.pop("again", None)
        self._finished += 1
        if case["outcome"] == "failed" and len(self._failures) < MAX_FAILURES:
            self._failures.append(case)
        self._tests.write(json.dumps(case) + "\n")
        self._tests.flush()

    def pytest_internalerror(self, excrepr: Any) -> None:
        """Keep the end of pytest's own crash."""
        with self._trouble:
            self._summary["internal_error"] = str(excrepr)[-MAX_TEXT:]

    def pytest_keyboard_interrupt(self, excinfo: Any) -> None:
        """Keep what interrupted the session: a signal, `pytest.exit`, or errors while collecting."""
        with self._trouble:
            self._summary["interrupted"] = f"{excinfo.typename}: {excinfo.value}"[:MAX_TEXT]

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: Any) -> Generator[None, Any, None]:
        """Take the figures of the session when every plugin has had its say."""
        yield
        with self._trouble:
            self._summary["collected"] = getattr(session, "testscollected", None)
            self._summary["exit_status"] = int(session.exitstatus)
            self._summary["stopped"] = str(session.shouldfail or session.shouldstop or "")[:300] or None

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self, config: Any) -> None:
        """Write the summary, the sign that pytest came to its end."""
        with self._trouble:
            for nodeid in list(self._cases):
                self._write_case(nodeid)
            self._tests.close()
            self._running.close()
            self._summary["foreign"] = foreign_modules(self._request, self._place)
        with self._trouble:
            self._counts = printed_counts(config) or self._counts
        with self._trouble:
            self._summary["coverage"] = missed_coverage(config)
        self._summary.update(
            counts=self._counts,
            finished=self._finished,
            failures=self._failures,
            collect_errors=self._collect_errors,
            trouble=self._trouble.first,
        )
        with self._trouble, self._open("pytest-summary.json") as file:
            json.dump(self._summary, file)


class WorkerReporter:
    """In one of xdist's workers, which imports the project's modules: tells where they came from."""

    def __init__(self, request: Any, place: str, worker: str) -> None:
        self._request = request
        self._place = place
        self._name = f"pytest-worker-{worker}.json"

    def pytest_sessionfinish(self) -> None:
        """Write before the worker is told to go."""
        with Trouble(), open(os.path.join(FOLDER, self._name), "w", encoding="utf-8") as file:
            json.dump({"foreign": foreign_modules(self._request, self._place)}, file)


def _usual_category(report: Any) -> str:
    """The category pytest gives where its terminal is off, and nobody asks for it."""
    if type(report).__name__.lower() == "subtestreport" and not report.failed:
        return f"subtests {report.outcome}"
    if hasattr(report, "wasxfail"):
        return "xfailed" if report.skipped else "xpassed" if report.passed else "failed"
    if report.when in ("setup", "teardown"):
        return "error" if report.failed else "skipped" if report.skipped else ""
    return str(report.outcome)


def _merge(case: dict[str, Any], category: str, report: Any) -> None:
    if category == "rerun":
        for name in ("message", "crash", "trace", "phase"):
            case.pop(name, None)
        case.update(outcome="", again=True, reruns=case.get("reruns", 0) + 1)
    elif report.failed and category not in ("xfailed", "xpassed"):
        case.update(outcome="failed", again=False)
        case.setdefault("phase", report.when)
        if "message" not in case:
            case.update(_failure(report))
    elif case["outcome"] != "failed" and category and not category.startswith("subtests"):
        known = category in ("passed", "skipped", "xfailed", "xpassed")
        case.update(outcome=category if known else str(report.outcome), again=False)
    if "path" not in case and getattr(report, "location", None):
        case["path"], case["line"] = report.location[0], (report.location[1] or 0) + 1


def _failure(report: Any) -> dict[str, Any]:
    """The message of a failure, and the lines of code on the way to it."""
    longrepr = report.longrepr
    crash = getattr(longrepr, "reprcrash", None)
    entries = getattr(getattr(longrepr, "reprtraceback", None), "reprentries", None) or []
    places = [getattr(entry, "reprfileloc", None) for entry in entries]
    message = str(crash.message) if crash is not None else str(longrepr)[-MAX_TEXT:]
    return {
        "message": message[:MAX_TEXT],
        "crash": [str(crash.path), int(crash.lineno)] if crash is not None else None,
        "trace": [[str(place.path), int(place.lineno)] for place in places if place is not None][:50],
    }
