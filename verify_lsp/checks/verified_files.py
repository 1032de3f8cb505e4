"""Do the changed files parse? The post-write verifiers, for what no toolchain checks: data and scripts."""

from collections.abc import Iterable, Sequence

import attrs

from verify_lsp.checks.base import CheckContext
from verify_lsp.checks.before import ToldApart
from verify_lsp.checks.findings import error_verdict, errors, findings_of
from verify_lsp.checks.wording import count, listed
from verify_lsp.judgement.lines import match_preexisting
from verify_lsp.model.change import FileChange
from verify_lsp.model.fact import Evidence
from verify_lsp.model.finding import CheckKind, Problem
from verify_lsp.model.outcome import CheckOutcome, Proof, Ran, Skipped
from verify_lsp.syntax.languages import language_of
from verify_lsp.verifiers.base import Subject, Verdict


@attrs.frozen
class _Verified:
    """One changed file, judged as it is now and as it was; `before` is None where it was not there."""

    file: FileChange
    name: str
    verdict: Verdict
    before: Verdict | None


def verify_changed(context: CheckContext, kind: CheckKind) -> CheckOutcome:
    """Hold the text of each changed file against its name's verifier, and tell old mistakes from new ones."""
    files = [file for file in context.change.files if file.after is not None and not file.binary]
    judged = [one for file in files if not _is_compiled(file.path) and (one := _verified(context, file)) is not None]
    if not judged:
        return Skipped("no verifier is for the changed files", needless=True)
    problems = tuple(problem for one in judged for problem in _located(one.file.path, one.verdict))
    before = tuple(problem for one in judged for problem in _located(one.file.path, one.before))
    told = ToldApart(problems, match_preexisting(problems, before, context.change))
    return _outcome(kind, judged, told)


def _is_compiled(path: str) -> bool:
    return language_of(path) not in {None, "shell"}


def _verified(context: CheckContext, file: FileChange) -> _Verified | None:
    from verify_lsp.verifiers.verify import judged_at_once, text_verifier_for

    subject = Subject(context.place / file.path, file.after or "", workspace=context.place)
    verifier = text_verifier_for(subject)
    if verifier is None:
        return None
    earlier = None if file.before is None else attrs.evolve(subject, text=file.before)
    before = None if earlier is None else judged_at_once(verifier, earlier)
    return _Verified(file, verifier.name, judged_at_once(verifier, subject), before)


def _located(path: str, verdict: Verdict | None) -> Iterable[Problem]:
    return [attrs.evolve(problem, path=path) for problem in verdict.problems] if verdict is not None else []


def _outcome(kind: CheckKind, judged: Sequence[_Verified], told: ToldApart) -> CheckOutcome:
    findings = findings_of(kind, told)
    found = errors(findings)
    new = [finding for finding in found if not finding.preexisting]
    skipped = [one for one in judged if one.verdict.skipped is not None]
    looked_at = len(judged) - len(skipped)
    gaps = tuple(f"{one.file.path} was not verified: {one.verdict.skipped}" for one in skipped)
    if not looked_at:
        return Skipped("; ".join(gaps), needless=True)
    names = listed(sorted({one.name for one in judged if one.verdict.skipped is None}))
    metrics: dict[str, float | None] = {
        "errors": len(found),
        "errors_new": len(new),
        "warnings": sum(finding.severity == "medium" for finding in findings),
    }
    where = f"{count(looked_at, 'changed file')} ({names})"
    text = f"{where} parse" + ("s" if looked_at == 1 else "")
    if found:
        older = f", and {len(found) - len(new)} from before the change" if len(new) < len(found) else ""
        text = f"{count(len(new), 'new syntax error')} in {where}{older}"
    return Ran(
        verdict=error_verdict(new, found),
        summary=text,
        findings=findings,
        metrics=metrics,
        proofs=(Proof(text, Evidence(tool="verify-lsp", metrics=metrics), "diagnostics", holds=not new),),
        asides=gaps,
    )
