"""The part of our pytest plugin that lets a session be forked before it loads what mutants are in.

Everything here must work with Python 3.8 and pytest 6.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import pytest
from verify_lsp_forks import Visit, let_go  # type: ignore[import-not-found]  # it stands beside this file at run time
from verify_lsp_loading import Host  # type: ignore[import-not-found]  # likewise
from verify_lsp_mutants import Files  # type: ignore[import-not-found]  # likewise
from verify_lsp_origins import Trouble  # type: ignore[import-not-found]  # likewise
from verify_lsp_reach import distance  # type: ignore[import-not-found]  # likewise

NAME = "verify-lsp-host"
ORDERED = ("dependency", "order")
"""Marks that plugins look at."""


class SessionHost(Host):  # type: ignore[misc]  # its base is only known at run time
    """A plugin that does nothing in the session itself, and in a fork of it tells how that goes."""

    def __init__(self, config: Any, files: Files) -> None:
        super().__init__(files)
        self._config = config
        self._visit: Any = None
        self._session: Any = None
        self._items: list[Any] = []
        self._late: set[str] = set()

    @property
    def is_entered(self) -> bool:
        """Whether this is a fork, and not the session itself."""
        return self._visit is not None

    def note_found(self, items: list[Any]) -> None:
        """All tests were found."""
        self._items = list(items)

    # Both are asked for when the first failure has been seen, if there is one.
    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {item.nodeid: number for number, item in enumerate(self._items)}

    @cached_property
    def _keeps_order(self) -> bool:
        return keeps_order(self._items)

    def note_arrival(self, path: str) -> bool:
        """Where tests run already, they go on in the order that they have."""
        if self._items:
            self._late.add(path)
        return bool(self._items)

    def place_of(self, test: str, path: str) -> tuple[int, int] | None:
        """Return when a test runs among all."""
        if test not in self._numbers:
            return None
        is_sorted = not self._keeps_order and path not in self._late
        return (distance(test, path) if is_sorted else 0), self._numbers[test]

    def prepare(self) -> None:
        """Leave the session's output to the process that it belongs to."""
        let_go(own_streams(self._config))

    def enter(self, visit: Visit) -> None:
        """Take the session's reports out of this one."""
        self._visit = visit
        drop_reports(self._config)

    def pytest_collectreport(self, report: Any) -> None:
        """A file that cannot be loaded any more has noticed."""
        if self._visit is not None and report.failed:
            self._visit.end("failed", report.nodeid)

    def pytest_sessionstart(self, session: Any) -> None:
        """Know what is to be torn down, in whatever process."""
        self._session = session

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Files whose names tell that they are about the loaded file go first: most likely one of them notices."""
        if self._visit is not None and not keeps_order(items):
            path = self._visit.order["file"]
            items.sort(key=lambda item: distance(item.nodeid, path))

    def pytest_collection_finish(self) -> None:
        """See whether it was for this."""
        if self._visit is not None and self._visit.order["until"] == "":
            self._visit.end("passed", "")

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note a failure of any phase, as the session's own exit code would tell it."""
        if self._visit is not None and report.failed:
            tear_down(self._session)
            self._visit.end("failed", report.nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """See whether it was for this."""
        if self._visit is not None and self._visit.order["until"] == nodeid:
            tear_down(self._session)
            self._visit.end("passed", nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: Any, exitstatus: int) -> None:
        """Say that all passed, before anybody writes a report of it."""
        if self._visit is not None:
            passed = exitstatus == 0 and not session.testsfailed
            self._visit.end("passed" if passed else "died", None)


def tear_down(session: Any) -> None:
    """End the fixtures that are set up: they may have left something in the project's folder, which is the user's."""
    with Trouble():
        state = session._setupstate  # noqa: SLF001  # pytest offers no other way in the middle of a session
        # So it is called up to pytest 6.
        whole = getattr(state, "teardown_all", None)
        if whole is not None:
            whole()
        else:
            state.teardown_exact(None)


def keeps_order(items: list[Any]) -> bool:
    """Say whether tests hang on others that ran before them, as far as marks tell."""
    return any(item.get_closest_marker(name) for item in items for name in ORDERED)


def own_streams(config: Any) -> list[int]:
    """Return the descriptors that a session's output goes to, now and when it is not captured."""
    own = [1, 2]
    capture = getattr(config.pluginmanager.getplugin("capturemanager"), "_global_capturing", None)
    for stream in (getattr(capture, name, None) for name in ("in_", "out", "err")):
        saved = getattr(stream, "targetfd_save", None)
        if isinstance(saved, int):
            own.append(saved)
        with Trouble():
            # Output that is captured in memory has no descriptor.
            own.append(getattr(stream, "tmpfile", None).fileno())  # type: ignore[union-attr]  # then it is in memory
    return own


def drop_reports(config: Any) -> None:
    """Take our own reports out of a forked session, and what is costly in those of others."""
    manager = config.pluginmanager
    reporter, mutation = manager.getplugin("verify-lsp-reporter"), manager.getplugin("verify-lsp-mutation")
    for plugin in (reporter, mutation):
        if plugin is not None:
            manager.unregister(plugin)
    if mutation is not None:
        mutation.leave()
    # Nobody reads how a test failed, and to show it takes longer than most tests.
    config.option.tbstyle = "no"


def expect(config: Any) -> None:
    """Be there when the session loads its first file; conftest files may be the ones that do."""
    import verify_lsp_mutants  # only beside a run with mutants

    files = verify_lsp_mutants.start()
    if files is not None:
        config.pluginmanager.register(SessionHost(config, files), NAME)
