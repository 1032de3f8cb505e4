"""Claims: what an agent's final message asserts, held against the facts.

Precision goes before recall: a claim that is missed costs less than one that was never made.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, get_args

import attrs

from verify_lsp.judgement.facts import proven_facts
from verify_lsp.judgement.sayings.deeds import said_of_deeds
from verify_lsp.judgement.sayings.denials import neutral
from verify_lsp.judgement.sayings.guards import guard_of
from verify_lsp.judgement.sayings.held_against import Known, Verdict, held_against_checks
from verify_lsp.judgement.sayings.held_against_change import Deeds, held_against_change
from verify_lsp.judgement.sayings.predicates import said_of_checks
from verify_lsp.judgement.sayings.said import CheckClaim, Said
from verify_lsp.judgement.sayings.sentences import Sentence, sentences_of
from verify_lsp.model.change import Change
from verify_lsp.model.fact import Claim
from verify_lsp.model.finding import CheckKind
from verify_lsp.model.outcome import CheckOutcome
from verify_lsp.model.scope import ScopeKind

_ABOUT_CHECKS = frozenset({*get_args(CheckClaim), "verified-manually"})


class JudgedMessage(NamedTuple):
    """The claims of a message, and how much of it was read.

    Attributes:
        claims: In the order they were made, each once.
        examined: Sentences that were searched for claims.
        total: All sentences, with those in tables, quotations, plans, other languages, or far from the end.
    """

    claims: tuple[Claim, ...]
    examined: int
    total: int


def judge_claims(
    message: str,
    change: Change,
    outcomes: Mapping[CheckKind, CheckOutcome],
    *,
    scope: ScopeKind = "working-tree",
) -> JudgedMessage:
    """Find the claims of `message`, and say for each whether the facts of the run bear it out.

    Facts are named by the ids that `facts.facts` gives for the same outcomes. `scope` says how the change was chosen:
    only in a `session` is every file of it the agent's own doing.
    """
    known = Known(outcomes, proven_facts(outcomes))
    deeds = Deeds(change, scope, known)
    sentences = sentences_of(message)
    examined = [sentence for sentence in sentences if sentence.aside is None]
    claims = (_claim(sentence, said, deeds) for sentence in examined for said in claims_in(sentence))
    return JudgedMessage(tuple(dict.fromkeys(claims)), len(examined), len(sentences))


def claims_in(sentence: Sentence) -> tuple[Said, ...]:
    """Return what a sentence claims, one claim a kind; guarded ones are left out, hedged ones are marked so."""
    text = neutral(sentence.marked)
    found: dict[str, Said] = {}
    for said in sorted(_unguarded(text, sentence.spans), key=lambda said: said.start):
        first = found.get(said.kind)
        found[said.kind] = said if first is None else _merged(first, said)
    return tuple(found.values())


def _unguarded(text: str, spans: tuple[str, ...]) -> Iterator[Said]:
    for said in (*said_of_checks(text, spans), *said_of_deeds(text, spans)):
        guard = guard_of(text, said, about_checks=said.kind in _ABOUT_CHECKS)
        if guard is None or guard == "hedged":
            yield attrs.evolve(said, hedged=said.hedged or guard == "hedged")


def _merged(first: Said, more: Said) -> Said:
    """Two mentions of one kind in one sentence are one claim: "all tests pass (12 passed)"."""
    return attrs.evolve(
        first,
        count=more.count if first.count is None else first.count,
        every=first.every or more.every,
        hedged=first.hedged and more.hedged,
        names=tuple(dict.fromkeys((*first.names, *more.names))),
    )


def _claim(sentence: Sentence, said: Said, deeds: Deeds) -> Claim:
    status, facts = _verdict(said, deeds)
    return Claim(sentence.text, said.kind, status, facts)


def _verdict(said: Said, deeds: Deeds) -> Verdict:
    if said.hedged:
        return ("hedged", ())
    if said.kind in get_args(CheckClaim):
        return held_against_checks(said, deeds.known)
    return held_against_change(said, deeds)
