"""Are there signs that the change made its tests and checks pass more easily? It only ever warns."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import anyio.to_thread

from verify_lsp.checks.base import CheckContext
from verify_lsp.checks.wording import count
from verify_lsp.integrity.elsewhere import declared_elsewhere
from verify_lsp.integrity.examine import Examined, examine
from verify_lsp.judgement.raised import finding_of
from verify_lsp.judgement.sift import sift
from verify_lsp.model.fact import Evidence
from verify_lsp.model.finding import CheckKind, Finding
from verify_lsp.model.outcome import CheckOutcome, Proof, Ran, Skipped

KIND: Final[CheckKind] = "integrity"
EXECUTES: Final = False

_COUNTED = {
    "tests_removed": ("test-removed", "rows-removed"),
    "tests_skipped": ("test-skipped",),
    "tests_narrowed": ("test-narrowed", "run-narrowed", "runner-hooked"),
    "tests_emptied": ("test-emptied", "assertions-gone"),
    "assertions_weakened": ("assertion-weakened", "tolerance-widened", "assertion-swallowed", "assertion-conditional"),
    "assertions_removed": ("assertion-removed",),
    "expectations_changed": ("expected-changed", "snapshot-rewritten"),
    "subjects_mocked": ("subject-mocked",),
    "checks_relaxed": ("coverage-lowered", "check-non-fatal", "check-relaxed", "file-silenced"),
}
_OF_SETTINGS = frozenset({"checks_relaxed"})
_GAPS_SHOWN = 5


async def check(context: CheckContext) -> CheckOutcome:
    """Compare tests, settings and suppressions before and after the change. Findings of medium and low severity warn."""
    changed = frozenset(file.path for file in context.change.files)
    elsewhere = declared_elsewhere(context.place, changed)
    seen = await anyio.to_thread.run_sync(examine, context.change, elsewhere)
    if not (seen.tests or seen.settings or seen.code or seen.problems):
        if seen.gaps:
            return Skipped("; ".join(seen.gaps[:_GAPS_SHOWN]))
        return Skipped("no test, no setting of a check and no code was changed", needless=True)
    findings = sift(
        (finding_of(KIND, each, preexisting=False) for each in seen.problems), context.change, context.settings
    )
    return _judged(context, seen, findings)


def _judged(context: CheckContext, seen: Examined, findings: tuple[Finding, ...]) -> Ran:
    metrics = _metrics(seen)
    warned = [finding for finding in findings if finding.severity != "info"]
    text = _sentence(context, seen, findings)
    evidence = Evidence(tool="verify-lsp", metrics=metrics)
    # What the settings or a comment hide was seen all the same, and a fact does not deny it.
    clean = not seen.signs and not seen.gaps
    proofs = (Proof(text, evidence, "integrity", holds=not warned),) if warned or (clean and seen.tests) else ()
    return Ran(
        verdict="warn" if warned or seen.gaps else "pass",
        summary=text,
        findings=findings,
        metrics=metrics,
        proofs=proofs,
        unverified=seen.gaps[:_GAPS_SHOWN],
    )


def _metrics(seen: Examined) -> dict[str, float | None]:
    """Count what was seen. What cannot be known, as no test was compared or not all were, is None."""
    complete = seen.tests > 0 and not seen.gaps
    found: Counter[str] = Counter()
    for sign in seen.signs:
        found[sign.rule.removeprefix("integrity.")] += max(sign.tests, 1)
    metrics: dict[str, float | None] = {"test_files": seen.tests, "tests_replaced": seen.replaced if complete else None}
    for name, rules in _COUNTED.items():
        number = sum(found[rule] for rule in rules)
        metrics[name] = number if complete or name in _OF_SETTINGS else None
    metrics["suppressions_added"] = seen.silenced
    metrics["suppressed"] = seen.suppressed
    return metrics


def _sentence(context: CheckContext, seen: Examined, findings: Sequence[Finding]) -> str:
    files = count(seen.tests, "changed test file")
    warned = [finding for finding in findings if finding.severity != "info"]
    if warned:
        titles = Counter(finding.rule.removeprefix("integrity.").replace("-", " ") for finding in warned)
        listed = ", ".join(f"{title} ({number})" if number > 1 else title for title, number in titles.most_common(5))
        text = f"{count(len(warned), 'sign')} that tests or checks pass more easily than before: {listed}"
    elif seen.tests and not seen.signs and not seen.gaps:
        text = _clean(seen, files)
    elif seen.tests:
        text = f"nothing that warns was seen in {files}"
    else:
        looked = [count(seen.settings, "file of settings", "files of settings")] if seen.settings else []
        looked += [count(seen.code, "file of code", "files of code")] if seen.code else []
        where = f" in {' and '.join(looked)}" if looked else ""
        text = f"no check was relaxed{where}, and no test file was changed"
    text += f", {count(seen.suppressed, 'finding')} suppressed by a comment" if seen.suppressed else ""
    off = any(level == "off" and rule.startswith("integrity.") for rule, level in context.settings.rules.items())
    return text + (", apart from rules that the settings switch off" if off else "")


def _clean(seen: Examined, files: str) -> str:
    """Say what was not found, and no more than that: what went for a good reason went all the same."""
    skipped = "skipped on every machine" if seen.asked else "skipped"
    if not seen.replaced:
        return f"no test was removed, {skipped} or weakened in {files}"
    tests, verb = count(seen.replaced, "test"), "was" if seen.replaced == 1 else "were"
    return f"{tests} {verb} replaced or went with the code; no other was removed, {skipped} or weakened in {files}"
