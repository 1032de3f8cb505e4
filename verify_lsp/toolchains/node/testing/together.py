"""Many mutants in one process: a runner that stays warm, told which one is on next."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.model.command import RESULTS, Command, CommandResult
from verify_lsp.model.testrun import TestCase, TestRun
from verify_lsp.toolchains.base import Try
from verify_lsp.toolchains.node.testing.reports import case_id
from verify_lsp.toolchains.output import head, relative_path

DRIVERS = {"vitest": "vitest_mutants.mjs", "jest": "jest_mutants.cjs"}
"""Runner to the program that tries many mutants with it."""

_TRIED = "tried.ndjson"
_MESSAGE_LIMIT = 600


@attrs.frozen
class Driver:
    """A program of ours that tries many mutants with a runner of the project.

    Attributes:
        program: Name of the file beside this one.
        manifest: Absolute path of the runner's `package.json`.
        words: The runner's own options and arguments.
    """

    program: str
    manifest: Path
    words: tuple[str, ...]


def together(driver: Driver, suite: Command, tries: tuple[Try, ...], owner: Path, folder: Path) -> Command:
    """Return the command that tries these.

    Args:
        suite: The command of the whole suite, with the variables of runs with mutants.
        owner: Absolute folder that names of test files are relative to.
        folder: Absolute private folder that holds the driver.
    """
    order = {
        "words": driver.words,
        "manifest": str(driver.manifest),
        "tries": [(number, [str(owner / test) for test in tests]) for number, tests in tries],
    }
    argv = ("node", str(folder / driver.program), f"{RESULTS}/order.json", f"{RESULTS}/{_TRIED}")
    return attrs.evolve(suite, argv=argv, support={"order.json": json.dumps(order)})


def read_together(result: CommandResult, owner: Path) -> dict[Try, TestRun | None]:
    """Return how the tests ended for each that was tried, also after the driver itself was ended; None: not in time."""
    found: dict[Try, TestRun | None] = {}
    for line in result.files.get(_TRIED, "").splitlines():
        told = _object(line)
        number, files = told.get("number"), told.get("files")
        if not isinstance(number, int) or not isinstance(files, list):
            continue
        key = (number, tuple(relative_path(str(file), owner) or str(file) for file in files))
        # Several runs may stand for one without a mutant: they hold only together.
        if (before := found.get(key)) is None or before.verdict == "passed":
            found[key] = None if told.get("timedOut") else _run(told, owner)
    return found


def _object(line: str) -> Mapping[str, Any]:
    try:
        told: Any = json.loads(line)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _run(told: Mapping[str, Any], owner: Path) -> TestRun:
    failures = tuple(_case(one, owner) for one in told.get("failures") or () if isinstance(one, dict))
    passed = told.get("passed")
    count = passed if isinstance(passed, int) else 0
    if failures:
        return TestRun("failed", passed=count, failed=len(failures), cases=failures)
    if errors := [str(error) for error in told.get("errors") or ()]:
        return TestRun("unusable", reason=f"no test failed, but the run did: {head(errors[0], 200)}")
    if not count:
        return TestRun("none-ran", reason="no test ran")
    return TestRun("passed", passed=count, failed=0)


def _case(one: Mapping[str, Any], owner: Path) -> TestCase:
    path = relative_path(str(one.get("path", "")), owner)
    titles = [str(title) for title in one.get("titles") or ()]
    message = head(str(one.get("message") or ""), _MESSAGE_LIMIT)
    return TestCase(case_id(*([path] if path else []), *titles), "failed", path, message=message)
