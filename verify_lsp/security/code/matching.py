"""Holds rules about calls and bindings against the places that their anchors led to."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from verify_lsp.security.code.bindings import bound_value
from verify_lsp.security.code.sites import Code, unwrapped
from verify_lsp.security.code.values import is_kind
from verify_lsp.security.match import Hit, Match
from verify_lsp.security.patterns import found, matches_whole, names_match
from verify_lsp.security.rule import Arg, Bind, Call, Kind, Rule
from verify_lsp.security.site import BindSite, CallSite

if TYPE_CHECKING:
    from tree_sitter import Node

_COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
_BARRIERS = frozenset(
    {
        "block",
        "statement_block",
        "class_body",
        "module",
        "program",
        "source_file",
        "function_definition",
        "function_declaration",
        "function_item",
    }
)
_Seen = set[tuple[str, int]]


def code_matches(code: Code, hit: Hit, seen: _Seen) -> Iterator[Match]:
    """Yield what a rule matches around an anchor."""
    rule = hit.rule
    opens = _parenthesis(hit)
    for node in code.around(hit.offset, len(hit.word)):
        if node.type in _BARRIERS or node.type in _COMMENTS:
            return
        if (rule.id, node.id) in seen:
            continue
        seen.add((rule.id, node.id))
        match = _match_at(code, rule, node)
        if match is not None:
            yield match
        site = code.call(node) if opens is not None else None
        if site is not None and site.callee_node.end_byte == opens:
            return


def _parenthesis(hit: Hit) -> int | None:
    """Return where the call opens that an anchor names; calls around it have an anchor in their own names.

    None where the anchor may stand in an argument, or a rule is about bindings.
    """
    if not hit.word.endswith("(") or not all(isinstance(matcher, Call) for matcher in hit.rule.match):
        return None
    return hit.offset + len(hit.word.encode()) - 1


def _match_at(code: Code, rule: Rule, node: "Node") -> Match | None:
    call = bind = None
    for matcher in rule.match:
        if isinstance(matcher, Call):
            call = call or code.call(node)
            if call is not None and (match := _match_call(code, rule, matcher, call)):
                return match
        elif isinstance(matcher, Bind):
            bind = bind or code.bind(node)
            if bind is not None and (match := _match_bind(code, rule, matcher, bind)):
                return match
    return None


def _match_call(code: Code, rule: Rule, matcher: Call, site: CallSite) -> Match | None:
    if not names_match(matcher.callee, site.callee) or not _receiver_fits(code, matcher, site):
        return None
    decisive = [site.callee_node]
    for condition in matcher.when:
        held = _held_by(code, condition, site)
        if held is None:
            return None
        decisive += [held] if held is not site.node else []
    if any(_held_by(code, condition, site) is not None for condition in matcher.unless):
        return None
    if not _statement_fits(code, site.node, matcher) or _is_inside(code, site.node, matcher.outside):
        return None
    at = decisive[-1] if matcher.when and decisive[-1] is not site.callee_node and rule.rewrite else site.callee_node
    spans = tuple((node.start_byte, node.end_byte) for node in decisive)
    return Match(rule, at.start_byte, site.node.end_byte, spans, (site.node.start_byte, site.node.end_byte), site)


def _receiver_fits(code: Code, matcher: Call, site: CallSite) -> bool:
    if matcher.receiver is None:
        return True
    function = site.callee_node.parent
    receiver = function.named_children[0] if function is not None and function.named_child_count else None
    bound = bound_value(code, receiver) if receiver is not None and receiver.type == "identifier" else None
    made = None if bound is None else code.call(bound)
    return made is not None and matches_whole(matcher.receiver, made.callee)


def _held_by(code: Code, condition: Arg, site: CallSite) -> "Node | None":
    """Return the argument by which a condition holds; the call itself where that is its absence; None where it fails."""
    given = list(_given(condition.at, site))
    if condition.absent:
        return None if given or site.open else site.node
    return next((node for node in given if _fits(code, condition, node)), None)


def _given(at: tuple[int | str, ...], site: CallSite) -> Iterable["Node"]:
    if at == ("*",):
        yield from site.positional
        yield from site.named.values()
        return
    for name in at:
        if isinstance(name, int):
            if name < len(site.positional) and not (name == 0 and _is_splat(site.positional[0])):
                yield site.positional[name]
                return
        elif name in site.named:
            yield site.named[name]
            return


def _is_splat(node: "Node") -> bool:
    return node.type in {"list_splat", "dictionary_splat"}


def _fits(code: Code, condition: Arg, node: "Node") -> bool:
    if condition.kind is not None and not _is_kind(code, node, condition.kind):
        return False
    if condition.text is None:
        return True
    if matches_whole(condition.text, code.text(node)):
        return True
    if node.type not in {"identifier", "attribute", "member_expression", "selector_expression", "call"}:
        return False
    if matches_whole(condition.text, code.dotted(node)):
        return True
    bound = bound_value(code, node) if node.type == "identifier" else None
    return bound is not None and matches_whole(condition.text, code.text(unwrapped(bound)))


def _match_bind(code: Code, rule: Rule, matcher: Bind, site: BindSite) -> Match | None:
    if not names_match(matcher.name, site.name):
        return None
    if matcher.value is not None and not matches_whole(matcher.value, code.text(site.value)):
        return None
    if matcher.kind is not None and not _is_kind(code, site.value, matcher.kind):
        return None
    if matcher.inside is not None and not _is_inside(code, site.node, matcher.inside):
        return None
    if not _statement_fits(code, site.node, matcher):
        return None
    spans = ((site.name_node.start_byte, site.name_node.end_byte), (site.value.start_byte, site.value.end_byte))
    return Match(rule, site.node.start_byte, site.node.end_byte, spans, None, site)


def _is_inside(code: Code, node: "Node", callee: str | None) -> bool:
    if callee is None:
        return False
    current = node.parent
    while current is not None and current.type not in _BARRIERS:
        site = code.call(current)
        if site is not None and names_match(callee, site.callee):
            return True
        current = current.parent
    return False


def _statement_fits(code: Code, node: "Node", matcher: Call | Bind) -> bool:
    if matcher.statement is None and matcher.statement_unless is None:
        return True
    statement = code.statement(node)
    text = f"{code.function_name(node)} {code.source.slice(statement.start_byte, min(statement.end_byte, statement.start_byte + 2000))}"
    if matcher.statement is not None and not found(matcher.statement, text):
        return False
    return matcher.statement_unless is None or not found(matcher.statement_unless, text)


def _is_kind(code: Code, node: "Node", kind: Kind) -> bool:
    """As `is_kind`, asked once a node: many rules want to know the same of one argument."""
    asked = (node.id, kind)
    if asked not in code.kinds:
        code.kinds[asked] = is_kind(code, node, kind)
    return code.kinds[asked]
