"""The labelled texts that the figures of the documentation are counted with."""

from benchmarks.accuracy.corpus import entries
from benchmarks.accuracy.peers import KINDS, kinds_of
from benchmarks.accuracy.scoring import family_scores, flagged_in, found_in, score, wilson
from verify_lsp.security.rules import FAMILIES, rules

EVERY = entries()


def test_each_danger_names_a_rule_that_there_is():
    known = {rule.id for rule in rules()}

    assert [(each.group, each.number, each.rule) for each in EVERY if each.bad and each.rule not in known] == []


def test_every_family_has_labelled_texts():
    assert {family for family, scored in family_scores(found_in(EVERY)).items() if not scored.bad} == set()


def test_a_text_is_of_one_kind_and_changes_are_of_none():
    kinds = kinds_of(EVERY)

    assert set(kinds.values()) == set(KINDS)
    assert {each.group for each in EVERY if each not in kinds} == {"guards"}


def test_what_is_found_in_a_danger_is_a_hit_and_in_a_fine_text_is_wrong():
    bad = [each for each in EVERY if each.bad][:3]
    fine = [each for each in EVERY if not each.bad][:4]

    counted = score([*bad, *fine], {*bad[:2], *fine[:1]})

    assert (counted.hits, counted.bad, counted.wrong, counted.fine) == (2, 3, 1, 4)
    assert (counted.precision, counted.recall) == ("2/3 (21–94 %)", "2/3 (21–94 %)")


def test_nothing_that_is_fine_is_called_a_danger():
    flagged = flagged_in(found_in(EVERY))

    assert [(each.group, each.number) for each in flagged if not each.bad] == []


def test_a_share_of_few_has_a_wide_interval():
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(10, 10)
    assert 0.7 < low < 0.75
    assert round(high, 9) == 1
    assert len(FAMILIES) == len(family_scores({}))
