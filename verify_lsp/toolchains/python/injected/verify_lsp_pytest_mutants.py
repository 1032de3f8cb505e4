# ruff: noqa: PTH118, PTH120
# The functions of os.path are the least that a test can have replaced under our feet.
"""The part of our pytest plugin that tries mutants, after pytest has come to its own end.

Everything here must work with Python 3.8 and pytest 6.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Generator
from typing import Any

import pytest
from verify_lsp_crew import Crew  # type: ignore[import-not-found]  # it stands beside this file at run time
from verify_lsp_forks import Runner, let_go  # type: ignore[import-not-found]  # likewise
from verify_lsp_origins import OWN, Trouble, origin_of  # type: ignore[import-not-found]  # likewise
from verify_lsp_pytest_host import SessionHost, drop_reports, own_streams, tear_down  # type: ignore[import-not-found]  # likewise
from verify_lsp_reach import Reach  # type: ignore[import-not-found]  # likewise
from verify_lsp_trial import Trial  # type: ignore[import-not-found]  # likewise

STARTED = time.monotonic()
ENDS = ("pytest_sessionfinish", "pytest_terminal_summary", "pytest_unconfigure")


class Mutation:
    """Watches a session in which no mutant is on, and has the mutants tried when it is over."""

    def __init__(self, config: Any, host: SessionHost, trouble: Trouble) -> None:
        self._order = host.files.order
        self._host = host
        self._config = config
        self._trouble = trouble
        self._runner = SessionRunner(config)
        self._reach = Reach(host.files, self._runner.file)
        self._crew: Crew | None = None
        self._trial: Trial | None = None
        self._is_decided = False
        self._why: str | None = "no test ran"
        self._shared: dict[int, set[int]] = {}
        self._numbers: dict[int, int] = {}

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> Generator[None, Any, None]:
        """Fork the template off when all tests are there and none has run."""
        with self._trouble:
            self._why = self._cannot(session)
            if self._why is None:
                self._runner.items = list(session.items)
                self._numbers = {id(item): number for number, item in enumerate(session.items)}
                self._reach.loaded()
                self._host.note_found(session.items)
                limit = STARTED + self._order["limit_s"]
                self._crew = Crew.formed(self._host.places, self._runner, self._reach.files.switches, limit)
                self._trial = self._new_trial()
                self._trial.begin()
        outcome = yield
        with self._trouble:
            if self._trial is not None and self._trouble.first is None and self._is_measure(outcome):
                self._is_decided = self._has_own_end()
                if self._is_decided:
                    self._trial.decide()
                else:
                    self._trial.go_on()

    def _has_own_end(self) -> bool:
        """Whether hooks of the project's own end the session: they may take away what the tests need."""
        root = os.path.join(os.path.realpath(str(getattr(self._config, "rootpath", None) or self._config.rootdir)), "")
        hooks = (getattr(self._config.hook, name).get_hookimpls() for name in ENDS)
        return any(_file_of(each.plugin).startswith(root) for impls in hooks for each in impls)

    def _is_measure(self, outcome: Any) -> bool:
        """Whether the tests have run to their end, as far as known."""
        return outcome.excinfo is None and not self._runner.failed

    def _new_trial(self) -> Trial:
        tests = (self._runner.name, self._runner.file)
        return Trial(self._order, self._reach, self._crew, tests, self._host.loading)

    def leave(self) -> None:
        """This is a fork of the session: what runs in it shows nothing of the session itself."""
        self._trial = None

    def _cannot(self, session: Any) -> str | None:
        if self._config.pluginmanager.hasplugin("dsession"):
            return "the tests ran in several processes"
        if session.testsfailed or self._config.getoption("collectonly", False):
            return "no test ran"
        return None if session.items else "no test ran"

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: Any) -> Generator[None, Any, None]:
        """Note what a test reaches."""
        number = self._numbers.get(id(item))
        if number is None:
            yield
            return
        with self._trouble:
            self._used: dict[int, Any] = {}
            self._reach.begin()
        yield
        with self._trouble:
            lasting = (self._shared.get(id(fixture), set()) for fixture in self._used.values())
            reached = self._reach.end(number, set().union(*lasting))
            if self._trial is not None and not self._runner.failed:
                self._trial.look(number, reached)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self, item: Any) -> None:
        """See which fixtures the test used, before they are forgotten."""
        with self._trouble:
            named = getattr(item, "_fixtureinfo", None)
            for definitions in getattr(named, "name2fixturedefs", {}).values():
                self._used.update((id(definition), definition) for definition in definitions)
            request = getattr(item, "_request", None)
            for definition in (getattr(request, "_fixture_defs", None) or {}).values():
                self._used[id(definition)] = definition

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, None]:
        """What a fixture reaches that lives longer than a test is reached by every test that uses it."""
        if getattr(fixturedef, "scope", "function") == "function" or not self._numbers:
            yield
            return
        began = time.monotonic()
        self._reach.begin_shared()
        yield
        with self._trouble:
            self._shared.setdefault(id(fixturedef), set()).update(self._reach.end_shared(began))

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Try the mutants, when the report of the tests has been written. No test runs in this process any more."""
        with self._trouble:
            trial = self._trial or self._new_trial()
            if self._runner.failed:
                self._why = "the tests fail"
            if self._why is None and self._trouble.first is not None:
                self._why = f"what watched the tests for mutants went wrong ({self._trouble.first})"
            if self._why is not None:
                trial.stop(self._why)
            elif not self._is_decided:
                trial.decide()
        with self._trouble:
            self._host.places.close()

    def pytest_runtest_logreport(self, report: Any) -> None:
        """A session with a failed test is no measure for mutants."""
        self._runner.failed = self._runner.failed or bool(report.failed)


def _file_of(plugin: Any) -> str:
    """Return the real path of what a plugin is written in, or "" where it is installed or ours."""
    file = origin_of(plugin) or origin_of(sys.modules.get(type(plugin).__module__))
    return "" if "site-packages" in file or os.path.dirname(file) == OWN else file


class SessionRunner(Runner):  # type: ignore[misc]  # its base is only known at run time
    """Runs items of the session in a forked process, by the same hooks as the session itself."""

    def __init__(self, config: Any) -> None:
        self._config = config
        self.items: list[Any] = []
        self.failed = False

    def name(self, number: int) -> str:
        """Return a test's id as pytest prints it."""
        return str(self.items[number].nodeid)

    def file(self, number: int) -> str:
        """Return the file that a test stands in."""
        return str(getattr(self.items[number], "path", None) or getattr(self.items[number], "fspath", ""))

    def prepare(self) -> None:
        """Leave the session's output and our own reports to the process that they belong to."""
        let_go(own_streams(self._config))
        drop_reports(self._config)
        self._config.pluginmanager.register(self, "verify-lsp-runner")

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note a failure of any phase, as the session's own exit code would tell it."""
        self.failed = self.failed or bool(report.failed)

    def run(self, tests: list[int], told: Callable[[int, bool], None]) -> None:
        """Run items one after another."""
        items = [self.items[number] for number in tests]
        for index, item in enumerate(items):
            following = items[index + 1] if index + 1 < len(items) else None
            self.failed = False
            try:
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            except BaseException:  # noqa: BLE001  # it would end the session, and with it every test after this one
                self.failed = True
            if self.failed and following is not None:
                tear_down(item.session)
            told(tests[index], not self.failed)
            if self.failed:
                return
