"""The output of a test command of the user's own: plain `go test`, its events, or gotestsum."""

import re
from collections.abc import Iterator

import attrs

from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import CaseOutcome, TestCase, TestRun
from verify_lsp.toolchains.go.events import Events, GoPackage, GoTest, read_events
from verify_lsp.toolchains.go.selection import BUILD_FAILED
from verify_lsp.toolchains.output import plain

_OUTCOMES: dict[str, CaseOutcome] = {"PASS": "passed", "FAIL": "failed", "SKIP": "skipped"}
_PACKAGE = re.compile(
    r"(?P<word>ok  |FAIL|\?   )\t(?P<package>\S+)(?:\t(?:\(cached\)|\d+\.\d+s|\[no test files\])| (?P<why>\[\w+ failed\]))"
    r"(?P<more>(?:\t| ).*)?"
)
_TEST = re.compile(r"\s*--- (?P<word>PASS|FAIL|SKIP): (?P<name>\S+) \(\d+(?:\.\d+)?s\)")
_SUM = re.compile(
    r"DONE (?:\d+ runs, )?(?P<total>\d+) tests?(?:, (?P<skipped>\d+) skipped)?(?:, (?P<failed>\d+) failures?)?"
    r"(?:, (?P<errors>\d+) errors?)? in \d+\.\d+s"
)
_SUM_FAILURE = re.compile(r"=== FAIL: (?P<package>\S+) (?P<name>\S*) \((?:\d+\.\d+s|unknown)\)")


def parse_tests(result: CommandResult) -> TestRun | None:
    """Return what a test command's output says about Go tests; None when it is not Go's.

    A run without `-v` names no passing tests: its counts of passed and skipped ones are unknown.
    """
    text = plain(f"{result.stdout}\n{result.stderr}")
    lines = text.split("\n")
    sums = [found for found in map(_SUM.fullmatch, lines) if found]
    if sums:
        return _from_gotestsum(sums[-1], lines, result)
    events = read_events(result.stdout)
    verbose = bool(events.packages) or any(line.startswith("=== RUN   ") for line in lines)
    told = events if events.packages else _told(lines)
    return _from_packages(told, result, counts=verbose) if told.packages else None


def _told(lines: list[str]) -> Events:
    """Gather a text run's tests under the package whose result line follows them."""
    told = Events()
    tests: list[GoTest] = []
    for before, line in zip(["", *lines], lines, strict=False):
        if found := _TEST.fullmatch(line):
            tests.append(GoTest(found["name"], _OUTCOMES[found["word"]]))
        elif found := _PACKAGE.fullmatch(line):
            outcome: CaseOutcome = "failed" if found["word"] == "FAIL" else "passed"
            package = GoPackage(found["package"], outcome, [before, line], tests)
            package.failed_build = found["package"] if found["why"] else None
            told.packages[package.path] = package
            tests = []
    return told


@attrs.frozen
class _Cases:
    cases: tuple[TestCase, ...]
    unbuilt: tuple[str, ...]

    def count(self, outcome: str) -> int:
        return sum(case.outcome == outcome for case in self.cases)


def _from_packages(told: Events, result: CommandResult, *, counts: bool) -> TestRun:
    packages = list(told.packages.values())
    unbuilt = tuple(package.path for package in packages if package.failed_build is not None)
    gathered = _Cases(tuple(case for package in packages for case in _cases(package)), unbuilt)
    failed, passed, skipped = (gathered.count(outcome) for outcome in ("failed", "passed", "skipped"))
    notes = _notes(packages)
    ran = any(package.outcome == "passed" and not _bare(package) for package in packages)
    if failed or result.exit_code not in {0, None}:
        said = _disagreement(failed, result)
        verdict = TestRun(
            "failed", failed=failed, cases=gathered.cases, contradiction=said, notes=notes, unbuilt=unbuilt
        )
    elif not ran or (counts and not passed):
        reason = f"all tests were skipped ({skipped})" if skipped else "no package has tests to run"
        return TestRun("none-ran", cases=gathered.cases, reason=reason, notes=notes)
    else:
        verdict = TestRun("passed", failed=0, cases=gathered.cases, notes=notes)
    if not counts or result.truncated:
        return attrs.evolve(verdict, failed=None if result.truncated else verdict.failed)
    return attrs.evolve(verdict, passed=passed, skipped=skipped, total=passed + failed + skipped)


def _cases(package: GoPackage) -> Iterator[TestCase]:
    if package.failed_build is not None:
        yield TestCase(f"{package.path} {BUILD_FAILED}", "failed")
        return
    tests = package.counted_tests()
    for test in tests:
        # Without an end of its own a test did not survive its package.
        yield TestCase(f"{package.path}.{test.name}", test.outcome or "failed")
    if package.ended_badly() and not any(test.outcome in {"failed", None} for test in tests):
        yield TestCase(package.path, "failed")


def _from_gotestsum(summed: re.Match[str], lines: list[str], result: CommandResult) -> TestRun:
    total, skipped, failed, errors = (int(summed[name] or 0) for name in ("total", "skipped", "failed", "errors"))
    named = [found for found in map(_SUM_FAILURE.fullmatch, lines) if found]
    ids = dict.fromkeys(f"{found['package']}.{found['name']}" if found["name"] else found["package"] for found in named)
    cases = tuple(TestCase(test_id, "failed") for test_id in ids)
    # A package that does not build is an error, and most often a failure beside.
    bad = max(failed, errors)
    if bad or result.exit_code not in {0, None}:
        said = _disagreement(bad, result)
        # How many passed is not told: parents of failed subtests are in the total, but not among the failures.
        return TestRun("failed", failed=bad, skipped=skipped, total=total, cases=cases, contradiction=said)
    if total == skipped:
        return TestRun("none-ran", reason=f"all tests were skipped ({skipped})" if skipped else "no tests were run")
    return TestRun("passed", total - skipped, 0, skipped, total)


def _disagreement(failed: int, result: CommandResult) -> str | None:
    if failed and result.exit_code == 0:
        return f"the output says {failed} failed, the exit code is 0"
    if not failed and result.exit_code:
        return f"the output names no failure, the exit code is {result.exit_code}"
    return None


def _bare(package: GoPackage) -> bool:
    return package.says("[no test files]") or package.says("[no tests to run]")


def _notes(packages: list[GoPackage]) -> tuple[str, ...]:
    cached = sum(package.says("(cached)") for package in packages)
    return (f"results of {cached} package{'s' * (cached != 1)} came from Go's cache",) if cached else ()
