"""What may have come to an expression, as far as texts tell: where nothing did, no tree is needed to say so."""

import re
from collections.abc import Callable

from verify_lsp.security.code.bindings import STRETCH, added_names, bound_expressions
from verify_lsp.security.code.expressions import Expression
from verify_lsp.security.code.routes import has_route
from verify_lsp.security.code.values import sources_pattern
from verify_lsp.security.patterns import found_bytes
from verify_lsp.security.source import Source

_MOST_NAMES = 40
_JOINED = re.compile(rb"[+%]|[fF]ormat|[cC]oncat|join|to_string|as_str|into|as_ref|strip|trim|printf")
_Tells = Callable[[Expression], bool]


def may_be_tainted(source: Source, expression: Expression) -> bool:
    """Say whether an expression can hold what a request brought; it counts all that its names may be bound to."""
    pattern = sources_pattern(source.language or "")
    if pattern is None:
        return False
    if source.language == "python" and has_route(source):
        return True  # The parameters of a function that answers requests come with them.
    return _may_hold(source, expression, "tainted", lambda each: found_bytes(pattern, each.text))


def may_be_built(source: Source, expression: Expression) -> bool:
    """Say whether an expression can be a text put together from parts."""
    return _may_hold(source, expression, "built", lambda each: _joins(source, each))


def _may_hold(source: Source, expression: Expression, question: str, tells: _Tells) -> bool:
    asked = (question, expression.text, frozenset(_stretches(expression)))
    if asked not in source.told:
        source.told[asked] = _any_tells(source, expression, tells)
    return source.told[asked]


def _any_tells(source: Source, expression: Expression, tells: _Tells) -> bool:
    """Whether one of the expressions that names lead to tells that it is so, or the way to one is not clear."""
    seen: set[tuple[bytes, int]] = set()
    left = [expression]
    while left:
        each = left.pop()
        if tells(each):
            return True
        for stretch in _stretches(each):
            for name in each.names:
                if (name, stretch) in seen:
                    continue
                seen.add((name, stretch))
                bound = bound_expressions(source, name.decode("ascii"), stretch)
                if bound is None or len(seen) > _MOST_NAMES:
                    return True
                left += bound
    return False


def _stretches(expression: Expression) -> set[int]:
    return {expression.start // STRETCH, expression.end // STRETCH}


def _joins(source: Source, expression: Expression) -> bool:
    """Whether an expression joins parts itself, or more is added to a name in it."""
    if _JOINED.search(expression.text) is not None or not expression.names.isdisjoint(added_names(source)):
        return True
    full = (source.names.get(name.decode("ascii"), "") for name in expression.names)
    return any(_JOINED.search(name.encode()) for name in full)
