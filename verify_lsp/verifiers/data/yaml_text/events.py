"""Reads a YAML text as events: nothing is constructed, so no tag, alias or anchor can do anything.

PyYAML has two parsers, and what one of them reads is taken for right: the one in C is quick, the one in Python is
nearer to YAML 1.2 here and there.
"""

import re
from collections.abc import Iterator
from typing import Any

import attrs
import yaml  # type: ignore[import-untyped]  # PyYAML brings no types

from verify_lsp.verifiers.data.places import Span

_SECOND_LOOK_LIMIT = 300_000
"""Characters: the parser in Python takes 0.1 ms a line."""

# Line breaks in YAML 1.1, which the parsers read, and letters like any other in YAML 1.2.
_OTHER_BREAKS = re.compile("[\x85\u2028\u2029]")
# On lines that hold nothing else, and between a list's dash and a simple value.
_HARMLESS_TABS = (
    re.compile(r"^[ \t]*\t[ \t]*$", re.MULTILINE),
    re.compile(r"^ *(?:[-?:] +)*[-?:] *\t[ \t]*(?=[^-?:\s#][^:\n]*$)", re.MULTILINE),
)
_STRICTER_IN_C = ("directive name", "incompatible YAML", "unexpected ':'", "indentation space is expected")
_ABOUT_TABS = ("tab character", "cannot start any token")
_TOO_DEEP = "exceeded maximum nesting depth"


@attrs.frozen
class Repeated:
    """A key that stands twice in one mapping: where each one is, and where the value of each ends.

    Attributes:
        plain: True where both members are one key and one scalar, each on a line of its own.
    """

    name: str
    first: Span
    second: Span
    plain: bool


@attrs.frozen
class SyntaxFault:
    """Why the text is no YAML: the parser's own words, and the offset they are about.

    Attributes:
        context_offset: Where what it was reading began.
        open_bracket: Where the innermost `[` or `{` stands that was not closed.
    """

    problem: str
    context: str
    offset: int
    context_offset: int | None
    open_bracket: int | None = None


@attrs.frozen
class Events:
    """What was read.

    Attributes:
        fault: None where the whole text is YAML.
        too_deep: True when the parser gave up for the depth of the text.
        repeated: Keys that stand twice.
        undefined: Aliases to anchors that are not there.
        literal: Where block scalars stand, whose content is text and not YAML.
        continued: The lines, 0-based and from first to last, on which texts go on that began on a line above.
        spread: True where a text in quotes, or what stands in brackets, goes on on a further line.
        nested_key: The offset of the first flow mapping that is the key of another, as `{{ x }}` is.
        shape: The structure and the values, without places.
    """

    fault: SyntaxFault | None
    too_deep: bool
    repeated: tuple[Repeated, ...]
    undefined: tuple[tuple[str, Span], ...]
    literal: tuple[Span, ...]
    continued: tuple[range, ...]
    spread: bool
    nested_key: int | None
    shape: tuple[Any, ...]


def read_events(text: str) -> Events:
    """Read `text`, which has no byte order mark and only characters that YAML allows."""
    if _OTHER_BREAKS.search(text) is not None:
        text = _OTHER_BREAKS.sub("\xa0", text)
    walk = _Walk()
    fault = _walked(walk, text, yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader)
    if fault is not None and fault.problem == _TOO_DEEP:
        return walk.events(None, too_deep=True)
    for again_text, loader in _second_looks(text, fault):
        again = _Walk()
        if _walked(again, again_text, loader) is None:
            return again.events(None)
    return walk.events(fault)


@attrs.define
class _Open:
    """A mapping (`keys`) or a sequence (None) that is being read."""

    keys: dict[object, "_Key"] | None
    flow: bool
    at_key: bool = True
    key: "_Key | None" = None
    start: int = 0
    line: int = 0


@attrs.define
class _Key:
    name: str
    start: int
    line: int
    end: int = 0
    plain: bool = False


@attrs.define
class _Walk:
    stack: list[_Open] = attrs.field(factory=list)
    anchors: set[str] = attrs.field(factory=set)
    repeated: list[tuple["_Key", "_Key"]] = attrs.field(factory=list)
    undefined: list[tuple[str, Span]] = attrs.field(factory=list)
    literal: list[Span] = attrs.field(factory=list)
    continued: list[range] = attrs.field(factory=list)
    spread: bool = False
    nested_key: int | None = None
    shape: list[Any] = attrs.field(factory=list)

    def events(self, fault: SyntaxFault | None, *, too_deep: bool = False) -> Events:
        return Events(
            fault,
            too_deep,
            tuple(_repeated(first, second) for first, second in self.repeated),
            tuple(self.undefined),
            tuple(self.literal),
            tuple(self.continued),
            self.spread,
            self.nested_key,
            tuple(self.shape),
        )

    def take(self, event: Any) -> None:
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self._scalar(event)
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            self._open(event, is_mapping=kind is yaml.MappingStartEvent)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            closed = self.stack.pop()
            self.spread = self.spread or (closed.flow and closed.line != event.end_mark.line)
            self.shape.append("end")
            self._node_done(event.end_mark.index)
        elif kind is yaml.AliasEvent:
            self._alias(event)
        elif kind is yaml.DocumentStartEvent:
            self.anchors.clear()
            self.shape.append("document")

    def _scalar(self, event: Any) -> None:
        if event.anchor:
            self.anchors.add(event.anchor)
        start, end = event.start_mark, event.end_mark
        if event.style in {"|", ">"}:
            self.literal.append(Span(start.index, end.index))
        if start.line != end.line:
            self.spread = self.spread or event.style in {"'", '"'}
            self.continued.append(range(start.line + 1, end.line + (1 if end.column else 0)))
        self.shape.append(event.value)
        if not self.stack or (mapping := self.stack[-1]).keys is None:
            return
        on_one_line = start.line == end.line and not event.anchor
        if mapping.at_key:
            # A plain 1 and a quoted one are different keys; a plain and a quoted word are not.
            bare = event.implicit[0] and not event.value[:1].isalpha()
            mapping.key = _Key(event.value, start.index, start.line, end.index, on_one_line and not mapping.flow)
            self._member(mapping, (bare, event.tag, event.value), mapping.key)
        elif mapping.key is not None:
            mapping.key.end = end.index
            mapping.key.plain = mapping.key.plain and on_one_line and start.line == mapping.key.line
        mapping.at_key = not mapping.at_key

    def _alias(self, event: Any) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        if event.anchor not in self.anchors:
            self.undefined.append((event.anchor, Span(start, end)))
        self.shape.append(("alias", event.anchor))
        self._node_done(end)

    def _open(self, event: Any, *, is_mapping: bool) -> None:
        if event.anchor:
            self.anchors.add(event.anchor)
        flow = bool(event.flow_style)
        parent = self.stack[-1] if self.stack else None
        if is_mapping and flow and self.nested_key is None and parent is not None and parent.flow:
            first_key = parent.keys is not None and parent.at_key
            if first_key and event.start_mark.index == parent.start + 1:
                self.nested_key = parent.start
        self.shape.append("mapping" if is_mapping else "sequence")
        start = event.start_mark
        self.stack.append(_Open({} if is_mapping else None, flow, start=start.index, line=start.line))

    def _node_done(self, end: int) -> None:
        """A node that is no scalar came to its end: as a key it has no name, as a value it completes a member."""
        if not self.stack or (mapping := self.stack[-1]).keys is None:
            return
        if mapping.at_key:
            mapping.key = None
        elif mapping.key is not None:
            mapping.key.end = end
            mapping.key.plain = False
        mapping.at_key = not mapping.at_key

    def _member(self, mapping: _Open, identity: object, key: _Key) -> None:
        assert mapping.keys is not None  # noqa: S101  # asked for by the caller
        first = mapping.keys.setdefault(identity, key)
        if first is not key:
            self.repeated.append((first, key))


def _repeated(first: _Key, second: _Key) -> Repeated:
    spans = (Span(first.start, first.end), Span(second.start, second.end))
    return Repeated(first.name, *spans, plain=first.plain and second.plain)


def _second_looks(text: str, fault: SyntaxFault | None) -> Iterator[tuple[str, Any]]:
    """Yield what else to read, and with which parser, where the fault may be one of the first parser's own."""
    if fault is None or len(text) > _SECOND_LOOK_LIMIT:
        return
    if any(words in fault.problem for words in _STRICTER_IN_C):
        yield text, yaml.SafeLoader
    if "\t" in text and any(words in fault.problem for words in _ABOUT_TABS):
        yield _smoothed(text), yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


def _walked(walk: _Walk, text: str, loader: Any) -> SyntaxFault | None:
    try:
        for event in _parsed(text, loader):
            walk.take(event)
    except yaml.MarkedYAMLError as error:
        context = error.context_mark.index if error.context_mark is not None else None
        offset = error.problem_mark.index if error.problem_mark is not None else context or 0
        brackets = [each.start for each in walk.stack if each.flow]
        return SyntaxFault(
            error.problem or "", error.context or "", offset, context, brackets[-1] if brackets else None
        )
    except yaml.YAMLError as error:
        return SyntaxFault(str(error), "", 0, None)
    return None


def _smoothed(text: str) -> str:
    """Return the text, no longer and no shorter, without the tabs that YAML allows and the parsers do not."""
    for tabs in _HARMLESS_TABS:
        text = tabs.sub(lambda found: found[0].replace("\t", " "), text)
    return text


def _parsed(text: str, loader: Any) -> Iterator[Any]:
    events: Iterator[Any] = yaml.parse(text, Loader=loader)
    return events
