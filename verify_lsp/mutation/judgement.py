"""What the fates of a change's mutants say about its tests."""

from collections import Counter
from collections.abc import Mapping, Sequence

import attrs

from verify_lsp.model.mutant import MutantResult
from verify_lsp.model.outcome import Verdict

FAILS_BELOW, WARNS_BELOW = 0.3, 0.6
ENOUGH = 5
"""A percentage of fewer mutants than this is no measure; they are counted, and warn at most."""


@attrs.frozen
class Judged:
    """The judgement on all mutants of a run.

    Attributes:
        score: Killed by killed, survived and not covered; None when nothing, or less than half of the mutants,
            came to such an end.
        verdict: `pass` beside a score of None says only that nothing speaks against the tests.
        unknown: Why there is no score, in plain words; None when there is one.
    """

    counts: Mapping[str, int]
    verdict: Verdict
    score: float | None = None
    unknown: str | None = None

    def metrics(self) -> dict[str, float | None]:
        """Return the numbers by their public names."""
        names = {"no-coverage": "no_coverage"}
        return {
            "mutants": sum(self.counts.values()),
            **{names.get(status, status): number for status, number in self.counts.items()},
            "score": self.score,
        }


def judge(results: Sequence[MutantResult], *, uncertain: bool = False) -> Judged:
    """Return the judgement on mutants that were tried against tests that pass without them.

    Args:
        uncertain: Tests that tried them fail at times without any mutant, so that there is no score.
    """
    found = Counter(result.status for result in results)
    counts = {status: found[status] for status in ("killed", "survived", "no-coverage", "timeout", "invalid", "error")}
    told = counts["killed"] + counts["survived"] + counts["no-coverage"]
    untold = len(results) - told
    if uncertain:
        return Judged(counts, "warn", unknown="tests fail at times without any mutant")
    if told == 0 or untold > told:
        return Judged(counts, "warn" if results else "pass", unknown=_why(counts))
    score = counts["killed"] / told
    return Judged(counts, _verdict(score, told), score=round(score, 4))


def _verdict(score: float, told: int) -> Verdict:
    if told < ENOUGH:
        return "pass" if score == 1 else "warn"
    if score < FAILS_BELOW:
        return "fail"
    return "warn" if score < WARNS_BELOW else "pass"


def _why(counts: Mapping[str, int]) -> str:
    total = sum(counts.values())
    said = (
        ("timeout", "ran into the time limit"),
        ("invalid", "could not be compiled"),
        ("error", "could not be tried"),
    )
    parts = [f"{counts[status]} of {total} mutants {words}" for status, words in said if counts[status]]
    return ", ".join(parts) or "there was no mutant to try"
