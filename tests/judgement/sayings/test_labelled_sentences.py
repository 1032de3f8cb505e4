"""How often the patterns are right, measured on sentences that were labelled by hand; docs/judgement.md says so."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from verify_lsp.judgement.claims import claims_in
from verify_lsp.judgement.sayings.sentences import sentences_of

HERE = Path(__file__).parent
DOCS = HERE.parents[2] / "docs" / "judgement.md"


def labelled() -> Iterator[tuple[frozenset[str], str]]:
    for line in (HERE / "labelled-sentences.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            kinds, _, said = line.partition(" | ")
            yield frozenset(kinds.split()) - {"-"}, said.replace("\\n", "\n")


def found_in(message: str) -> frozenset[str]:
    """The kinds of a message's claims, hedged ones with a tilde."""
    examined = (sentence for sentence in sentences_of(message) if sentence.aside is None)
    return frozenset(("~" if said.hedged else "") + said.kind for sentence in examined for said in claims_in(sentence))


def measure() -> tuple[int, int, int, int]:
    sentences, right, wrong, missed = 0, 0, 0, 0
    for wanted, message in labelled():
        found = found_in(message)
        sentences += 1
        right += len(wanted & found)
        wrong += len(found - wanted)
        missed += len(wanted - found)
    return sentences, right, wrong, missed


def test_there_are_enough_sentences_and_more_of_them_claim_nothing():
    every = list(labelled())
    assert len(every) >= 600
    assert sum(not kinds for kinds, _ in every) > len(every) / 2
    assert len({said for _, said in every}) == len(every)


@pytest.mark.parametrize("said", [said for kinds, said in labelled() if not kinds])
def test_nothing_is_read_into_a_sentence_that_claims_nothing(said):
    assert found_in(said) == frozenset()


def test_what_is_found_is_right_and_little_is_missed():
    _, right, wrong, missed = measure()
    assert wrong == 0
    assert right / (right + missed) >= 0.98


def test_the_documentation_gives_these_figures():
    sentences, right, wrong, missed = measure()
    row = re.search(r"\| all five batches \| (\d+) \| (\d+) \| ([\d.]+) \| ([\d.]+) \|", DOCS.read_text("utf-8"))
    assert row is not None
    assert row.groups() == (
        str(sentences),
        str(right + missed),
        f"{right / (right + wrong):.3f}",
        f"{right / (right + missed):.3f}",
    )
