"""Holds rules about lines, and about keys and values, against the places that their anchors led to."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from verify_lsp.security.match import Hit, Match
from verify_lsp.security.patterns import compiled, found
from verify_lsp.security.rule import Entry, Text
from verify_lsp.security.source import Source
from verify_lsp.security.text.lines import Joined, joined, logical_line, without_comment
from verify_lsp.security.text.outline import Item

_INERT = frozenset(
    {
        "comment",
        "line_comment",
        "block_comment",
        "string",
        "string_content",
        "string_fragment",
        "raw_string_literal",
        "interpreted_string_literal",
        "interpreted_string_literal_content",
        "string_literal",
        "regex_pattern",
        "heredoc_body",
        "raw_string",
    }
)
_LONG = 4_000
_WINDOW = 1_500
_Seen = set[tuple[str, int]]


def line_matches(source: Source, hit: Hit, matcher: Text, seen: _Seen, logical: dict[int, Joined]) -> Iterator[Match]:
    """Yield what a rule finds in the logical line around an anchor. `logical` keeps these, as many rules ask for them."""
    rule, offset = hit.rule, hit.offset
    line = source.line_of(offset)
    start, end = source.line_span(line)
    # Of a long line, a window around the anchor is looked at; one window serves all anchors in its half.
    window = 0 if end - start <= _LONG else (offset - start) // _WINDOW
    tried = (f"{rule.id} {matcher.pattern} {window}", line)
    if tried in seen or (rule.id, line) in seen:
        return
    seen.add(tried)
    if end - start > _LONG:
        lines = Joined(_window(source, offset, start, end), line, (0,))
    elif matcher.within == "any":
        lines = Joined(source.slice(start, end), line, (0,))
    else:
        if line not in logical:
            logical[line] = joined(source, *logical_line(source, line))
        lines = logical[line]
    match = compiled(matcher.pattern).search(lines.text)
    if match is None or (matcher.unless and found(matcher.unless, lines.text)):
        return
    if matcher.within == "code" and _is_inert(source, offset):
        return
    first, last = lines.line_at(match.start()), lines.line_at(max(match.end() - 1, match.start()))
    seen.update((rule.id, each) for each in range(first, last + 1))
    at = offset if first == line else source.line_span(first)[0]
    yield Match(rule, at, source.line_span(last)[1], tuple(source.line_span(each) for each in range(first, last + 1)))


def _window(source: Source, offset: int, start: int, end: int) -> str:
    return without_comment(source, source.slice(max(start, offset - _WINDOW), min(end, offset + _WINDOW)))


def _is_inert(source: Source, offset: int) -> bool:
    if source.root is None:
        return False
    node = source.root.descendant_for_byte_range(offset, offset + 1)
    while node is not None and node.parent is not None:
        if node.type in _INERT:
            return True
        if node.type in {"interpolation", "template_substitution"} or node.type.endswith(("_statement", "block")):
            return False
        node = node.parent
    return False


def entry_matches(source: Source, hit: Hit, matcher: Entry, items: Sequence[Item], seen: _Seen) -> Iterator[Match]:
    """Yield what a rule finds in the item around an anchor. `items` are the outline of the text."""
    rule, line = hit.rule, source.line_of(hit.offset)
    index = bisect_right(items, line, key=lambda item: item.first) - 1
    if index < 0:
        return
    item = items[index]
    if not item.first <= line <= item.last or (rule.id, item.first) in seen:
        return
    if not found(matcher.key, item.path) or not found(matcher.value, item.value):
        return
    if matcher.unless is not None and found(matcher.unless, item.value):
        return
    if not _block_fits(source, matcher, item):
        return
    seen.add((rule.id, item.first))
    # A long block of commands is new where the danger in it is.
    decisive = source.line_span(line) if item.last > item.first else source.line_span(item.first)
    at = decisive[0] + _indent(source, decisive)
    yield Match(rule, at, decisive[1], (decisive,))


def _block_fits(source: Source, matcher: Entry, item: Item) -> bool:
    if matcher.block is None and matcher.block_unless is None:
        return True
    first, last = item.block
    block = source.slice(source.line_span(first)[0], source.line_span(last)[1])
    if matcher.block is not None and not found(matcher.block, block):
        return False
    return matcher.block_unless is None or not found(matcher.block_unless, block)


def _indent(source: Source, span: tuple[int, int]) -> int:
    raw = source.data[span[0] : span[1]]
    return len(raw) - len(raw.lstrip())
