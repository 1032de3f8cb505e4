"""What every rendering for people says, in the same words and the same order."""

from collections.abc import Iterable

from verify_lsp.model.fact import Claim, ClaimStatus, Fact
from verify_lsp.model.finding import SEVERITIES, Finding
from verify_lsp.model.report import NOTHING_TO_VERIFY, Check, CheckStatus, Report
from verify_lsp.reports.untrusted import name, one_line

STATUS_WORDS: dict[CheckStatus, str] = {
    "fail": "failed",
    "error": "did not work",
    "warn": "warned",
    "pass": "passed",
    "skipped": "was not verified",
    "running": "still running",
    "pending": "not begun",
}
"""What became of a check of each status, the gravest first."""

_ENDS: dict[CheckStatus, str] = {
    **{status: f"{{}} {words}" for status, words in STATUS_WORDS.items()},
    "skipped": "not verified: {}",
}
_NEEDLESS_END = NOTHING_TO_VERIFY + ": {}"
_CLAIMS: tuple[ClaimStatus, ...] = ("contradicted", "unsupported", "hedged", "supported")
_SCOPES = {
    "working-tree": "the working tree",
    "staged": "what is staged",
    "branch": "the branch",
    "session": "an agent's session",
    "change-set": "a given change",
    "files": "chosen files",
}
_NAME = 100
_PATH = 1_000
_SHA = 10
_TESTS = 3


def verdict(report: Report) -> str:
    """Say what became of each check: "tests failed; lint passed; not verified: mutation"."""
    if report.status == "empty":
        return "there is no change in this scope, so that nothing was verified"
    kinds: dict[str, list[str]] = {pattern: [] for pattern in (*_ENDS.values(), _NEEDLESS_END)}
    for check in report.checks:
        kinds[_NEEDLESS_END if is_needless(check) else _ENDS[check.status]].append(check.kind)
    groups = [pattern.format(", ".join(named)) for pattern, named in kinds.items() if named]
    begun = ["stopped before its end"] if report.status == "cancelled" else []
    return "; ".join([*begun, *groups]) or "no check was made"


def setting(report: Report) -> tuple[str, ...]:
    """Say what was verified, how long it took and how risky it is: scope, size, duration, tier."""
    took = None if report.duration_ms is None else duration(report.duration_ms)
    return tuple(part for part in (_scope(report), _size(report), took, risk(report)) if part is not None)


def risk(report: Report) -> str | None:
    """Return the risk tier in words; None for a run that did not come to judge it."""
    return f"risk tier {report.risk_tier} of 2" if report.status in {"pass", "warn", "fail", "error"} else None


def risk_title(report: Report) -> str | None:
    """Head the reasons for the risk; for a run that had nothing to judge they are notes on how its scope was found."""
    if report.status == "empty" and report.risk_reasons:
        return "Notes"
    title = risk(report)
    return title.capitalize() if title else None


def duration(milliseconds: int) -> str:
    """Return a duration as people say it: "38 ms", "4.2 s", "2 min 5 s"."""
    if milliseconds < 1000:
        return f"{milliseconds} ms"
    if milliseconds < 59_950:
        return f"{milliseconds / 1000:.1f} s"
    minutes, seconds = divmod(round(milliseconds / 1000), 60)
    return f"{minutes} min {seconds} s"


def loud_checks(report: Report) -> list[Check]:
    """Return the checks that have more to say than the facts and the gaps do, the gravest first."""
    order: tuple[CheckStatus, ...] = ("fail", "error", "warn")
    loud = (check for status in order for check in report.checks if check.status == status)
    return [check for check in loud if check.status != "warn" or own_findings(check) or untold(check, report)]


def own_findings(check: Check) -> list[Finding]:
    """Return what the change brought, the gravest first, then by place."""
    own = (finding for finding in check.findings if not finding.preexisting)
    return sorted(own, key=lambda found: (SEVERITIES.index(found.severity), found.path, found.line, found.column or 0))


def unverified(report: Report) -> list[tuple[str, str]]:
    """Return what was not looked at, or only in part: the kind of each such check, and why."""
    return [
        (check.kind, _reason(check))
        for check in report.checks
        if (check.status == "skipped" and not is_needless(check)) or _is_partial(check)
    ]


def needless(report: Report) -> list[tuple[str, str]]:
    """Return the checks that had nothing to look at, and why."""
    return [(check.kind, _reason(check)) for check in report.checks if is_needless(check)]


def is_needless(check: Check) -> bool:
    """Tell whether `check` was skipped because there was nothing for it; its summary says so then."""
    return check.status == "skipped" and check.summary.startswith(NOTHING_TO_VERIFY)


def older(report: Report) -> str | None:
    """Say how much was there before the change, by check; None when nothing was."""
    counts = {check.kind: sum(finding.preexisting for finding in check.findings) for check in report.checks}
    by_check = [f"{number} in {kind}" for kind, number in counts.items() if number]
    total = sum(counts.values())
    return f"{plural(total, 'finding')}: {', '.join(by_check)}" if total else None


def claims(report: Report) -> list[Claim]:
    """Return the claims, those that are wrong first, else in the order they were made."""
    return sorted(report.claims, key=lambda claim: _CLAIMS.index(claim.status))


def fact_numbers(claim: Claim, report: Report) -> list[int]:
    """Return the numbers, from 1, that the facts which decide `claim` have in the report."""
    return [number for number, fact in enumerate(report.facts, start=1) if fact.id in claim.facts]


def claim_verdict(claim: Claim, numbers: Iterable[int]) -> str:
    """Return "contradicted by fact 3"; without a fact, the status alone."""
    listed = ", ".join(str(number) for number in numbers)
    if not listed or claim.status not in {"supported", "contradicted"}:
        return claim.status
    return f"{claim.status} by {'facts' if ',' in listed else 'fact'} {listed}"


def fact_status(fact: Fact, report: Report) -> CheckStatus | None:
    """Return how the check ended that proved `fact`, as a fact does not say whether it speaks for the change.

    None where that would mislead: the check may have failed over one project while this fact is of another, whose
    command succeeded; and a command that succeeded may still have printed failures.
    """
    status = next((check.status for check in report.checks if check.kind == fact.check), None)
    return None if status in {"fail", "warn"} and fact.evidence.exit_code == 0 else status


def untold(check: Check, report: Report) -> str:
    """Return what the summary of `check` says beyond the facts: all of it, an aside in brackets, or nothing."""
    rest = check.summary
    while told := max((fact.text for fact in report.facts if rest.startswith(fact.text)), key=len, default=""):
        rest = rest.removeprefix(told).removeprefix("; ").strip()
    return rest[1:-1] if rest != check.summary and rest.startswith("(") and rest.endswith(")") else rest


def place(finding: Finding) -> str:
    """Return `path:line:column`, as terminals, editors and grep know it; without a file, the check's name."""
    if not finding.path:
        return finding.check
    column = f":{finding.column}" if finding.column is not None else ""
    return f"{name(finding.path, _PATH)}:{finding.line}{column}"


def unnoticed_by(finding: Finding, check: Check) -> str | None:
    """Name up to three of the tests that run over a fault without noticing it; None where none is known."""
    mutant = check.mutant_of(finding)
    if mutant is None or mutant.status != "survived" or not mutant.covered_by:
        return None
    shown = mutant.covered_by[:_TESTS]
    known = max(mutant.tests or 0, len(mutant.covered_by))
    more = f" and {known - len(shown)} more" if known > len(shown) else ""
    return f"run without noticing: {', '.join(name(test, _PATH) for test in shown)}{more}"


def plural(number: int, noun: str) -> str:
    """Return "1 finding", "2 findings"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def show_command(report: Report, form: str | None = None) -> str:
    """Return the command that shows the report again, in a format that leaves nothing out when one is named."""
    return f"verify-lsp report show {one_line(report.id, _NAME)}" + (f" --format {form}" if form else "")


def _scope(report: Report) -> str:
    scope, base, head = report.scope, report.base, report.head
    called = (
        scope.session_id if scope.kind == "session" else scope.change_set_id if scope.kind == "change-set" else None
    )
    words = f"{_SCOPES[scope.kind]} {one_line(called, _NAME)}" if called else _SCOPES[scope.kind]
    if scope.kind == "branch" and head is not None and head.sha:
        words += f" at {_short(head.sha)}"
    if base is not None:
        words += f" against {one_line(base.ref, _NAME)}"
        words += "" if base.sha.startswith(base.ref) else f" ({_short(base.sha)})"
    if scope.kind == "branch" and head is not None and head.dirty:
        words += ", without the uncommitted changes"
    return words


def _short(sha: str) -> str:
    return one_line(sha[:_SHA], _SHA)


def _size(report: Report) -> str | None:
    if not report.files:
        return None
    added = sum(len(file.added_lines) for file in report.files)
    removed = sum(len(file.removed_lines) for file in report.files)
    return f"{plural(len(report.files), 'file')}, +{added:,} −{removed:,}"


def _is_partial(check: Check) -> bool:
    return check.status in {"pass", "warn", "fail"} and check.reason is not None


def _reason(check: Check) -> str:
    return (check.reason or "no reason was given").removeprefix("not verified: ")
