"""What protected and is gone: guards on removed lines that no added line brings back."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import attrs

from verify_lsp.model.change import Line
from verify_lsp.security.match import Match
from verify_lsp.security.patterns import compiled, found
from verify_lsp.security.rule import Guard, Rule
from verify_lsp.security.source import Source
from verify_lsp.security.text.lines import without_comment

_LONG = 2_000
_TELLING = 12
_COMPARED = 500
_SIMILAR = 0.7
_BLOCK = 3


def guard_matches(
    source: Source, rules: Sequence[Rule], added: frozenset[int], removed: Sequence[Line]
) -> Iterator[Match]:
    """Yield guards that were taken away while what they guarded stays.

    A guard is brought back by any added line of the file that holds the same one, or one that takes its place; there
    must be fewer than there were. Where lines were removed is told from the numbers alone.
    """
    change = _Change(
        [(line.line, without_comment(source, line.text[:_LONG])) for line in removed],
        [without_comment(source, source.line_text(line)[:_LONG]) for line in sorted(added)],
        Places(removed, added, source.line_count),
    )
    for rule in rules:
        for matcher in rule.match:
            if isinstance(matcher, Guard):
                yield from _gone(source, rule, matcher, change)


@attrs.frozen(eq=False)
class _Change:
    removed: list[tuple[int, str]]
    added: list[str]
    places: "Places"


def _gone(source: Source, rule: Rule, matcher: Guard, change: "_Change") -> Iterator[Match]:
    guards = [(line, text) for line, text in change.removed if found(matcher.pattern, text) and not _is_prose(text)]
    if not guards:
        return
    back = sum(max(_count(matcher.replaced, text), _count(matcher.pattern, text)) for text in change.added)
    gone = sum(_count(matcher.pattern, text) for _, text in guards)
    for line, text in guards[: max(gone - back, 0)]:
        after = change.places.of(line)
        if _guarded_stays(source, line, matcher, change):
            start, end = source.line_span(after)
            named = compiled(matcher.pattern).search(text)
            aside = f": `{named.group().strip()[:60]}`" if named else ""
            yield Match(rule, start, end, ((start, end),), aside=aside)


class Places:
    """Where removed lines stood, in the numbers of the text after."""

    def __init__(self, removed: Sequence[Line], added: frozenset[int], total: int) -> None:
        self._removed = sorted(line.line for line in removed)
        here = sorted(line for line in added if 1 <= line <= total)
        # How many lines were kept above each added one; no list of all lines is made, for there may be many.
        self._kept_above = [line - number for number, line in enumerate(here, start=1)]
        self._kept_count = total - len(here)
        self._total = total

    def of(self, line: int) -> int:
        """Return the line that now stands where a removed line stood: one that was added there, or the next that was kept."""
        kept_above = min(line - 1 - bisect_left(self._removed, line), self._kept_count)
        # A kept line stands below all added ones that have fewer kept lines above them.
        above = kept_above + bisect_left(self._kept_above, kept_above) if kept_above > 0 else 0
        return min(above + 1, self._total)


def _guarded_stays(source: Source, line: int, matcher: Guard, change: "_Change") -> bool:
    """Whether what was guarded is still there: a decorator's function, a call's other arguments, the lines around."""
    gone = dict(change.removed)
    text = gone[line]
    if text.lstrip().startswith("@"):
        following = line + 1
        while gone.get(following, "").lstrip().startswith("@"):
            following += 1
        return following not in gone or _defined(gone[following]) in source.text
    rest = compiled(matcher.pattern).sub("", text)
    if len(rest.strip()) > _TELLING and any(_alike(rest, other) for other in change.added[:_COMPARED]):
        return True
    first = last = line
    while first - 1 in gone:
        first -= 1
    while last + 1 in gone:
        last += 1
    return last - first < _BLOCK and bool(source.text.strip()) and not _is_definition(gone.get(line - 1, ""))


def _count(pattern: str | None, text: str) -> int:
    return 0 if pattern is None else sum(1 for _ in compiled(pattern).finditer(text))


def _alike(left: str, right: str) -> bool:
    return SequenceMatcher(None, left.strip()[:300], right.strip()[:300], autojunk=False).ratio() >= _SIMILAR


def _is_definition(text: str) -> bool:
    return bool(re.match(r"\s*(?:async\s+)?(?:def|class|func|fn|function|export)\b", text))


def _defined(text: str) -> str:
    head = text.strip()
    return head.split("(")[0] if _is_definition(head) else head


def _is_prose(text: str) -> bool:
    return text.lstrip().startswith(("import ", "from ", "*", "use ", "//", "#"))
