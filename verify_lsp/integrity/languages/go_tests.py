"""The tests of a Go file: functions called `Test…`, and helpers that assert, by `testing`, testify or `cmp`."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from verify_lsp.integrity.cases import Body, Case, Check, Mark, Reading
from verify_lsp.integrity.languages.go_checks import failing_parts, said_by_call, said_unless
from verify_lsp.integrity.languages.guard import Guard, check_of
from verify_lsp.integrity.nodes import end_line, field, line, named, normal, shown, text, walk, words

if TYPE_CHECKING:
    from tree_sitter import Node

_TEST = re.compile(r"^(?:Test|Fuzz|Example|Benchmark)(?![a-z])")
_ENDS = re.compile(r"^(?:\w+(?:\.T\(\))?\.(?:Skip|Skipf|SkipNow)\(|os\.Exit\(0\))")
_FAILS = re.compile(r"\b\w+(?:\.T\(\))?\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|\bpanic\(")
_TABLES = frozenset({"slice_type", "map_type", "array_type", "implicit_length_array_type"})


def read(path: str, root: "Node") -> Reading:
    """Return the tests and helpers of a file."""
    marks = tuple(_file_marks(root))
    return Reading(tuple(_cases(path, root, marks)))


def _file_marks(root: "Node") -> Iterator[Mark]:
    for node in root.children:
        if node.type == "comment" and re.match(r"//(?:go:build| \+build) ignore\s*$", text(node)):
            yield Mark("skip", line(node), shown(node))


def _cases(path: str, root: "Node", marks: tuple[Mark, ...]) -> Iterator[Case]:
    for node in named(root):
        name = field(node, "name")
        if node.type not in {"function_declaration", "method_declaration"} or name is None:
            continue
        receiver = field(node, "receiver")
        owner = re.sub(r"\W", "", text(receiver).rpartition(" ")[2]) + "." if receiver is not None else ""
        is_test = _TEST.match(text(name)) is not None
        body = partial(_body, node)
        yield Case(path, owner + text(name), line(node), end_line(node), marks if is_test else (), body, is_test)


def _body(function: "Node") -> Body:
    block = field(function, "body")
    statements = _statements(block)
    kept, ended = _until_end(statements)
    inside = [node for part in kept for node in walk(part)]
    swallows = any(_recovers(node) for node in kept)
    return Body(
        shape="\n".join(normal(node) for node in statements),
        words=words(block) if block is not None else words(function),
        calls=frozenset(normal(called) for node in inside if (called := _called(node)) is not None),
        checks=tuple(check for node in kept for check in _checks(node, Guard(swallowed=swallows))),
        mocked=dict(_mocked(kept)),
        skips=(*ended, *_skipped_parts(inside)),
        rows=max((_rows(node) for node in inside), default=0),
        acts=any(node.type != "return_statement" for node in kept),
    )


def _statements(block: "Node | None") -> "list[Node]":
    lists = named(block) if block is not None else []
    return [node for each in lists for node in (named(each) if each.type == "statement_list" else [each])]


def _until_end(statements: "list[Node]") -> "tuple[list[Node], tuple[Mark, ...]]":
    """Return the statements that can be reached, and the one that skips the rest whatever the machine."""
    for index, node in enumerate(statements):
        if node.type == "expression_statement" and _ENDS.match(text(node)):
            return statements[:index], (Mark("skip", line(node), shown(node)),)
        if node.type == "return_statement":
            return statements[:index], ()
        if node.type == "if_statement" and (asked := field(node, "condition")) is not None and text(asked) == "true":
            _, marks = _until_end(_statements(field(node, "consequence")))
            if marks:
                return statements[:index], marks
    return statements, ()


def _skipped_parts(inside: "list[Node]") -> Iterator[Mark]:
    """Yield what skips a part that `t.Run` runs."""
    for node in inside:
        function = field(node, "function") if node.type == "call_expression" else None
        if function is None or not text(function).endswith(".Run"):
            continue
        for literal in named(field(node, "arguments") or node):
            if literal.type == "func_literal":
                yield from _until_end(_statements(field(literal, "body")))[1]


def _called(node: "Node") -> "Node | None":
    function = field(node, "function") if node.type == "call_expression" else None
    return function if function is not None and function.type in {"identifier", "selector_expression"} else None


def _rows(node: "Node") -> int:
    kind = field(node, "type")
    if node.type != "composite_literal" or kind is None or kind.type not in _TABLES:
        return 0
    body = field(node, "body")
    return len(named(body)) if body is not None else 0


def _recovers(node: "Node") -> bool:
    """Say whether a statement defers a function that takes a panic and does nothing about it."""
    written = text(node)
    return node.type == "defer_statement" and "recover()" in written and not _FAILS.search(written)


def _mocked(statements: "list[Node]") -> Iterator[tuple[str, int]]:
    for node in statements:
        if node.type != "assignment_statement":
            continue
        left, right = field(node, "left"), field(node, "right")
        if left is not None and right is not None and text(right).startswith("func("):
            yield normal(left), line(node)


def _checks(node: "Node", guard: Guard) -> Iterator[Check]:
    if node.type == "if_statement":
        yield from _in_if(node, guard)
        return
    if node.type == "call_expression":
        said = said_by_call(node)
        if said is not None:
            yield check_of(node, said, normal(node), guard)
            return
    for child in named(node):
        yield from _checks(child, guard)


def _in_if(node: "Node", guard: Guard) -> Iterator[Check]:
    asked, block, otherwise = field(node, "condition"), field(node, "consequence"), field(node, "alternative")
    direct = _statements(block)
    if asked is not None and any(each.type == "expression_statement" and _FAILS.match(text(each)) for each in direct):
        names = _assigned(field(node, "initializer"))
        for part in failing_parts(asked):
            yield check_of(node, said_unless(part, names), f"not({normal(part)}){names.get('', '')}", guard)
        rest = [each for each in direct if not _FAILS.match(text(each))]
    else:
        rest = direct
    for each in rest:
        yield from _checks(each, guard.under(asked))
    if otherwise is not None:
        yield from _checks(otherwise, guard.under(asked) if otherwise.type == "block" else guard)


def _assigned(initializer: "Node | None") -> Mapping[str, str]:
    """Return what the names stand for that an `if` declares; the whole of it under the empty name."""
    if initializer is None:
        return {}
    left, right = field(initializer, "left"), field(initializer, "right")
    if left is None or right is None:
        return {}
    names = [normal(name) for name in named(left)]
    values = [normal(value) for value in named(right)]
    if len(values) == 1:
        values *= len(names)
    return {"": normal(initializer), **dict(zip(names, values, strict=False))}
