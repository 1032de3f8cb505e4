"""From outcomes to statuses. Nothing that was not looked at is ever called a pass."""

from collections.abc import Mapping, Sequence

from verify_lsp.judgement.plain_text import one_line, tail
from verify_lsp.model.change import Change
from verify_lsp.model.finding import CheckKind
from verify_lsp.model.outcome import Broke, CheckOutcome, Ran, Skipped
from verify_lsp.model.report import NOTHING_TO_VERIFY, Check, CheckStatus, ReportStatus

_SENTENCE_LIMIT = 1_000
_OUTPUT_LIMIT = 16_000

# These look at the change by running or compiling it; the others read its text or its package names.
_EXERCISING: frozenset[CheckKind] = frozenset({"diagnostics", "project-check", "tests"})
# A linter mostly reads, so that its pass stands for none of those; that it was kept from the change still counts.
_EXPECTED = _EXERCISING | {"lint"}


def to_check(kind: CheckKind, outcome: CheckOutcome, duration_ms: int = 0) -> Check:
    """Return the check that a report shows for an outcome."""
    match outcome:
        case Ran():
            return _ran(kind, outcome, duration_ms)
        case Skipped():
            said = NOTHING_TO_VERIFY if outcome.needless else "not verified"
            return Check(
                kind,
                "skipped",
                one_line(f"{said}: {outcome.reason}", _SENTENCE_LIMIT),
                duration_ms=duration_ms,
                metrics=outcome.metrics,
                command=outcome.command,
                output=_output(outcome.output),
                reason=one_line(outcome.reason, _SENTENCE_LIMIT),
            )
        case Broke():
            return Check(
                kind,
                "error",
                one_line(f"did not work: {outcome.reason}", _SENTENCE_LIMIT),
                duration_ms=duration_ms,
                command=outcome.command,
                output=_output(outcome.output),
                reason=one_line(outcome.reason, _SENTENCE_LIMIT),
            )


def needless_kinds(outcomes: Mapping[CheckKind, CheckOutcome]) -> frozenset[CheckKind]:
    """Return the checks that were skipped because there was nothing for them to look at."""
    return frozenset(kind for kind, outcome in outcomes.items() if isinstance(outcome, Skipped) and outcome.needless)


def report_status(
    checks: Sequence[Check], change: Change, *, needless: frozenset[CheckKind] = frozenset()
) -> ReportStatus:
    """Return the status of a run whose checks have ended.

    `fail` before `error` before `warn` before `pass`; `empty` without a change. A run is a `pass` only if a check
    that matters passed: where every check was skipped it is a `warn`, and likewise where those that would have run
    or compiled the change were kept from it and only its text was read.

    `needless` names the skipped checks that had nothing to look at, see `needless_kinds`; all others count as
    kept from it.
    """
    if not change.files:
        return "empty"
    statuses = {check.status for check in checks}
    if statuses & {"pending", "running"}:
        return "running"
    for status in ("fail", "error", "warn"):
        if status in statuses:
            return status
    passed = {check.kind for check in checks if check.status == "pass"}
    kept_from = {check.kind for check in checks if check.status == "skipped"} - needless
    only_read = bool(kept_from & _EXPECTED) and not passed & _EXERCISING
    return "pass" if passed and not only_read else "warn"


def _ran(kind: CheckKind, outcome: Ran, duration_ms: int) -> Check:
    gaps = (*outcome.unverified, *_no_tests(kind, outcome))
    aside = f" ({'; '.join(outcome.asides)})" if outcome.asides else ""
    return Check(
        kind,
        _status(outcome, gaps),
        one_line(outcome.summary + aside, _SENTENCE_LIMIT),
        findings=outcome.findings,
        duration_ms=duration_ms,
        metrics=outcome.metrics,
        command=outcome.command,
        output=_output(outcome.output),
        reason=one_line("not verified: " + "; ".join(gaps), _SENTENCE_LIMIT) if gaps else None,
        mutants=outcome.mutants,
    )


def _status(outcome: Ran, gaps: tuple[str, ...]) -> CheckStatus:
    return "warn" if gaps and outcome.verdict == "pass" else outcome.verdict


def _no_tests(kind: CheckKind, outcome: Ran) -> tuple[str, ...]:
    """A run in which no test passed or failed shows nothing, whatever it exited with."""
    if kind != "tests" or outcome.verdict != "pass":
        return ()
    total, passed = outcome.metrics.get("total"), outcome.metrics.get("passed")
    return ("no test ran",) if total == 0 or passed == 0 else ()


def _output(output: str | None) -> str | None:
    return tail(output, _OUTPUT_LIMIT) or None if output else None
