"""Facts: what the checks proved, numbered so that a claim can name them."""

from collections.abc import Iterator, Mapping

import attrs

from verify_lsp.judgement.plain_text import one_line, tail
from verify_lsp.model.fact import Evidence, Fact
from verify_lsp.model.finding import CheckKind
from verify_lsp.model.outcome import Broke, CheckOutcome, Proof, Ran, Skipped

_TEXT_LIMIT = 400
_COMMAND_LIMIT = 1_000
_TAIL_LIMIT = 4_000


@attrs.frozen
class ProvenFact:
    """A fact together with the proof it was made of."""

    fact: Fact
    proof: Proof


def facts(outcomes: Mapping[CheckKind, CheckOutcome]) -> tuple[Fact, ...]:
    """Return the facts of a run, in the order of its checks.

    Ids are the check's kind and a number, such as `tests-1`: the same run gives the same ids.
    """
    return tuple(proven.fact for proven in proven_facts(outcomes))


def proven_facts(outcomes: Mapping[CheckKind, CheckOutcome]) -> tuple[ProvenFact, ...]:
    """Return the facts with their proofs. Only a check that ran proves anything."""
    return tuple(
        ProvenFact(_fact(kind, number, proof), proof)
        for kind, outcome in outcomes.items()
        if isinstance(outcome, Ran)
        for number, proof in enumerate(outcome.proofs, start=1)
    )


def unverified(outcomes: Mapping[CheckKind, CheckOutcome]) -> tuple[str, ...]:
    """Say what stays unverified, a sentence each: "not verified: tests, because go is not installed".

    A check that had nothing to look at left nothing unverified and is not named.
    """
    return tuple(sentence for kind, outcome in outcomes.items() for sentence in _unverified(kind, outcome))


def _fact(kind: CheckKind, number: int, proof: Proof) -> Fact:
    return Fact(f"{kind}-{number}", one_line(proof.text, _TEXT_LIMIT), kind, _shown(proof.evidence))


def _shown(evidence: Evidence) -> Evidence:
    return attrs.evolve(
        evidence,
        command=None if evidence.command is None else one_line(evidence.command, _COMMAND_LIMIT),
        output_tail=None if evidence.output_tail is None else tail(evidence.output_tail, _TAIL_LIMIT) or None,
        tool=None if evidence.tool is None else one_line(evidence.tool, _TEXT_LIMIT),
        version=None if evidence.version is None else one_line(evidence.version, _TEXT_LIMIT),
    )


def _unverified(kind: CheckKind, outcome: CheckOutcome) -> Iterator[str]:
    match outcome:
        case Skipped(needless=True):
            return
        case Skipped(reason=reason) | Broke(reason=reason):
            yield f"not verified: {kind}, because {_part(reason)}"
        case Ran(unverified=parts):
            yield from (f"not verified by {kind}: {_part(part)}" for part in parts)


def _part(reason: str) -> str:
    return one_line(reason, _TEXT_LIMIT).rstrip(".") or "no reason was given"
