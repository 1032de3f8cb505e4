"""Holds one text against the security rules."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, cached_property

from verify_lsp.model.change import Line
from verify_lsp.model.finding import Problem, Severity
from verify_lsp.model.rewrite import Rewrite
from verify_lsp.security.code.matching import code_matches
from verify_lsp.security.code.peek import may_match
from verify_lsp.security.code.sites import Code
from verify_lsp.security.code.values import sources_pattern
from verify_lsp.security.match import Hit, Match
from verify_lsp.security.patterns import Anchor, found, found_bytes
from verify_lsp.security.redact import Redaction, cut
from verify_lsp.security.rule import Assigned, Bind, Call, Entry, Guard, Matcher, Rule, Secret, Text
from verify_lsp.security.rules import anchors_for, any_guard_for, guards_for, rules, rules_by_anchor
from verify_lsp.security.secrets.matching import assigned_matches, secret_matches
from verify_lsp.security.source import Source
from verify_lsp.security.text.lines import Joined
from verify_lsp.security.text.matching import entry_matches, line_matches
from verify_lsp.security.text.outline import Item, outline
from verify_lsp.security.text.removed import Places, guard_matches

_PLACES_LIMIT = 40_000
_CROWDED_BYTES = 100_000
_A_RULE_LIMIT = 100
_NEAR_LINES = 40
_TEXT_LIMIT = 50_000_000


def scan_text(
    path: str, text: str, lines: frozenset[int] | None = None, removed: Sequence[Line] = (), *, rewrites: bool = True
) -> tuple[Problem, ...]:
    """Return what the rules find, in the order of the lines; secrets are redacted in every word of it.

    Suppressions and the levels of the settings are not applied here: see `judgement.suppressions` and `judgement.sift`.

    Args:
        path: Workspace-relative; its name chooses the rules.
        text: The whole text after the change, or as much of it as is known at its right lines.
        lines: The lines that count as added, 1-based; None for all. A finding is one when what is decisive about it
            stands on such a line, or was taken away from within it.
        removed: The lines that are gone, numbered as before the change.
        rewrites: Whether to work out safe rewrites, which costs a parse each.
    """
    return Scan(path, text, lines, removed).problems(rewrites=rewrites)


def unscanned(path: str, text: str) -> str | None:
    """Say what of a text the rules cannot look at, in plain words; None where they see all of it."""
    return Scan(path, text).gap()


class Scan:
    """One text on its way through the rules; the arguments are those of `scan_text`."""

    def __init__(self, path: str, text: str, lines: frozenset[int] | None = None, removed: Sequence[Line] = ()) -> None:
        self.is_too_long = len(text) > _TEXT_LIMIT
        self.source = Source(path, "" if self.is_too_long else text)
        self.lines = lines
        self.removed = removed
        self.seen: set[tuple[str, int]] = set()
        self.logical: dict[int, Joined] = {}

    def gap(self) -> str | None:
        """Say what of the text the rules cannot look at, in plain words; None where they see all of it."""
        path, why = self.source.path, self.source.unparsed
        if self.is_too_long:
            return f"{path} is longer than {_TEXT_LIMIT // 1_000_000} MB"
        if why is not None:
            return f"the code of {path} (it {why if why.startswith('has') else f'is {why}'})"
        if len(self.source.data) > _CROWDED_BYTES and self._hits[1]:
            return f"the end of {path} (it has more places to look at than {_PLACES_LIMIT:,})"
        return None

    def problems(self, *, rewrites: bool = True) -> tuple[Problem, ...]:
        """Return what the rules find, in the order of the lines."""
        if self.is_too_long or (self.lines is not None and not self.lines and not self.removed):
            return ()
        redaction = Redaction()
        kept: dict[tuple[str, int], Match] = {}
        counts: dict[str, int] = {}
        for match in self._matches():
            for start, end in match.secrets:
                redaction.add(self.source.slice(start, end), match.shown)
            if self._is_new(match) and counts.get(match.rule.id, 0) < _A_RULE_LIMIT:
                counts[match.rule.id] = counts.get(match.rule.id, 0) + 1
                kept.setdefault((match.rule.id, match.start), match)
        lines = {(match.rule.id, self.source.line_of(match.start)) for match in kept.values()}
        told = [match for match in kept.values() if not self._is_behind(match, lines)]
        problems = [self._problem(match, rewrites=rewrites) for match in _without_doubles(told)]
        ordered = sorted(problems, key=lambda problem: (problem.line, problem.column or 0, problem.rule))
        return tuple(cut(redaction.problem(problem)) for problem in ordered)

    def _matches(self) -> Iterator[Match]:
        by_anchor = rules_by_anchor(self.source.kinds)
        fitting: dict[str, bool] = {}
        for anchor, offset in self._hits[0]:
            for rule in by_anchor[anchor]:
                if rule.id not in fitting:
                    fitting[rule.id] = self._fits_file(rule)
                if fitting[rule.id]:
                    yield from self._matches_at(Hit(rule, anchor.word, offset))
        if self.removed and self._lost_a_guard():
            yield from self._guard_matches()

    def _lost_a_guard(self) -> bool:
        """Whether any guard stood on a removed line, so that it is worth asking which, and whether it came back."""
        pattern = any_guard_for(self.source.kinds)
        return pattern is not None and found(pattern, "\n".join(line.text for line in self.removed))

    def _guard_matches(self) -> Iterator[Match]:
        lines = self.lines
        if lines is None:
            lines = frozenset(range(1, self.source.line_count + 1))
        yield from guard_matches(self.source, guards_for(self.source.kinds), lines, self.removed)

    @cached_property
    def _hits(self) -> tuple[list[tuple[Anchor, int]], bool]:
        """Anchors and their offsets on the lines that count and near them, and whether there were too many.

        A call may reach over many lines. Most texts have no anchor at all, so that nobody asks where lines begin.
        """
        anchors, data = anchors_for(self.source.kinds), self.source.data
        if self.lines is None:
            hits = list(anchors.hits(data, _PLACES_LIMIT))
            return hits, len(hits) >= _PLACES_LIMIT
        if next(anchors.hits(data, 1), None) is None:
            return [], False
        found, crowded = [], False
        for start, end in self.source.spans_of(_ranges(sorted(self.lines | self.gaps), self.source.line_count)):
            hits = list(anchors.hits(data, _PLACES_LIMIT, start, end))
            found += hits
            crowded = crowded or len(hits) >= _PLACES_LIMIT
        return found, crowded

    def _fits_file(self, rule: Rule) -> bool:
        if rule.in_tests == "off" and self.source.is_test:
            return False
        data = self.source.data
        if rule.id in _needing_request() and not self.has_request:
            return False
        if rule.file is not None and not found_bytes(rule.file, data):
            return False
        return rule.file_unless is None or not found_bytes(rule.file_unless, data)

    def _matches_at(self, hit: Hit) -> Iterator[Match]:
        coded = False
        for matcher in hit.rule.match:
            match matcher:
                case Call() | Bind() if not coded:
                    coded = True
                    if self._begins_a_word(hit) and may_match(self.source, hit) and self.code is not None:
                        yield from code_matches(self.code, hit, self.seen)
                case Text():
                    yield from line_matches(self.source, hit, matcher, self.seen, self.logical)
                case Entry():
                    yield from entry_matches(self.source, hit, matcher, self.items, self.seen)
                case Secret():
                    yield from secret_matches(self.source, hit, matcher)
                case Assigned():
                    yield from assigned_matches(self.source, hit, matcher, self.seen)
                case _:
                    pass

    def _begins_a_word(self, hit: Hit) -> bool:
        """Whether an anchor is not merely the end of a longer word, for which no tree need be made."""
        before, first = self.source.data[hit.offset - 1 : hit.offset] if hit.offset else b"", hit.word[0]
        hump = first.isupper() and not before.isupper()
        return not (first.isalnum() and before.isalnum()) or hump

    @cached_property
    def has_request(self) -> bool:
        """Whether anything here comes from a request, so that rules about that need the tree."""
        pattern = sources_pattern(self.source.language or "")
        return pattern is not None and found_bytes(pattern, self.source.data)

    @cached_property
    def code(self) -> Code | None:
        """The parsed text; None where there is no tree."""
        root = self.source.root
        return Code(self.source, root) if root is not None else None

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The text's keys and values."""
        return outline(self.source)

    @cached_property
    def gaps(self) -> frozenset[int]:
        """The lines in front of which lines were removed."""
        if not self.removed:
            return frozenset()
        places = Places(self.removed, self.lines or frozenset(), self.source.line_count)
        return frozenset(places.of(line.line) for line in self.removed)

    def _is_new(self, match: Match) -> bool:
        if self.lines is None:
            return True
        if any(isinstance(matcher, Guard) for matcher in match.rule.match):
            return True
        for start, end in match.decisive:
            first, last = self.source.line_of(start), self.source.line_of(max(end - 1, start))
            if any(line in self.lines for line in range(first, min(last, first + 500) + 1)):
                return True
        if match.whole is None or not self.removed:
            return False
        first, last = self.source.line_of(match.whole[0]), self.source.line_of(match.whole[1])
        return any(first < line <= last for line in self.gaps)

    def _problem(self, match: Match, *, rewrites: bool) -> Problem:
        source, rule = self.source, match.rule
        line = source.line_of(match.start)
        end_line = source.line_of(max(match.end - 1, match.start))
        return Problem(
            path=source.path,
            line=line,
            severity=self._severity(match),
            rule=rule.id,
            message=rule.message + match.aside,
            column=source.column(match.start),
            end_line=end_line,
            end_column=source.column(max(match.end, match.start)),
            suggestion=rule.suggestion,
            evidence=source.line_text(line).strip(),
            cwe=rule.cwe,
            rewrite=self._rewrite(match) if rewrites else None,
        )

    def _is_behind(self, match: Match, lines: set[tuple[str, int]]) -> bool:
        line = self.source.line_of(match.start)
        return any((rule, line) in lines for rule in match.rule.behind)

    def _severity(self, match: Match) -> Severity:
        rule = match.rule
        if self.source.is_test and rule.in_tests is not None and rule.in_tests != "off":
            return min(rule.severity, rule.in_tests, key=_RANK.__getitem__)
        return "high" if match.aside and rule.severity == "critical" else rule.severity

    def _rewrite(self, match: Match) -> Rewrite | None:
        if match.rule.rewrite is None or self.code is None or match.site is None:
            return None
        from verify_lsp.security.rewrites.registry import rewrite_for

        return rewrite_for(self.code, match)


def _ranges(lines: Sequence[int], total: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of lines that are near to some, in order and apart from each other."""
    index = 0
    while index < len(lines) and lines[index] - _NEAR_LINES <= total:
        first, last = max(lines[index] - _NEAR_LINES, 1), 0
        # A step for all lines within reach at once: of a new file, every line is one.
        while last < (last := lines[index] + _NEAR_LINES):
            index = bisect_right(lines, last + _NEAR_LINES + 1) - 1
        index += 1
        yield first, min(last, total)


@cache
def _needing_request() -> frozenset[str]:
    """Return the rules that are only about what a request brought."""
    return frozenset(rule.id for rule in rules() if all(_is_about_request(matcher) for matcher in rule.match))


def _is_about_request(matcher: Matcher) -> bool:
    return isinstance(matcher, Call) and any(condition.kind == "tainted" for condition in matcher.when)


_RANK: dict[Severity, int] = {"info": 0, "low": 1, "medium": 2, "high": 3, "critical": 4}


def _without_doubles(matches: list[Match]) -> list[Match]:
    """Return matches less those of a general rule about a secret that a specific rule found as well."""
    named = {span for match in matches for span in match.secrets if not isinstance(match.rule.match[0], Assigned)}

    def is_double(match: Match) -> bool:
        if not isinstance(match.rule.match[0], Assigned):
            return False
        return any(start < end_of and begin < end for start, end in match.secrets for begin, end_of in named)

    return [match for match in matches if not is_double(match)]
