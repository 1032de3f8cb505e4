"""What cargo nextest prints at the end of a run."""

import re

from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import TestCase, TestRun

_SUMMARY = re.compile(
    r" +Summary \[ *\d+\.\d+s\] +\d+(?:/\d+)? tests? run: (?P<passed>\d+) passed(?: \([^)]*\))?"
    r"(?:, (?P<failed>\d+) failed(?: \([^)]*\))?)?(?:, (?P<exec_failed>\d+) exec failed)?"
    r"(?:, (?P<timed_out>\d+) timed out)?(?:, (?P<skipped>\d+) skipped)?"
)
# The list of what failed stands behind the summary; before it, a line may be of a try that was repeated.
_FAILURE = re.compile(
    r" *(?:TRY \d+ )?(?:FAIL|FAIL \+ LEAK|FL\+LK|LEAK-FAIL|LKFAIL|XFAIL|TIMEOUT|TMT|ABORT|SIG\w+) \[ *\d+\.\d+s\] "
    r"(?:\( *\d+/\d+\) )?(?P<id>\S+ \S.*)"
)


def read_nextest(text: str, result: CommandResult) -> TestRun | None:
    """Return the sum of the nextest runs in an output; None where there is none."""
    lines = text.split("\n")
    found = [(number, summary) for number, line in enumerate(lines) if (summary := _SUMMARY.fullmatch(line))]
    if not found:
        return None
    summaries = [summary for _, summary in found]
    passed, skipped = _total(summaries, "passed"), _total(summaries, "skipped")
    failed = _total(summaries, "failed") + _total(summaries, "exec_failed") + _total(summaries, "timed_out")
    if failed:
        behind = lines[found[0][0] :]
        ids = dict.fromkeys(failure["id"] for failure in map(_FAILURE.fullmatch, behind) if failure)
        cases = tuple(TestCase(test_id, "failed") for test_id in ids)
        masked = f"the output says {failed} failed, the exit code is 0" if result.exit_code == 0 else None
        return TestRun("failed", passed, failed, skipped, passed + failed + skipped, cases, contradiction=masked)
    if result.exit_code and passed:
        said = f"the output names no failure, the exit code is {result.exit_code}"
        return TestRun("failed", passed, 0, skipped, passed + skipped, contradiction=said)
    if not passed:
        reason = f"all tests were skipped ({skipped})" if skipped else "there were no tests to run"
        return TestRun("none-ran", 0, 0, skipped, skipped, reason=reason)
    return TestRun("passed", passed, 0, skipped, passed + skipped)


def _total(summaries: list[re.Match[str]], name: str) -> int:
    return sum(int(summary[name] or 0) for summary in summaries)
