"""What protected and is gone: guards on removed lines that no added line brings back."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

import attrs

from verify_lsp.model.change import Line
from verify_lsp.security.match import Match
from verify_lsp.security.patterns import compiled, found
from verify_lsp.security.rule import Guard, Rule
from verify_lsp.security.source import Source
from verify_lsp.security.text.lines import without_comment

_LONG = 2_000


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
        Places(removed, added, len(source.starts)),
    )
    for rule in rules:
        for matcher in rule.match:
            if isinstance(matcher, Guard):
                yield from _gone(source, rule, matcher, change)


@attrs.frozen(eq=False)
class _Change:
    removed: list[tuple[int, str]]
    added_text: list[str]
    places: "Places"


def _gone(source: Source, rule: Rule, matcher: Guard, change: "_Change") -> Iterator[Match]:
    removed, added_text = change.removed, change.added_text
    guards = [(line, text) for line, text in removed if found(matcher.pattern, text) and not _is_prose(text)]
    if not guards:
        return
    back = sum(found(matcher.replaced or matcher.pattern, text) or found(matcher.pattern, text) for text in added_text)
    for line, text in guards[: max(len(guards) - back, 0)]:
        after = change.places.of(line)
        if _guarded_stays(source, text, line, removed, after):
            start, end = source.line_span(after)
            named = compiled(matcher.pattern).search(text)
            yield Match(rule, start, end, ((start, end),), aside=f": `{named.group().strip()[:60]}`" if named else "")


class Places:
    """Where removed lines stood, in the numbers of the text after."""

    def __init__(self, removed: Sequence[Line], added: frozenset[int], total: int) -> None:
        self._removed = sorted(line.line for line in removed)
        self._kept = [line for line in range(1, total + 1) if line not in added]
        self._total = total

    def of(self, line: int) -> int:
        """Return the line that now stands where a removed line stood: one that was added there, or the next that was kept."""
        kept_above = line - 1 - bisect_left(self._removed, line)
        above = self._kept[min(kept_above, len(self._kept)) - 1] if kept_above > 0 and self._kept else 0
        return min(above + 1, self._total)


def _guarded_stays(source: Source, text: str, line: int, removed: list[tuple[int, str]], after: int) -> bool:
    """Whether what was guarded is still there: a decorator's function, a call's statement; not a whole block that went."""
    gone = dict(removed)
    if text.lstrip().startswith("@"):
        following = line + 1
        while gone.get(following, "").lstrip().startswith("@"):
            following += 1
        return following not in gone or _defined(gone[following]) in source.text
    around = sum(number in gone for number in (line - 2, line - 1, line + 1, line + 2))
    return around < 3 and bool(source.line_text(after).strip() or source.text.strip())


def _defined(text: str) -> str:
    head = text.strip()
    return head.split("(")[0] if head.startswith(("def ", "async def ", "class ")) else head


def _is_prose(text: str) -> bool:
    return text.lstrip().startswith(("import ", "from ", "*", "use ", "//", "#", '"'))
