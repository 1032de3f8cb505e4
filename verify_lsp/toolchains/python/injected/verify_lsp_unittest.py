# ruff: noqa: PTH100, PTH109, PTH118, PTH120, PTH123
# The functions of os.path are the least that a test can have replaced under our feet.
"""Runs unittest (or a script that runs it, such as Django's `manage.py test`) and writes down what happened.

Run with `-m` in the project's root, as `python -m unittest` is. Everything here must work with Python 3.8.
"""

from __future__ import annotations

import inspect
import json
import os
import platform
import runpy
import sys
import traceback
import unittest
from collections.abc import Callable, Iterator
from typing import Any

from verify_lsp_origins import FOLDER, Running, Trouble, foreign_modules, read_request  # type: ignore[import-not-found]  # it stands beside this file at run time

MAX_FAILURES = 500
MAX_TEXT = 4000
EVENTS = (
    "startTest",
    "stopTest",
    "addSuccess",
    "addError",
    "addFailure",
    "addSkip",
    "addExpectedFailure",
    "addUnexpectedSuccess",
    "addSubTest",
)
RANK = {"": 0, "skipped": 1, "expected failure": 1, "passed": 2, "failed": 3}


def main() -> None:
    """Run what the request names; the exit code is that of unittest itself."""
    request = read_request()
    recorder = Recorder(request, os.path.realpath(os.getcwd()))
    recorder.mutation = _mutation(request, recorder)
    recorder.listen()
    try:
        if request["script"]:
            sys.argv = list(request["script"])
            sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
            runpy.run_path(sys.argv[0], run_name="__main__")
        else:
            tests = _tests(request)
            recorder.note_found()
            if recorder.mutation is not None:
                with Trouble():
                    recorder.mutation.start(list(_flat(tests)))
            _Program(tests)
    finally:
        recorder.finish()


def _mutation(request: Any, recorder: Recorder) -> Any:
    """Return what tries mutants when the tests have ended; None where none is to be tried, or one is on already."""
    if not request.get("mutation") or os.environ.get("VERIFY_LSP_MUTANT"):
        return None
    with Trouble():
        import verify_lsp_mutants  # type: ignore[import-not-found]  # only beside a run with mutants
        from verify_lsp_unittest_host import RunHost  # type: ignore[import-not-found]  # likewise
        from verify_lsp_unittest_mutants import Mutation  # type: ignore[import-not-found]  # likewise

        files = verify_lsp_mutants.start()
        if files is not None:
            return Mutation(RunHost(files, recorder.enter))
    return None


class _Program(unittest.TestProgram):
    """unittest's own main program, with tests that we found for it."""

    def __init__(self, tests: unittest.TestSuite) -> None:
        self._found = tests
        super().__init__(module=None, argv=["python -m unittest"])

    def parseArgs(self, argv: list[str]) -> None:  # noqa: ARG002,N802  # unittest's own name
        """Take the tests that we found in place of any arguments."""
        self.test = self._found


def _tests(request: Any) -> unittest.TestSuite:
    suite = unittest.TestSuite()
    for start, pattern in request["start_folders"]:
        # A loader remembers its first top folder, so each start needs its own.
        suite.addTest(unittest.TestLoader().discover(start, pattern))
    if request["selection"] is None:
        return suite
    wanted = set(request["selection"])
    return unittest.TestSuite(test for test in _flat(suite) if test.id() in wanted)


def _flat(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from _flat(test)
        else:
            yield test


class Recorder:
    """Listens to the result object that unittest itself uses; results that tests make for themselves do not count."""

    def __init__(self, request: Any, root: str) -> None:
        self._request = request
        self._root = root
        self._trouble = Trouble()
        self.mutation: Any = None
        self._visit: Any = None
        self._process = os.getpid()
        self._result: Any = None
        self._cases: dict[str, dict[str, Any]] = {}
        self._counts: dict[str, int] = {}
        self._running = Running("unittest-running.txt")

    def listen(self) -> None:
        """Wrap the methods of `unittest.TestResult`, which every result class calls."""
        result_class: Any = unittest.TestResult
        original_start = result_class.startTestRun

        def start_run(result: Any) -> Any:
            if self._result is None and os.getpid() == self._process:
                self._result = result
                if os.environ.get("VERIFY_LSP_MUTANT"):
                    result.failfast = True
            return original_start(result)

        result_class.startTestRun = start_run
        for event in EVENTS:
            setattr(result_class, event, self._wrapped(event, getattr(result_class, event)))

    def _wrapped(self, event: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def method(result: Any, *arguments: Any, **named: Any) -> Any:
            if result is self._result and os.getpid() == self._process:
                with self._trouble:
                    self._note(event, *arguments)
            return original(result, *arguments, **named)

        return method

    def enter(self, visit: Any) -> None:
        """This is a fork of the run now: the first failure ends it."""
        self._visit = visit
        self._process = os.getpid()
        self.mutation = None
        self._running = Running("")

    def note_found(self) -> None:
        """All tests were found, and none has run."""
        if self._visit is not None and self._visit.order["until"] == "":
            self._visit.end("passed", "")

    def _note(self, event: str, test: Any, *details: Any) -> None:
        if self._visit is not None and event == "stopTest" and test.id() == self._visit.order["until"]:
            self._visit.end("passed", test.id())
        if event in ("startTest", "stopTest"):
            self._running.tell(test.id() if event == "startTest" else "")
            if event == "startTest":
                self._case(test)
            if self.mutation is not None:
                (self.mutation.begin if event == "startTest" else self.mutation.end)(test)
        elif event == "addSubTest":
            if details[1] is not None:
                self._settle(test, "failed", details[1])
                self._count("failing subtests")
        elif event in ("addError", "addFailure"):
            self._settle(test, "failed", details[0])
        elif event == "addUnexpectedSuccess":
            self._count("unexpected successes")
            self._settle(test, "failed", None)
        else:
            outcome = {"addSuccess": "passed", "addSkip": "skipped", "addExpectedFailure": "expected failure"}[event]
            self._settle(test, outcome, None)

    def _count(self, name: str) -> None:
        self._counts[name] = self._counts.get(name, 0) + 1

    def _case(self, test: Any) -> dict[str, Any]:
        test = getattr(test, "test_case", test)
        case = self._cases.get(test.id())
        if case is None:
            case = self._cases[test.id()] = {"id": test.id(), "outcome": ""}
            with Trouble():
                code = inspect.unwrap(getattr(test, test._testMethodName)).__code__  # noqa: SLF001
                case["path"], case["line"] = code.co_filename, code.co_firstlineno
        return case

    def _settle(self, test: Any, outcome: str, error: Any) -> None:
        case = self._case(test)
        # A test whose subtest skipped itself goes on, and may still pass or fail.
        if RANK[outcome] <= RANK[case["outcome"]]:
            return
        case["outcome"] = outcome
        if outcome == "failed" and self._visit is not None:
            self._visit.end("failed", case["id"])
        if outcome == "failed":
            case["message"] = "unexpected success"
            with self._trouble:
                if error is not None:
                    case.update(_failure(case, error))

    def finish(self) -> None:
        """Write the summary, the sign that the run came to its end."""
        if os.getpid() != self._process:
            return
        if self._visit is not None:
            passed = self._result is not None and self._result.testsRun and self._result.wasSuccessful()
            self._visit.end("passed" if passed else "died", None)
        self._running.close()
        foreign: list[list[str]] = []
        with self._trouble:
            foreign = foreign_modules(self._request, self._root)
        cases = list(self._cases.values())
        summary = {
            "python": platform.python_version(),
            "selecting": self._request["selection"] is not None,
            "ran": None if self._result is None else self._result.testsRun,
            "stopped": None if self._result is None else bool(self._result.shouldStop),
            "counts": self._counts,
            "cases": cases,
            "foreign": foreign,
            "trouble": self._trouble.first,
        }
        with self._trouble, open(os.path.join(FOLDER, "unittest-summary.json"), "w", encoding="utf-8") as file:
            json.dump(summary, file)
        with Trouble():
            if self.mutation is not None:
                passed = self._result is not None and self._result.wasSuccessful()
                self.mutation.finish(len(cases), failed=not passed)


def _failure(case: dict[str, Any], error: Any) -> dict[str, Any]:
    """The message of a failure, and the line of the test's own file on the way to it."""
    kind, value, trace = error
    message = "".join(traceback.format_exception_only(kind, value))[:MAX_TEXT]
    lines = [line for file, line, _, _ in traceback.extract_tb(trace) if file == case.get("path")]
    return {"message": message, "line": lines[-1] if lines else case.get("line")}


if __name__ == "__main__":
    main()
