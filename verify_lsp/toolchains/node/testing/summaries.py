"""The summaries that test runners print for people, each anchored to whole lines, all of them added up."""

import re
from collections.abc import Callable, Iterator

from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import TestCase, TestRun
from verify_lsp.toolchains.node.testing.failed_names import failed_cases
from verify_lsp.toolchains.node.testing.tally import Tally, judged
from verify_lsp.toolchains.output import head, plain


def read_summaries(result: CommandResult) -> TestRun | None:
    """Read every summary in what a command printed, and add them up; None when there is none.

    Several summaries come from several runners, or from one runner once for each package.
    """
    # A report of one line after the other: where both streams hold summaries, each is of another runner.
    text = "\n".join(_bare(line) for stream in (result.stdout, result.stderr) for line in plain(stream).split("\n"))
    tallies = [tally for read in _READERS for tally in read(text)]
    if not tallies:
        return TestRun("none-ran", reason="no test files were found") if _NO_FILES.search(text) else None
    total = Tally()
    for tally in tallies:
        total = total.plus(tally)
    cases: tuple[TestCase, ...] = failed_cases(text) if total.failed else ()
    if lost := lost_before_tests(total, result):
        return lost
    return judged(Tally(total.passed, total.failed, total.skipped, cases, total.notes), result.exit_code)


def lost_before_tests(tally: Tally, result: CommandResult) -> TestRun | None:
    """Tell a runner that failed before its first test from one that found no tests and says so."""
    if tally.passed or tally.failed or tally.skipped or result.exit_code == 0:
        return None
    printed = plain(f"{result.stderr}\n{result.stdout}")
    if _NO_FILES.search(printed):
        return None
    causes = (re.search(cause, printed, re.MULTILINE) for cause in _CAUSES)
    error = next((found for found in causes if found), None)
    said = f": {head(error[0], 300)}" if error else ""
    return TestRun("unusable", reason=f"exit code {result.exit_code} before any test ran{said}")


# What turbo, pnpm and concurrently put in front of a package's lines.
_PREFIX = re.compile(r"^(?:[\w@./-]+:[\w:-]*test[\w:-]*: ?|[\w@./-]+ test[\w:-]*(?:\$|:| \|) ?|\[[\w@:./-]+\] )")

_NO_FILES = re.compile(
    r"^\s*(?:No test files found(?:, exiting with code \d)?|No tests found(?:, exiting with code \d)?"
    r"|Error: No test files found(?:: .*)?|.*Couldn.t find any files to test.*|No tests found!)\.?\s*$",
    re.MULTILINE,
)


# What explains most, first.
_CAUSES = (r"^Caused by: [^\n]+", r"^\w*Error: [^\n]+", r"^[^\n]*\b[Ee]rror\b[^\n]*")


def _bare(line: str) -> str:
    return _PREFIX.sub("", line, count=1)


def _vitest(text: str) -> Iterator[Tally]:
    for found in re.finditer(
        r"^ *Test Files +(?P<files>[^\n]*?\S)(?: \(\d+\))?\n *Tests +(?P<tests>[^\n]*?)(?: \(\d+\))?[ ]*$",
        text,
        re.MULTILINE,
    ):
        yield _listed(found["tests"], found["files"])


def _jest(text: str) -> Iterator[Tally]:
    for found in re.finditer(
        r"^Test Suites: +(?P<files>[^\n]*\d+ total)\nTests: +(?P<tests>[^\n]*\d+ total)[ ]*$", text, re.MULTILINE
    ):
        yield _listed(found["tests"], found["files"])


def _listed(tests: str, files: str) -> Tally:
    """Read "1 failed | 2 passed"; a file that failed before its tests ran counts as one failure."""
    counts = {word: int(number) for number, word in re.findall(r"(\d+) ([a-z ]+?)(?=$|\s*[|,(])", tests)}
    files_failed = {word: int(number) for number, word in re.findall(r"(\d+) (failed)\b", files)}.get("failed", 0)
    failed = counts.get("failed", 0)
    return Tally(
        passed=counts.get("passed", 0) + counts.get("expected fail", 0),
        failed=failed or files_failed,
        skipped=counts.get("skipped", 0) + counts.get("todo", 0),
        notes=() if failed or not files_failed else (f"{files_failed} test files failed outside of their tests",),
    )


def _mocha(text: str) -> Iterator[Tally]:
    for found in re.finditer(
        r"^ *(?P<passed>\d+) passing \([\d.]+ ?(?:ms|s|m|h|d)\)[ ]*"
        r"(?:\n *(?P<pending>\d+) pending[ ]*)?(?:\n *(?P<failed>\d+) failing[ ]*)?$",
        text,
        re.MULTILINE,
    ):
        yield _tally(found["passed"], found["failed"], found["pending"])


def _node_test(text: str) -> Iterator[Tally]:
    """Node's spec and TAP reporters, and tape: one list of counts after the same mark."""
    for found in re.finditer(
        r"^[ ]*(?P<mark>ℹ|#) tests +(?P<tests>\d+)(?P<rest>(?:\s+(?P=mark) (?:suites|pass|fail|cancelled|skipped|skip|todo)"
        r" +\d+)*)",
        text,
        re.MULTILINE,
    ):
        counts = {name: int(number) for name, number in re.findall(r"([a-z]+) +(\d+)", found["rest"])}
        if "pass" not in counts and "fail" not in counts:
            continue
        failed = counts.get("fail", 0) + counts.get("cancelled", 0)
        skipped = counts.get("skipped", 0) + counts.get("skip", 0) + counts.get("todo", 0)
        passed = counts.get("pass", max(0, int(found["tests"]) - failed - skipped))
        yield Tally(passed, failed, skipped)


def _bun(text: str) -> Iterator[Tally]:
    for found in re.finditer(
        r"^ *(?P<passed>\d+) pass[ ]*(?P<more>(?:\n *\d+ [a-z][^\n]*)*)\nRan \d+ tests? across \d+ files?\.",
        text,
        re.MULTILINE,
    ):
        counts = {
            word: int(number)
            for number, word in re.findall(r"^ *(\d+) (fail|skip|todo) *$", found["more"], re.MULTILINE)
        }
        yield Tally(int(found["passed"]), counts.get("fail", 0), counts.get("skip", 0) + counts.get("todo", 0))


def _ava(text: str) -> Iterator[Tally]:
    line = r" *\d+ (?:tests? (?:passed|failed|skipped|todo)|known failures?|uncaught exceptions?|unhandled rejections?)"
    for found in re.finditer(rf"^(?:{line} *(?:\n|$))+", text, re.MULTILINE):
        counts = {
            word.rstrip("s"): int(number)
            for number, word in re.findall(r"(\d+) (?:tests? )?([a-z ]+?) *$", found[0], re.MULTILINE)
        }
        failed = counts.get("failed", 0) + counts.get("uncaught exception", 0) + counts.get("unhandled rejection", 0)
        passed = counts.get("passed", 0) + counts.get("known failure", 0)
        yield Tally(passed, failed, counts.get("skipped", 0) + counts.get("todo", 0))


def _tap(text: str) -> Iterator[Tally]:
    """node-tap: `# { total: 5, pass: 4, fail: 1 }`, and `Asserts:  4 passed, of 5` before version 18."""
    for found in re.finditer(r"^# \{ total: \d+((?:, [a-z]+: \d+)*) \}$", text, re.MULTILINE):
        counts = {name: int(number) for name, number in re.findall(r"([a-z]+): (\d+)", found[1])}
        yield Tally(counts.get("pass", 0), counts.get("fail", 0), counts.get("skip", 0) + counts.get("todo", 0))
    for found in re.finditer(
        r"^Asserts: +(?:(?P<failed>\d+) failed, )?(?P<passed>\d+) passed, (?:(?P<skipped>\d+) skip\w*, )?of \d+",
        text,
        re.MULTILINE,
    ):
        yield _tally(found["passed"], found["failed"], found["skipped"])


def _deno(text: str) -> Iterator[Tally]:
    for found in re.finditer(
        r"^(?:ok|FAILED) \| (?P<passed>\d+) passed(?: \(\d+ steps?\))? \| (?P<failed>\d+) failed(?: \(\d+ steps?\))?"
        r"(?: \| (?P<skipped>\d+) ignored(?: \(\d+ steps?\))?)?[^\n]* \([\d.]+\w*\)$",
        text,
        re.MULTILINE,
    ):
        yield _tally(found["passed"], found["failed"], found["skipped"])


def _karma(text: str) -> Iterator[Tally]:
    """Karma repeats its line while it runs, so the last one of each browser counts."""
    last: dict[str, Tally] = {}
    for found in re.finditer(
        r"^(?P<browser>[A-Z][^\n:]*): Executed (?P<run>\d+) of \d+(?: \((?P<failed>\d+) FAILED\))?"
        r"(?: \(skipped (?P<skipped>\d+)\))?",
        text,
        re.MULTILINE,
    ):
        failed = int(found["failed"] or 0)
        last[found["browser"]] = Tally(int(found["run"]) - failed, failed, int(found["skipped"] or 0))
    yield from last.values()


def _uvu(text: str) -> Iterator[Tally]:
    for found in re.finditer(
        r"^ *Total: +(?P<total>\d+)\n *Passed: +(?P<passed>\d+)\n *Skipped: +(?P<skipped>\d+)$", text, re.MULTILINE
    ):
        passed, skipped = int(found["passed"]), int(found["skipped"])
        yield Tally(passed, max(0, int(found["total"]) - passed - skipped), skipped)


def _tally(passed: str | None, failed: str | None, skipped: str | None) -> Tally:
    return Tally(int(passed or 0), int(failed or 0), int(skipped or 0))


_READERS: tuple[Callable[[str], Iterator[Tally]], ...] = (
    _vitest,
    _jest,
    _mocha,
    _node_test,
    _bun,
    _ava,
    _tap,
    _deno,
    _karma,
    _uvu,
)
