"""Claims about checks, held against what the checks proved.

Only a fact that speaks against a claim contradicts it. Where no fact speaks, or it speaks of something narrower or
wider than the claim, the claim is unsupported: nothing is said about the agent.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import attrs

from verify_lsp.judgement.facts import ProvenFact
from verify_lsp.judgement.sayings.said import Said
from verify_lsp.judgement.sayings.tools import TOOL_WORDS
from verify_lsp.model.fact import ClaimStatus
from verify_lsp.model.finding import CheckKind
from verify_lsp.model.outcome import Broke, CheckOutcome, ProofKind, Ran, Skipped

Verdict = tuple[ClaimStatus, tuple[str, ...]]
UNSUPPORTED: Verdict = ("unsupported", ())


@attrs.frozen
class Known:
    """What a run proved."""

    outcomes: Mapping[CheckKind, CheckOutcome]
    proven: tuple[ProvenFact, ...]

    def of(self, *kinds: ProofKind) -> tuple[ProvenFact, ...]:
        """Return the facts whose proofs are of these kinds."""
        return tuple(proven for proven in self.proven if proven.proof.kind in kinds)

    def ran_whole(self, kind: CheckKind) -> bool:
        """Say whether a check ran, did not fail, and left nothing unverified."""
        outcome = self.outcomes.get(kind)
        return isinstance(outcome, Ran) and outcome.verdict != "fail" and not outcome.unverified

    def metric(self, kind: CheckKind, name: str) -> float | None:
        """Return a number of a whole check; None where it is not known."""
        outcome = self.outcomes.get(kind)
        return outcome.metrics.get(name) if isinstance(outcome, Ran) else None


def held_against_checks(said: Said, known: Known) -> Verdict:
    """Return what the facts say about a claim, and which ones."""
    judge = _JUDGES.get(said.kind)
    return judge(said, known) if judge else UNSUPPORTED


def _tests(said: Said, known: Known) -> Verdict:
    facts = _named_by(said, known.of("tests"))
    if not facts:
        return UNSUPPORTED
    against = _ids(fact for fact in facts if _failing_tests(fact))
    if against and not _are_flaky(known):
        denied = not said.scoped and _covers(said, facts)
        return ("contradicted" if denied else "unsupported", against)
    passed = [_metric(fact, "passed") for fact in facts]
    some_ran = all(count is None or count > 0 for count in passed)
    whole = known.ran_whole("tests") and all(fact.proof.holds for fact in facts)
    if not (some_ran and whole) or _nothing_ran(known):
        return UNSUPPORTED
    if said.count is None or _count_fits(said.count, facts):
        return ("supported", _ids(facts))
    return ("unsupported", _ids(facts))


def _failing_tests(fact: ProvenFact) -> bool:
    failed = _metric(fact, "failed")
    return failed > 0 if failed is not None else not fact.proof.holds


def _are_flaky(known: Known) -> bool:
    """Failures that a second run saw pass do not show that the agent saw them fail."""
    failed, flaky = known.metric("tests", "failed"), known.metric("tests", "flaky")
    return failed is not None and flaky is not None and failed <= flaky


def _nothing_ran(known: Known) -> bool:
    return known.metric("tests", "total") == 0 or known.metric("tests", "passed") == 0


def _covers(said: Said, facts: Sequence[ProvenFact]) -> bool:
    """Say whether a claim with a number can be about the run that failed.

    "All 12 tests pass" is about all of them, unless more than 12 passed, so that 12 may be a part. "12 tests pass"
    is about all of them only where 12 ran.
    """
    if said.count is None:
        return True
    passed, failed = _sum(facts, "passed"), _sum(facts, "failed")
    if passed is None or failed is None:
        return said.every
    if said.every:
        return said.count >= passed
    return said.count in {passed + failed, _sum(facts, "total")} - {passed}


def _count_fits(count: int, facts: Sequence[ProvenFact]) -> bool:
    """A number fits one run or all together; "12 tests" may count the skipped ones with the passed."""
    each = [_metric(fact, "passed") for fact in facts]
    return count in each or count == _sum(facts, "passed")


def _types(said: Said, known: Known) -> Verdict:
    facts = _named_by(said, known.of("types"))
    if not facts:
        return UNSUPPORTED
    new = [_metric(fact, "errors_new") for fact in facts]
    against = [
        fact for fact, count in zip(facts, new, strict=True) if (count or 0) > 0 or _unnumbered_and_against(fact)
    ]
    if against:
        return ("contradicted", _ids(against))
    if said.new and all(count == 0 for count in new):
        return ("supported", _ids(facts))
    clean = all(fact.proof.holds and not _errors_of(fact) for fact in facts)
    return ("supported" if clean and known.ran_whole("project-check") else "unsupported", _ids(facts))


def _errors_of(fact: ProvenFact) -> float:
    return (_metric(fact, "errors_touched") or 0) + (_metric(fact, "errors_elsewhere") or 0)


def _unnumbered_and_against(fact: ProvenFact) -> bool:
    return not fact.proof.holds and _metric(fact, "errors_new") is None and _metric(fact, "errors_touched") is None


def _lint(said: Said, known: Known) -> Verdict:
    facts = _named_by(said, known.of("lint"))
    if not facts:
        return UNSUPPORTED
    against = _ids(fact for fact in facts if (_metric(fact, "findings") or 0) > 0)
    if against:
        return ("contradicted" if _lint_denies(said, known) else "unsupported", against)
    old = said.new or not any(_metric(fact, "preexisting") for fact in facts)
    counted = all(_metric(fact, "findings") == 0 for fact in facts)
    clean = all(fact.proof.holds for fact in facts) and old and counted
    return ("supported" if clean and known.ran_whole("lint") and not said.every else "unsupported", _ids(facts))


def _lint_denies(said: Said, known: Known) -> bool:
    """Say whether the findings deny the claim: warnings do not deny that there are no errors."""
    outcome = known.outcomes.get("lint")
    if not said.errors_only or not isinstance(outcome, Ran):
        return True
    return any(finding.severity in {"critical", "high"} and not finding.preexisting for finding in outcome.findings)


def _compile(said: Said, known: Known) -> Verdict:
    facts = _named_by(said, (*known.of("compile", "build"), *_compilers(known)))
    if not facts:
        return UNSUPPORTED
    against = _ids(fact for fact in facts if (_metric(fact, "errors_new") or 0) > 0 or _unnumbered_and_against(fact))
    if against:
        return ("contradicted", against)
    clean = all(fact.proof.holds and not _errors_of(fact) for fact in facts)
    return ("supported" if clean and known.ran_whole("project-check") else "unsupported", _ids(facts))


_COMPILERS = ("tsc", "cargo", "go", "rustc")


def _compilers(known: Known) -> tuple[ProvenFact, ...]:
    """Type checks that are the compiler's own."""
    return tuple(fact for fact in known.of("types") if (fact.fact.evidence.tool or "").split(" ")[0] in _COMPILERS)


def _build(said: Said, known: Known) -> Verdict:
    """Only a build speaks of a build: a compile check may look at more, or at less."""
    facts = _named_by(said, known.of("build"))
    if not facts:
        return (
            "unsupported",
            _ids(fact for fact in (*known.of("compile"), *_compilers(known)) if not fact.proof.holds),
        )
    if against := _ids(fact for fact in facts if not fact.proof.holds):
        return ("contradicted", against)
    return ("supported", _ids(facts))


def _diagnostics(said: Said, known: Known) -> Verdict:
    facts = known.of("diagnostics")
    if not facts:
        return UNSUPPORTED
    against = [fact for fact in facts if (_metric(fact, "errors_new") or 0) > 0]
    if against:
        return ("contradicted", _ids(against))
    names = ("errors_new",) if said.new else ("errors",) if said.errors_only else ("errors", "warnings")
    clean = all(_metric(fact, name) == 0 for fact in facts for name in names)
    return ("supported" if clean and known.ran_whole("diagnostics") else "unsupported", _ids(facts))


def _security(_: Said, known: Known) -> Verdict:
    """No rule can show that there is no hole: such a claim is contradicted by a grave finding, never supported."""
    against = [fact for fact in known.of("security") if not fact.proof.holds and (_metric(fact, "critical") or 0) > 0]
    against += [fact for fact in known.of("dependencies") if (_metric(fact, "vulnerable") or 0) > 0]
    return ("contradicted", _ids(against)) if against else UNSUPPORTED


_CHECKS_MEANT: tuple[CheckKind, ...] = ("project-check", "tests", "lint")


def _all_checks(said: Said, known: Known) -> Verdict:
    """All checks of the project: its tests, its type check, its linter. Ours about security and the like are not meant."""
    every = attrs.evolve(said, count=None, scoped=False, names=())
    verdicts = [judge(every, known) for judge in (_tests, _types, _compile)]
    against = dict.fromkeys(name for status, names in verdicts if status == "contradicted" for name in names)
    if against:
        return ("contradicted", tuple(against))
    facts = known.of("tests", "types", "compile", "lint", "build")
    outcomes = [known.outcomes.get(kind) for kind in _CHECKS_MEANT]
    whole = all(_is_whole_or_needless(outcome) for outcome in outcomes)
    shown = whole and _tests(every, known)[0] == "supported" and all(fact.proof.holds for fact in facts)
    return ("supported" if shown else "unsupported", _ids(facts))


def _is_whole_or_needless(outcome: CheckOutcome | None) -> bool:
    match outcome:
        case Ran(verdict=verdict, unverified=unverified):
            return verdict == "pass" and not unverified
        case Skipped(needless=needless):
            return needless
        case Broke() | None:
            return False


_JUDGES: Mapping[str, Callable[[Said, Known], Verdict]] = {
    "tests-pass": _tests,
    "types": _types,
    "lint": _lint,
    "compile": _compile,
    "build": _build,
    "diagnostics": _diagnostics,
    "security": _security,
    "all-checks": _all_checks,
}


def _named_by(said: Said, facts: Sequence[ProvenFact]) -> tuple[ProvenFact, ...]:
    """The facts of the tools that a claim names; all of them where it names none."""
    named = {word for name in said.names for word in name.lower().replace("/", " ").split() if word in TOOL_WORDS}
    if not named:
        return tuple(facts)
    return tuple(fact for fact in facts if named & set((fact.fact.evidence.tool or "").lower().split()))


def _metric(fact: ProvenFact, name: str) -> float | None:
    return (fact.proof.evidence.metrics or {}).get(name)


def _sum(facts: Sequence[ProvenFact], name: str) -> float | None:
    values = [_metric(fact, name) for fact in facts]
    return None if None in values else sum(value for value in values if value is not None)


def _ids(facts: Iterable[ProvenFact]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(fact.fact.id for fact in facts))
