"""Reading the output of a test command that somebody else composed: pytest, unittest, nose2, Django, tox, nox."""

import functools

import attrs

from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import TestRun
from verify_lsp.toolchains.output import plain
from verify_lsp.toolchains.python.testing import pytest_text, unittest_text
from verify_lsp.toolchains.python.testing.environment_text import Environments, environments
from verify_lsp.toolchains.python.testing.verdicts import Counts, exit_words, judged, named


def parse_tests(result: CommandResult) -> TestRun | None:
    """Return what Python's test tools say in the output, all sessions together; None when none of them speaks."""
    text = plain(result.stdout) + "\n" + plain(result.stderr)
    pytest_counts = pytest_text.summaries(text)
    unittest_runs = unittest_text.summaries(text)
    ended = environments(text)
    counts = [*pytest_counts, *(run.counts for run in unittest_runs)]
    if not counts:
        return _by_environments(ended, result.exit_code) if ended else None
    cases = pytest_text.cases(text) if pytest_counts else ()
    cases += tuple(case for run in unittest_runs for case in run.cases)
    tool = "pytest" if not unittest_runs else "unittest" if not pytest_counts else "the output"
    run = judged(functools.reduce(Counts.plus, counts), result.exit_code, tool=tool, cases=cases)
    error = pytest_text.startup_error(text) if pytest_counts and run.total == 0 else None
    if error is not None:
        return TestRun("unusable", reason=error)
    cause = pytest_text.interruption(text) if pytest_counts else None
    if cause is not None:
        return _interrupted(run, cause)
    if result.truncated:
        # A session in the part that was left out would be missing from the sum.
        run = attrs.evolve(run, passed=None, failed=None, skipped=None, total=None)
    return _with_environments(run, ended)


def _interrupted(run: TestRun, cause: str) -> TestRun:
    """A session that did not come to its end counts nothing, unless a test failed before."""
    if any("::" in case.id for case in run.cases):
        return attrs.evolve(run, notes=(*run.notes, f"the session was interrupted: {cause}"))
    where = f" ({named(run.cases)})" if run.cases else ""
    return TestRun("unusable", cases=run.cases, reason=f"pytest was interrupted: {cause}{where}")


def _with_environments(run: TestRun, ended: Environments) -> TestRun:
    notes = run.notes
    if ended.skipped:
        notes += (f"skipped environments: {', '.join(ended.skipped)}",)
    if not ended.failed or run.failed:
        return attrs.evolve(run, notes=notes)
    reason = f"failed environments: {', '.join(ended.failed)}, although no test failed"
    return attrs.evolve(run, verdict="failed", reason=reason, contradiction=None, notes=notes)


def _by_environments(ended: Environments, exit_code: int | None) -> TestRun:
    notes = (f"skipped environments: {', '.join(ended.skipped)}",) if ended.skipped else ()
    if ended.failed:
        contradiction = "an environment failed, but the exit code is 0" if exit_code == 0 else None
        reason = f"failed environments: {', '.join(ended.failed)}"
        return TestRun("failed", reason=reason, contradiction=contradiction, notes=notes)
    if not ended.ok:
        return TestRun("none-ran", reason="every environment was skipped", notes=notes)
    if exit_code == 0:
        return TestRun("passed", notes=notes)
    return TestRun("failed", contradiction=f"every environment passed, but {exit_words(exit_code)}", notes=notes)
