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
    """One package.

    Attributes:
        outcome: None while it has not ended.
        tests: In the order in which they began; with `-count=2` each stands here twice.
        failed_build: What did not build.
    """

    path: str
    outcome: CaseOutcome | None = None
    output: list[str] = attrs.field(factory=list)
    tests: list[GoTest] = attrs.field(factory=list)
    failed_build: str | None = None
    _latest: dict[str, GoTest] = attrs.field(factory=dict)

    def test(self, name: str, *, begins: bool = False) -> GoTest:
        """Return a test by its name, a new one when it was not seen before or begins again."""
        known = self._latest.get(name)
        if known is None or (begins and known.outcome is not None):
            known = self._latest[name] = GoTest(name)
            self.tests.append(known)
        return known

    def says(self, words: str) -> bool:
        """Return whether the package's own result line ends in some words, such as "(cached)"."""
        return any(words in line for line in self.output if line.startswith(("ok  \t", "?   \t", "FAIL\t")))

    def counted_tests(self) -> list[GoTest]:
        """Return the tests that count.

        Benchmarks do not, nor does a parent that only failed because a subtest did.
        """
        tests = [test for test in self.tests if not test.name.startswith("Benchmark")]
        if self._provokes_failures():
            return [test for test in tests if test.outcome != "failed"]
        above = {parent for test in tests if test.outcome in {"failed", None} for parent in _parents(test.name)}
        return [test for test in tests if test.outcome in {"passed", "skipped"} or test.name not in above]

    def failed_within(self) -> int:
        """Return how many tests were run by a test, to see them fail."""
        return sum(test.outcome == "failed" for test in self.tests) if self._provokes_failures() else 0

    def _provokes_failures(self) -> bool:
        """In a package that passes nothing failed, except where its main function swallows the failure.

        Then the package has said FAIL before it ended with success.
        """
        return self.outcome == "passed" and not any(line.rstrip() == "FAIL" for line in self.output)

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
    is_test = isinstance(name, str) and name != ""
    target = package.test(str(name), begins=action == "run") if is_test else package
    if action == "output":
        target.output.append(output)
    elif action in _OUTCOMES:
        target.outcome = _OUTCOMES[action]
        if target is package and isinstance(build := event.get("FailedBuild"), str):
            package.failed_build = build


def _parents(name: str) -> Iterator[str]:
    while "/" in name:
        name = name.rpartition("/")[0]
        yield name
