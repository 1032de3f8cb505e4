"""The tests of a JavaScript or TypeScript file: calls of `it` and `test`, the suites around them, helpers that assert."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from verify_lsp.integrity.cases import Body, Case, Check, Mark, Reading
from verify_lsp.integrity.languages.guard import Guard, check_of
from verify_lsp.integrity.languages.script_checks import arguments, condition_parts, said_by, said_by_node
from verify_lsp.integrity.nodes import end_line, field, line, named, normal, shown, text, walk, words

if TYPE_CHECKING:
    from tree_sitter import Node

_TESTS = frozenset({"it", "test", "specify", "fit", "xit", "xtest", "xspecify", "Deno.test"})
_SUITES = frozenset({"describe", "context", "suite", "fdescribe", "xdescribe", "xcontext", "ddescribe", "iit"})
_FUNCTIONS = frozenset(
    {"arrow_function", "function_expression", "function", "generator_function", "function_declaration"}
)
_OFF = frozenset({"skip", "todo", "failing", "fails", "fixme", "ignore"})
_ENDS = re.compile(
    r"^(?:this|t|ctx|context|test|it)\.(?:skip|fixme|todo)\(\s*(?:['\"`][^'\"`]*['\"`]\s*)?\)|^process\.exit\("
)
_FAILS = re.compile(r"\bthrow\b|\bexpect\b|\bassert|\bfail\b|\bdone\(|\breject\(|\bt\.|\.should\b|\bnext\(")
# What nobody waits for fails after the test has passed.
_AWAITED = re.compile(r"^expect\(.*\)\.(?:rejects|resolves)\.", re.DOTALL)
_STUBS = re.compile(
    r"\.(?:mockReturnValue|mockImplementation|mockResolvedValue|mockRejectedValue|returns|resolves|callsFake)\w*\("
)


def read(path: str, root: "Node") -> Reading:
    """Return the tests and helpers of a module."""
    return Reading(tuple(_cases(path, root, "", tuple(_module_marks(root)))))


def _module_marks(root: "Node") -> Iterator[Mark]:
    for node in named(root):
        if node.type == "expression_statement" and _ENDS.match(text(node)):
            yield Mark("skip", line(node), shown(node))


def _cases(path: str, node: "Node", prefix: str, marks: tuple[Mark, ...]) -> Iterator[Case]:
    if node.type == "call_expression":
        base, modifiers = _callee(node)
        given = arguments(node)
        title = normal(given[0]).strip("\"'`") if given and given[0].type in {"string", "template_string"} else ""
        function = next((each for each in reversed(given) if each.type in _FUNCTIONS), None)
        if base in _SUITES and function is not None:
            yield from _cases(path, function, f"{prefix}{title} > ", (*marks, *_marks(node, base, modifiers)))
            return
        if base in _TESTS and title and (function is not None or "todo" in modifiers):
            own = (*marks, *_marks(node, base, modifiers))
            body = partial(_body, node, function)
            yield Case(path, prefix + title, line(node), end_line(node), own, body)
            return
    name = _helper_name(node)
    if name:
        yield Case(path, f"{prefix}{name}", line(node), end_line(node), (), partial(_body, node, node), is_test=False)
    for child in named(node):
        yield from _cases(path, child, prefix, marks)


def _helper_name(node: "Node") -> str:
    """Return the name of a function that stands by itself."""
    if node.type == "function_declaration" and (name := field(node, "name")) is not None:
        return text(name)
    value = field(node, "value") if node.type == "variable_declarator" else None
    name = field(node, "name")
    return text(name) if value is not None and value.type in _FUNCTIONS and name is not None else ""


def _callee(call: "Node") -> tuple[str, tuple[str, ...]]:
    """Return what is called and with which suffixes: `it.only.each([…])(…)` is `it` with `only` and `each`."""
    names: list[str] = []
    current = field(call, "function")
    while current is not None and current.type in {"member_expression", "call_expression"}:
        if current.type == "call_expression":
            current = field(current, "function")
            names.append("()")
            continue
        name = field(current, "property")
        names.append(text(name) if name is not None else "")
        current = field(current, "object")
    base = text(current) if current is not None and current.type == "identifier" else ""
    if base == "Deno" and names[-1:] == ["test"]:
        return "Deno.test", tuple(names[:-1])
    return base, tuple(reversed(names))


def _marks(call: "Node", base: str, modifiers: tuple[str, ...]) -> Iterator[Mark]:
    options = {text(key): value for each in arguments(call) if each.type == "object" for key, value in _pairs(each)}
    on = {name for name, value in options.items() if value.type in {"true", "string"}}
    head = text(call).partition("\n")[0].partition(",")[0][:80]
    if base.startswith("x") or _OFF & set(modifiers) or {"skip", "todo", "ignore"} & on:
        yield Mark("skip", line(call), head)
    if base in {"fit", "fdescribe", "ddescribe", "iit"} or "only" in modifiers or "only" in on:
        yield Mark("only", line(call), head)


def _pairs(node: "Node") -> "Iterator[tuple[Node, Node]]":
    for pair in named(node):
        key, value = field(pair, "key"), field(pair, "value")
        if pair.type == "pair" and key is not None and value is not None:
            yield key, value


def _body(call: "Node", function: "Node | None") -> Body:
    if function is not None and function.type == "variable_declarator":
        function = field(function, "value")
    block = field(function, "body") if function is not None else None
    statements = (named(block) if block.type == "statement_block" else [block]) if block is not None else []
    kept, ended = _until_end(statements)
    inside = [node for part in kept for node in walk(part)]
    return Body(
        shape="\n".join(normal(node) for node in statements),
        words=sum((words(node) for node in statements), Counter()) + _table_words(call),
        calls=frozenset(_called(node) for node in inside if node.type == "call_expression") - {""},
        checks=tuple(check for node in kept for check in _checks(node, Guard())),
        mocked=dict(_mocked(inside)),
        skips=ended,
        rows=_rows(call),
        acts=any(text(node).strip() not in {"return;", "return", ";", "done();"} for node in kept),
    )


def _until_end(statements: list["Node"]) -> tuple[list["Node"], tuple[Mark, ...]]:
    """Return the statements that can be reached, and the one that skips the rest whatever the machine."""
    for index, node in enumerate(statements):
        if node.type == "expression_statement" and _ENDS.match(text(node)):
            return statements[:index], (Mark("skip", line(node), shown(node)),)
        if node.type == "return_statement":
            if named(node) and _ENDS.match(text(named(node)[0])):
                return statements[:index], (Mark("skip", line(node), shown(node)),)
            return statements[: index + 1 if named(node) else index], ()
    return statements, ()


def _rows(call: "Node") -> int:
    function = field(call, "function")
    if call.type != "call_expression" or function is None or function.type != "call_expression":
        return 0
    tables = [each for each in arguments(function) if each.type == "array"]
    return max((len(named(table)) for table in tables), default=1)


def _table_words(call: "Node") -> Counter[str]:
    function = field(call, "function") if call.type == "call_expression" else None
    return words(function) if function is not None and function.type == "call_expression" else Counter()


def _called(call: "Node") -> str:
    function = field(call, "function")
    return normal(function) if function is not None and function.type in {"identifier", "member_expression"} else ""


def _mocked(inside: Iterable["Node"]) -> Iterator[tuple[str, int]]:
    for node in inside:
        if node.type == "assignment_expression":
            left, right = field(node, "left"), field(node, "right")
            if left is not None and right is not None and left.type == "member_expression" and _is_stand_in(right):
                yield normal(left), line(node)
        elif node.type == "call_expression" and _STUBS.search(text(node)):
            given = arguments(node)
            called = _called(node).rpartition(".")[2]
            if called in {"spyOn", "stub", "replace"} and len(given) > 1 and given[1].type == "string":
                yield f"{normal(given[0])}.{text(given[1])[1:-1]}", line(node)
            for inner in walk(node):
                deeper = arguments(inner) if inner.type == "call_expression" else []
                if (
                    len(deeper) > 1
                    and deeper[1].type == "string"
                    and _called(inner).rpartition(".")[2] in {"spyOn", "stub"}
                ):
                    yield f"{normal(deeper[0])}.{text(deeper[1])[1:-1]}", line(inner)


def _is_stand_in(node: "Node") -> bool:
    return node.type in _FUNCTIONS or re.match(r"(?:jest|vi|sinon)\.(?:fn|stub)\(", text(node)) is not None


def _checks(node: "Node", guard: Guard) -> Iterator[Check]:
    match node.type:
        case "try_statement":
            handler, body = field(node, "handler"), field(node, "body")
            swallows = handler is not None and not _FAILS.search(text(field(handler, "body") or handler))
            for child in named(node):
                is_body = body is not None and child.id == body.id
                yield from _checks(child, guard.caught(swallows=swallows) if is_body else guard)
        case "if_statement" if (
            normal(field(node, "condition") or node) == "false" and field(node, "alternative") is None
        ):
            return
        case "if_statement":
            asked = field(node, "condition")
            for child in named(node):
                is_condition = asked is not None and child.id == asked.id
                yield from _checks(child, guard if is_condition else guard.under(asked))
        case "call_expression" | "member_expression":
            yield from _in_expression(node, guard)
        case _:
            for child in named(node):
                yield from _checks(child, guard)


def _in_expression(node: "Node", guard: Guard) -> Iterator[Check]:
    function = field(node, "function") if node.type == "call_expression" else None
    if (
        function is not None
        and function.type == "identifier"
        and text(function) in {"assert", "ok"}
        and arguments(node)
    ):
        for part in condition_parts(arguments(node)[0]):
            yield check_of(node, said_by(part), normal(part), guard)
        return
    said = said_by_node(node)
    if said is not None:
        unseen = (
            _AWAITED.search(normal(node)) is not None
            and node.parent is not None
            and node.parent.type == "expression_statement"
        )
        yield check_of(node, said, normal(node), guard.caught(swallows=unseen))
        if function is None or not normal(function).endswith(".expect"):
            return
    name = field(function, "property") if function is not None else None
    catches = name is not None and text(name) == "catch" and not _FAILS.search(" ".join(map(text, arguments(node))))
    for child in named(node):
        is_function = function is not None and child.id == function.id
        yield from _checks(child, guard.caught(swallows=catches) if is_function else guard)
