"""Counts what the security rules find in the labelled corpus: by the corpus's files, and by the families of rules."""

import math
from collections.abc import Collection, Iterable, Mapping

import attrs

from benchmarks.accuracy.corpus import Entry, entries
from verify_lsp.model.finding import Severity
from verify_lsp.security.rules import FAMILIES, family_rules
from verify_lsp.security.scan import scan_text

WEIGHTY = frozenset({"critical", "high", "medium"})


@attrs.frozen
class Score:
    """How often a scanner was right.

    Attributes:
        hits: Dangers that were found.
        bad: Dangers there are.
        wrong: Fine texts in which something was found.
        fine: Fine texts there are.
    """

    hits: int
    bad: int
    wrong: int
    fine: int

    @property
    def precision(self) -> str:
        return share(self.hits, self.hits + self.wrong)

    @property
    def recall(self) -> str:
        return share(self.hits, self.bad)


def wilson(hits: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share; wide where little was seen."""
    if not total:
        return 0.0, 1.0
    z, part = 1.96, hits / total
    middle = part + z * z / (2 * total)
    spread = z * math.sqrt(part * (1 - part) / total + z * z / (4 * total * total))
    return (middle - spread) / (1 + z * z / total), (middle + spread) / (1 + z * z / total)


def share(hits: int, total: int) -> str:
    low, high = wilson(hits, total)
    return f"{hits}/{total} ({low * 100:.0f}–{high * 100:.0f} %)" if total else "–"


Found = Mapping[Entry, frozenset[tuple[str, Severity]]]


def found_in(every: Iterable[Entry]) -> Found:
    """Hold each text against the rules: which find something, and how grave."""
    return {
        each: frozenset(
            (problem.rule, problem.severity)
            for problem in scan_text(each.path, each.text, each.lines, each.removed, rewrites=False)
        )
        for each in every
    }


def flagged_in(found: Found) -> set[Entry]:
    """The texts in which something of medium severity or more is found."""
    return {each for each, told in found.items() if any(severity in WEIGHTY for _, severity in told)}


def score(chosen: Collection[Entry], flagged: Collection[Entry]) -> Score:
    """Count texts; one is flagged or is not, however much was found in it."""
    bad = [each for each in chosen if each.bad]
    hits = sum(each in flagged for each in bad)
    wrong = sum(each in flagged for each in chosen if not each.bad)
    return Score(hits, len(bad), wrong, len(chosen) - len(bad))


def family_scores(found: Found) -> dict[str, Score]:
    """Score each family of rules alone.

    Its dangers are those that one of its rules is made for, and the fine texts are all there are. What a rule says counts
    when it is of medium severity or more, or as grave as that rule ever says it.
    """
    scores = {}
    for family in FAMILIES:
        own = {rule.id: rule.severity for rule in family_rules(family)}
        chosen = [each for each in found if each.rule is None or each.rule in own]
        flagged = {
            each
            for each in chosen
            if any(own.get(rule) == severity or (rule in own and severity in WEIGHTY) for rule, severity in found[each])
        }
        scores[family] = score(chosen, flagged)
    return scores


def page_figures() -> dict[str, str]:
    """What the page of a rule says of its family, by the family."""
    return {
        family: f"precision {scored.precision}, recall {scored.recall}" if scored.bad else "no labelled text yet"
        for family, scored in family_scores(found_in(entries())).items()
    }
