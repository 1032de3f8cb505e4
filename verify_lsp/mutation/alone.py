"""What a run of a whole suite with one mutant on says of that mutant."""

from verify_lsp.model.command import CommandResult
from verify_lsp.model.mutant import Mutant, MutantResult
from verify_lsp.model.testrun import TestRun


def fate_alone(mutant: Mutant, run: TestRun, result: CommandResult) -> MutantResult:
    """Return the fate of a mutant after a run of tests that pass without it.

    Only a test that fails, or can no longer be loaded, has noticed it. A run that did not come about is no kill, and
    neither is one that is left with success before its end: whoever goes by the exit code has noticed nothing.
    """
    failures = run.failures()
    if result.timed_out:
        return MutantResult(mutant, "timeout")
    if run.verdict == "passed":
        return MutantResult(mutant, "survived")
    left_early = result.exit_code == 0 and run.contradiction is not None and run.failed is None
    if run.verdict in {"failed", "unusable"} and (failures or run.failed) and not left_early:
        return MutantResult(mutant, "killed", killed_by=failures[0].id if failures else None)
    reason = run.reason or run.contradiction or "the tests ended without a word on which of them failed"
    return MutantResult(mutant, "error", reason=reason)
