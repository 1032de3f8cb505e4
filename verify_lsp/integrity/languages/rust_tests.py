"""The tests of a Rust file: functions with `#[test]` or the like, in modules of tests or by themselves, and helpers."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from verify_lsp.integrity.cases import Body, Case, Check, Mark, Reading, Strength
from verify_lsp.integrity.languages.guard import Guard, check_of
from verify_lsp.integrity.languages.rust_checks import said_by_macro
from verify_lsp.integrity.nodes import end_line, field, line, named, normal, shown, text, walk, words
from verify_lsp.integrity.said import Said

if TYPE_CHECKING:
    from tree_sitter import Node

_TEST = re.compile(r"^#!?\[\s*(?:\w+::)*(?:test|rstest|test_case|quickcheck|proptest|wasm_bindgen_test|cargo_test)\b")
_TEST_MODULE = re.compile(r"^#\[\s*cfg\s*\(.*\btest\b")
_OFF = re.compile(
    r"^#\[\s*(?:ignore\b|should_panic\b|cfg\s*\(\s*(?:any\s*\(\s*\)|FALSE|false|not\s*\(\s*test\s*\))\s*\)\s*\])"
)
_ASKS = re.compile(r"^#\[\s*cfg(?:_attr)?\s*\(")
_EXITS = re.compile(r"^(?:std::)?process::exit\(0\)")


def read(path: str, root: "Node") -> Reading:
    """Return the tests and helpers of a file, and which lines are theirs."""
    cases = tuple(_cases(path, root, ""))
    return Reading(cases, tuple(_spans(root)), tuple(_macros(root)))


def _macros(block: "Node") -> Iterator[tuple[int, int]]:
    """Yield where macros that stand by themselves seem to make tests."""
    for node in named(block):
        body = field(node, "body")
        inner = named(node)[0] if node.type == "expression_statement" and named(node) else node
        if inner.type == "macro_invocation" and "assert" in text(inner):
            yield line(inner), end_line(inner)
        elif node.type == "mod_item" and body is not None:
            yield from _macros(body)


def _attributed(block: "Node") -> "Iterator[tuple[Node, list[Node]]]":
    """Yield the items of a block with their attributes."""
    attributes: list[Node] = []
    for node in named(block):
        if node.type == "attribute_item":
            attributes.append(node)
        else:
            yield node, attributes
            attributes = []


def _spans(block: "Node") -> Iterator[tuple[int, int]]:
    for node, attributes in _attributed(block):
        first = line(attributes[0]) if attributes else line(node)
        body = field(node, "body")
        if any(_TEST_MODULE.match(text(each)) or _TEST.match(text(each)) for each in attributes):
            yield first, end_line(node)
        elif node.type == "mod_item" and body is not None:
            yield from _spans(body)


def _cases(path: str, block: "Node", prefix: str) -> Iterator[Case]:
    for node, attributes in _attributed(block):
        name, body = field(node, "name"), field(node, "body")
        if node.type == "mod_item" and name is not None and body is not None:
            yield from _cases(path, body, f"{prefix}{text(name)}::")
        elif node.type == "impl_item" and body is not None:
            yield from _cases(path, body, prefix)
        elif node.type == "function_item" and name is not None:
            is_test = any(_TEST.match(text(each)) for each in attributes)
            first = line(attributes[0]) if attributes else line(node)
            marks = tuple(_marks(attributes))
            read_body = partial(_body, node, tuple(attributes))
            yield Case(path, prefix + text(name), first, end_line(node), marks if is_test else (), read_body, is_test)


def _marks(attributes: "Sequence[Node]") -> Iterator[Mark]:
    for each in attributes:
        if _OFF.match(text(each)):
            yield Mark("skip", line(each), shown(each))
        elif _ASKS.match(text(each)):
            yield Mark("asked", line(each), shown(each))


def _body(function: "Node", attributes: "Sequence[Node]") -> Body:
    block = field(function, "body")
    kept, ended = _until_end(named(block) if block is not None else [])
    inside = [node for part in kept for node in walk(part)]
    panics = tuple(_panics(each) for each in attributes if text(each).startswith("#[should_panic"))
    return Body(
        shape="\n".join(
            [*(normal(each) for each in attributes if "should_panic" in text(each)), normal(block or function)]
        ),
        words=words(block or function),
        calls=frozenset(normal(called) for node in inside if (called := _called(node)) is not None),
        checks=(*panics, *(check for node in kept for check in _checks(node, Guard()))),
        skips=ended,
        rows=sum(text(each).startswith(("#[case", "#[test_case")) for each in attributes),
        acts=any(text(node) not in {"return;", "()", "Ok(())", "todo!()"} for node in kept),
    )


def _panics(attribute: "Node") -> Check:
    strength = Strength.EXACT if "expected" in text(attribute) else Strength.TRUTH
    return check_of(attribute, Said({"panics": strength}), normal(attribute), Guard())


def _until_end(statements: "list[Node]") -> "tuple[list[Node], tuple[Mark, ...]]":
    """Return the statements that can be reached, and the one that skips the rest whatever the machine."""
    for index, node in enumerate(statements):
        if _EXITS.match(text(node)):
            return statements[:index], (Mark("skip", line(node), shown(node)),)
        inner = named(node)[0] if node.type == "expression_statement" and named(node) else node
        if inner.type == "return_expression":
            return statements[:index], ()
    return statements, ()


def _called(node: "Node") -> "Node | None":
    if node.type == "macro_invocation":
        return field(node, "macro")
    function = field(node, "function") if node.type == "call_expression" else None
    return (
        function
        if function is not None and function.type in {"identifier", "scoped_identifier", "field_expression"}
        else None
    )


def _checks(node: "Node", guard: Guard) -> Iterator[Check]:
    match node.type:
        case "macro_invocation":
            for said, form in said_by_macro(node) or ():
                yield check_of(node, said, form, guard)
        case "if_expression":
            asked = field(node, "condition")
            for child in named(node):
                is_condition = asked is not None and child.id == asked.id
                yield from _checks(child, guard if is_condition else guard.under(asked))
        case "call_expression" if "catch_unwind" in text(field(node, "function") or node):
            for child in named(node):
                yield from _checks(child, guard.caught(swallows=_is_dropped(node)))
        case _:
            for child in named(node):
                yield from _checks(child, guard)


def _is_dropped(node: "Node") -> bool:
    """Say whether nobody looks at what a call gives back."""
    parent = node.parent
    if parent is None or parent.type == "expression_statement":
        return parent is not None
    pattern = field(parent, "pattern") if parent.type == "let_declaration" else None
    return pattern is not None and text(pattern).startswith("_")
