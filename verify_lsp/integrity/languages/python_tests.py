"""The tests of a Python file: functions called `test…`, the classes they stand in, and helpers that assert."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import attrs

from verify_lsp.integrity.cases import Body, Case, Check, Mark, Reading
from verify_lsp.integrity.languages.guard import Guard, check_of
from verify_lsp.integrity.languages.python_checks import conditions, last_name, said_by, said_by_call
from verify_lsp.integrity.nodes import end_line, field, is_literal, line, named, normal, shown, text, walk, words

if TYPE_CHECKING:
    from tree_sitter import Node

_TEST = re.compile(r"^test")
_CLASS = re.compile(r"^Test|(?:Tests?|TestCase|Spec)$")
_SKIP = re.compile(
    r"^@?(?:pytest\.)?(?:mark\.)(?:skip|xfail)\b|^@?(?:unittest\.)?(?:case\.)?(?:skip|expectedFailure)(?:\(|$)"
    r"|^@?pytest\.(?:skip|xfail)\("
)
_SKIP_IF = re.compile(r"^@?(?:pytest\.)?mark\.skipif\b|^@?(?:unittest\.)?skip(?:If|Unless)\(")
_ENDS = re.compile(
    r"^(?:pytest\.(?:skip|xfail|exit)|self\.skipTest|unittest\.skip|skip|(?:sys\.)?exit|os\._exit|quit)\("
    r"|^raise\s+(?:unittest\.)?SkipTest\b|^raise\s+(?:pytest\.)?skip\.Exception\b|^raise\s+SystemExit\b"
)
_CATCHES = re.compile(r"\b(?:Exception|BaseException|AssertionError)\b")
_FAILS = re.compile(r"\braise\b|\bfail\(|\bassert|\bexit\(")
_PATCHES = frozenset({"patch", "setattr", "object", "patch_object"})
_STAND_INS = frozenset({"Mock", "MagicMock", "AsyncMock", "create_autospec"})


def read(path: str, root: "Node") -> Reading:
    """Return the tests and helpers of a module."""
    return Reading(tuple(_cases(path, root, _Place("", tuple(_module_marks(root))))))


@attrs.frozen
class _Place:
    """Where a function stands: the classes around it, their marks, and whether pytest looks there."""

    prefix: str
    marks: tuple[Mark, ...]
    collected: bool = True


def _cases(path: str, block: "Node", place: _Place) -> Iterator[Case]:
    for node in _statements(block):
        decorators: list[Node] = []
        inner = node
        if node.type == "decorated_definition" and (definition := field(node, "definition")) is not None:
            decorators = [child for child in node.children if child.type == "decorator"]
            inner = definition
        name_node, body = field(inner, "name"), field(inner, "body")
        if name_node is None or body is None or inner.type not in {"class_definition", "function_definition"}:
            continue
        name = place.prefix + text(name_node)
        own = (*place.marks, *_decorator_marks(decorators))
        if inner.type == "class_definition":
            within = _Place(f"{name}.", (*own, *_assigned_marks(body)), collected=_is_collected(inner))
            yield from _cases(path, body, within)
        else:
            is_test = place.collected and _TEST.match(text(name_node)) is not None and not _is_fixture(decorators)
            read_body = partial(_body, inner, tuple(decorators))
            yield Case(path, name, line(node), end_line(node), own if is_test else (), read_body, is_test)


def _is_collected(node: "Node") -> bool:
    """Say whether a class may hold tests: by its name, or by what it is made from."""
    name = field(node, "name")
    return field(node, "superclasses") is not None or (name is not None and _CLASS.search(text(name)) is not None)


def _statements(block: "Node") -> Iterator["Node"]:
    """Yield the statements of a block, and those that stand under a condition or in a try."""
    for node in named(block):
        if _is_dead(node):
            continue
        if node.type in {"if_statement", "try_statement", "else_clause", "elif_clause", "except_clause", "block"}:
            yield from _statements(node)
        else:
            yield node


def _is_fixture(decorators: Iterable["Node"]) -> bool:
    return any("fixture" in text(decorator) for decorator in decorators)


def _decorator_marks(decorators: Iterable["Node"]) -> Iterator[Mark]:
    for decorator in decorators:
        mark = named(decorator)[0]
        if _is_skip(mark) or _SKIP.match(text(mark)) or _SKIP_IF.match(text(mark)):
            yield Mark("skip" if _is_skip(mark) else "asked", line(decorator), shown(decorator))


def _is_skip(mark: "Node") -> bool:
    """Say whether a mark skips on every machine: one with a condition does not, unless its condition is no question."""
    written = text(mark)
    arguments = field(mark, "arguments") if mark.type == "call" else None
    given = named(arguments) if arguments is not None else []
    plain = [each for each in given if each.type != "keyword_argument"]
    condition = next((field(each, "value") for each in given if text(each).startswith("condition")), None)
    if _SKIP_IF.match(written):
        asked = condition or (plain[0] if plain else None)
        return asked is not None and _is_no_question(asked)
    if not _SKIP.match(written):
        return False
    if "xfail" in written.partition("(")[0]:
        asked = condition or (plain[0] if plain else None)
        return asked is None or _is_no_question(asked)
    return True


def _is_no_question(node: "Node") -> bool:
    """Say whether a condition asks nothing of the machine: `True`, `1 == 1`."""
    if node.type == "string":
        return False
    return is_literal(node) or all(is_literal(child) for child in named(node) or [node])


def _module_marks(root: "Node") -> Iterator[Mark]:
    yield from _assigned_marks(root)
    for node in named(root):
        if node.type in {"expression_statement", "raise_statement"} and _ENDS.match(text(node)):
            yield Mark("skip", line(node), shown(node))


def _assigned_marks(block: "Node") -> Iterator[Mark]:
    for node in named(block):
        assignment = named(node)[0] if node.type == "expression_statement" and named(node) else None
        if assignment is None or assignment.type != "assignment":
            continue
        left, right = field(assignment, "left"), field(assignment, "right")
        if left is None or right is None or text(left) not in {"pytestmark", "__test__"}:
            continue
        values = named(right) if right.type in {"list", "tuple"} else [right]
        if any(_is_skip(value) for value in values) or (text(left) == "__test__" and text(right) == "False"):
            yield Mark("skip", line(node), shown(node))


def _body(function: "Node", decorators: tuple["Node", ...]) -> Body:
    block, parameters = field(function, "body"), field(function, "parameters")
    statements = [node for node in named(block) if not _is_docstring(node)] if block is not None else []
    kept, ended = _until_end(statements)
    parts = [*statements, *decorators, *([parameters] if parameters is not None else [])]
    inside = [node for part in (*kept, *decorators) for node in walk(part)]
    rows = [_rows(decorator) for decorator in decorators]
    placeholder = all(node.type == "pass_statement" or text(node) in {"...", "return"} for node in kept)
    return Body(
        shape="\n".join(normal(node) for node in statements),
        words=sum((words(part) for part in parts), Counter()),
        calls=frozenset(called for node in inside if node.type == "call" and (called := _called(node))),
        checks=tuple(check for node in kept for check in _checks(node, Guard())),
        mocked=dict(_mocked(inside)),
        skips=ended,
        rows=max(rows, default=0),
        acts=not placeholder,
    )


def _is_docstring(node: "Node") -> bool:
    return node.type == "expression_statement" and len(named(node)) == 1 and named(node)[0].type == "string"


def _until_end(statements: list["Node"]) -> tuple[list["Node"], tuple[Mark, ...]]:
    """Return the statements that can be reached, and the one that skips the rest whatever the machine."""
    for index, node in enumerate(statements):
        if node.type in {"expression_statement", "raise_statement"} and _ENDS.match(text(node)):
            # What ran before may have asked; a call at the end of a test that did something is no skip of all of it.
            return statements[:index], (Mark("skip", line(node), shown(node)),)
        if node.type == "return_statement":
            return statements[:index], ()
        if node.type == "if_statement" and (asked := field(node, "condition")) is not None and _is_no_question(asked):
            block = field(node, "consequence")
            inner = named(block) if block is not None else []
            _, marks = _until_end(inner)
            if marks:
                return statements[:index], marks
    return statements, ()


def _rows(decorator: "Node") -> int:
    call = named(decorator)[0]
    arguments = field(call, "arguments") if call.type == "call" else None
    name = last_name(field(call, "function")) if call.type == "call" else ""
    if arguments is None or name not in {"parametrize", "expand", "data", "example", "given"}:
        return 0
    tables = [each for each in named(arguments) if each.type in {"list", "tuple"}]
    # The names come first, and the rows after them.
    return len(named(tables[-1])) if tables else 1


def _called(call: "Node") -> str:
    function = field(call, "function")
    return normal(function) if function is not None and function.type in {"identifier", "attribute"} else ""


def _mocked(inside: Iterable["Node"]) -> Iterator[tuple[str, int]]:
    for node in inside:
        if node.type == "assignment":
            left, right = field(node, "left"), field(node, "right")
            if left is None or right is None or left.type not in {"identifier", "attribute"}:
                continue
            if right.type == "call" and last_name(field(right, "function")) in _STAND_INS:
                yield normal(left), line(node)
        elif node.type == "call" and last_name(field(node, "function")) in _PATCHES:
            target = _patched(node)
            if target:
                yield target, line(node)


def _patched(call: "Node") -> str:
    """Return the dotted name that `patch("a.b")`, `patch.object(a, "b")` or `setattr(a, "b", …)` puts a stand-in for."""
    arguments = field(call, "arguments")
    given = [each for each in named(arguments) if each.type != "keyword_argument"] if arguments is not None else []
    if given and given[0].type == "string":
        return text(given[0]).strip("\"'")
    if len(given) > 1 and given[1].type == "string":
        return f"{normal(given[0])}.{text(given[1]).strip(chr(34) + chr(39))}"
    return ""


def _checks(node: "Node", guard: Guard) -> Iterator[Check]:
    match node.type:
        case "function_definition" | "class_definition" | "decorated_definition":
            body = field(field(node, "definition") or node, "body")
            if body is not None:
                yield from _checks(body, guard)
        case "if_statement" | "for_statement" if _is_dead(node):
            return
        case "try_statement":
            yield from _in_try(node, guard)
        case "with_statement":
            yield from _in_with(node, guard)
        case "if_statement" | "elif_clause":
            inner = guard.under(field(node, "condition"))
            yield from (check for child in named(node) for check in _checks(child, inner))
        case "assert_statement":
            yield from (check_of(node, said_by(part), normal(part), guard) for part in conditions(named(node)[0]))
        case "call" if (said := said_by_call(node)) is not None:
            yield check_of(node, said, normal(node), guard)
        case _:
            yield from (check for child in named(node) for check in _checks(child, guard))


def _is_dead(node: "Node") -> bool:
    """Say whether a block is never entered: under `if False`, or in a loop over nothing."""
    if field(node, "alternative") is not None:
        return False
    if node.type == "if_statement":
        asked = field(node, "condition")
        return asked is not None and text(asked) in {"False", "0", "None"}
    over = field(node, "right") if node.type == "for_statement" else None
    return over is not None and text(over) in {"[]", "()", "{}", "range(0)"}


def _in_try(node: "Node", guard: Guard) -> Iterator[Check]:
    handlers = [child for child in named(node) if child.type in {"except_clause", "except_group_clause"}]
    caught = guard.caught(swallows=any(_swallows(handler) for handler in handlers))
    body = field(node, "body")
    for child in named(node):
        yield from _checks(child, caught if body is not None and child.id == body.id else guard)


def _swallows(handler: "Node") -> bool:
    caught = [child for child in named(handler) if child.type != "block"]
    block = next((child for child in named(handler) if child.type == "block"), None)
    catches = not caught or any(_CATCHES.search(text(each)) for each in caught)
    return catches and block is not None and not _FAILS.search(text(block))


def _in_with(node: "Node", guard: Guard) -> Iterator[Check]:
    inner = guard
    for item in (each for each in walk(node) if each.type == "with_item"):
        if item.parent is None or item.parent.parent is None or item.parent.parent.id != node.id:
            continue
        for call in (each for each in walk(item) if each.type == "call"):
            if last_name(field(call, "function")) == "suppress" and _CATCHES.search(text(call)):
                inner = guard.caught(swallows=True)
        yield from _checks(item, guard)
    body = field(node, "body")
    if body is not None:
        yield from _checks(body, inner)
