"""The events of `go test -json`, gathered by package and test."""

import json
from collections.abc import Iterator
from typing import Any

import attrs

from verify_lsp.model.testrun import CaseOutcome

_OUTCOMES: dict[str, CaseOutcome] = {"pass": "passed", "fail": "failed", "skip": "skipped"}


@attrs.define
class GoTest:
    """One test or subtest. `outcome` is None while it has not ended."""

    name: str
    outcome: CaseOutcome | None = None
    output: list[str] = attrs.field(factory=list)


@attrs.define
class GoPackage:
    """One package. `outcome` is None while it has not ended; `failed_build` names what did not build."""

    path: str
    outcome: CaseOutcome | None = None
    output: list[str] = attrs.field(factory=list)
    tests: dict[str, GoTest] = attrs.field(factory=dict)
    failed_build: str | None = None

    def says(self, words: str) -> bool:
        """Return whether the package's own result line ends in some words, such as "(cached)"."""
        return any(words in line for line in self.output if line.startswith(("ok  \t", "?   \t", "FAIL\t")))

    def counted_tests(self) -> list[GoTest]:
        """Return the tests that count: no benchmarks, and no parent that only failed because a subtest did."""
        ended = [test for test in self.tests.values() if not test.name.startswith("Benchmark")]
        failed = [test.name for test in ended if test.outcome in {"failed", None}]
        return [
            test
            for test in ended
            if test.outcome in {"passed", "skipped"} or not any(name.startswith(test.name + "/") for name in failed)
        ]

    def ended_badly(self) -> bool:
        """Return whether the package failed, or never said how it ended."""
        return self.outcome in {"failed", None}


@attrs.define
class Events:
    """All that one run told.

    Attributes:
        builds: What the compiler printed, by what it compiled.
    """

    packages: dict[str, GoPackage] = attrs.field(factory=dict)
    builds: dict[str, list[str]] = attrs.field(factory=dict)


def read_events(text: str) -> Events:
    """Return the events in what `go test -json` printed; lines that are none are passed over."""
    events = Events()
    for event in _parsed(text):
        action, output = str(event.get("Action", "")), str(event.get("Output", ""))
        if action == "build-output":
            events.builds.setdefault(str(event.get("ImportPath", "")), []).append(output)
        elif isinstance(path := event.get("Package"), str):
            package = events.packages.setdefault(path, GoPackage(path))
            _take(package, event, action, output)
    return events


def _parsed(text: str) -> Iterator[dict[str, Any]]:
    for line in text.split("\n"):
        if not line.startswith("{"):
            continue
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict):
            yield event


def _take(package: GoPackage, event: dict[str, Any], action: str, output: str) -> None:
    name = event.get("Test")
    target = package.tests.setdefault(name, GoTest(name)) if isinstance(name, str) and name else package
    if action == "output":
        target.output.append(output)
    elif action in _OUTCOMES:
        target.outcome = _OUTCOMES[action]
        if target is package and isinstance(build := event.get("FailedBuild"), str):
            package.failed_build = build
