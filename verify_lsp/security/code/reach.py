"""What may have come to an expression, as far as texts tell: where nothing did, no tree is needed to say so."""

import re
from collections.abc import Callable

import attrs

from verify_lsp.security.code.bindings import STRETCH, added_names, bound_expressions
from verify_lsp.security.code.routes import has_route
from verify_lsp.security.code.values import sources_pattern
from verify_lsp.security.expressions import Expression
from verify_lsp.security.patterns import first_place, found, found_bytes
from verify_lsp.security.source import Source

_MOST_STEPS = 60
_SIGN = re.compile(rb"[+%]")
_METHOD = re.compile(rb"[fF]ormat|[cC]oncat|join|to_string|as_str|into|as_ref|strip|trim|printf")
# Elsewhere, what looks like a call may be a conversion: `[]byte(a + b)`.
_CALLS_BUILD_NOTHING = frozenset({"python", "javascript", "typescript", "tsx"})


def first_source(source: Source) -> int:
    """Return the first offset where something comes from a request, or the text's length where nothing does."""
    if source.first_source is None:
        pattern = sources_pattern(source.language or "")
        at = -1 if pattern is None else first_place(pattern, source.data)
        source.first_source = at if at >= 0 else len(source.data)
    return source.first_source


def may_be_tainted(source: Source, expression: Expression) -> bool:
    """Say whether an expression can hold what a request brought; it counts all that its names may be bound to."""
    pattern = sources_pattern(source.language or "")
    if pattern is None or first_source(source) >= expression.end:
        return False  # What a name is bound to stands above it.
    if source.language == "python" and has_route(source):
        return True  # The parameters of a function that answers requests come with them.
    return _may_hold(source, expression, _Question("tainted", lambda each: found_bytes(pattern, each.text), _all_names))


def may_be_built(source: Source, expression: Expression) -> bool:
    """Say whether an expression can be a text put together from parts."""
    names = _outer_names if source.language in _CALLS_BUILD_NOTHING else _all_names
    return _may_hold(source, expression, _Question("built", lambda each: _joins(source, each), names))


@attrs.frozen(eq=False)
class _Question:
    """What is asked of an expression: `tells` says yes for one alone, `leads` which of its names to follow."""

    name: str
    tells: Callable[[Expression], bool]
    leads: Callable[[Expression], frozenset[bytes]]


def _all_names(expression: Expression) -> frozenset[bytes]:
    return expression.names


def _outer_names(expression: Expression) -> frozenset[bytes]:
    return expression.outer_names


def may_read(source: Source, name: str, pattern: str, stretch: int) -> bool:
    """Say whether a text that a pattern is found in may be bound to a name in a stretch.

    That text may be known with more after it than belongs to it, so that the pattern must not ask where it ends.
    """
    bound = bound_expressions(source, name, stretch)
    if bound is not None:
        return any(found(pattern, on_one_line(each.text)) for each in bound)
    # What is bound stands somewhere above, but not farther than bindings are looked for.
    asked = ("read", pattern.encode(), frozenset({stretch}))
    if asked not in source.told:
        near = source.data[max(stretch - 1, 0) * STRETCH : (stretch + 1) * STRETCH]
        source.told[asked] = found(pattern, on_one_line(near))
    return source.told[asked]


def on_one_line(text: bytes) -> str:
    """Return a text as rules see it."""
    return " ".join(text.decode("utf-8", "replace").split())


def _may_hold(source: Source, expression: Expression, question: _Question) -> bool:
    asked = (question.name, expression.text, frozenset(_stretches(expression)))
    if asked not in source.told:
        source.told[asked] = _any_tells(source, expression, question)
    return source.told[asked]


def _any_tells(source: Source, expression: Expression, question: _Question) -> bool:
    """Whether one of the expressions that names lead to tells that it is so, or the way to one is not clear."""
    seen: set[tuple[bytes, int]] = set()
    steps = [expression]
    for each in steps:
        if question.tells(each):
            return True
        for asked in ((name, stretch) for stretch in _stretches(each) for name in question.leads(each)):
            if asked in seen:
                continue
            seen.add(asked)
            bound = bound_expressions(source, asked[0].decode("ascii"), asked[1])
            if bound is None or len(seen) + len(steps) > _MOST_STEPS:
                return True
            steps += bound
    return False


def _stretches(expression: Expression) -> set[int]:
    return {expression.start // STRETCH, expression.end // STRETCH}


def _joins(source: Source, expression: Expression) -> bool:
    """Whether an expression joins parts itself, or more is added to a name in it."""
    if expression.has_holes or _METHOD.search(expression.text):
        return True
    by_calls = source.language not in _CALLS_BUILD_NOTHING
    outer, names = (expression.text, expression.names) if by_calls else (expression.outer, expression.outer_names)
    if _SIGN.search(outer) or not names.isdisjoint(added_names(source)):
        return True
    full = (source.names.get(name.decode("ascii"), "") for name in expression.names)
    return any(_METHOD.search(name.encode()) for name in full)
