"""Conditions that ask where a program runs, which tests run in one place only."""

import re
from typing import TYPE_CHECKING

from verify_lsp.mutation.faults import text_of
from verify_lsp.mutation.javascript.nodes import inner, operator_of

if TYPE_CHECKING:
    from tree_sitter import Node

_BUILD = re.compile(
    r"process\.env\.(?:NODE_ENV|VITEST|JEST_WORKER_ID)|import\.meta\.(?:env\.(?:DEV|PROD|MODE|SSR)|vitest|hot|main\b|webpackHot)"
    r"|import\.meta\.url\)*\s*[!=]==?|[!=]==?\s*(?:\w+\()*import\.meta\.url|module\.(?:hot|parent)|require\.main|__(?:DEV|TEST|PROD|SSR)__"
)
_PLATFORM = re.compile(
    r"typeof\s+(?:window|document|navigator|process|global|globalThis|self|require|module|exports|define|Deno|Bun|EdgeRuntime)\b"
)
_LONGEST = 300


def asked_of_build(node: "Node") -> bool:
    """Say whether a condition asks how the program was built or started: code under it is for other times."""
    return _asks(node, _BUILD)


def asked_of_platform(node: "Node") -> bool:
    """Say whether a condition asks whether this is a browser, a server or something else."""
    return _asks(node, _PLATFORM)


def _asks(node: "Node", question: re.Pattern[str]) -> bool:
    condition = _condition_of(node)
    if condition is None or condition.end_byte - condition.start_byte > _LONGEST:
        return False
    return question.search(text_of(condition)) is not None


def _condition_of(node: "Node") -> "Node | None":
    match node.type:
        case "if_statement" | "ternary_expression":
            return inner(node.child_by_field_name("condition"))
        case "binary_expression" if operator_of(node) in {"&&", "||", "??"}:
            return node.child_by_field_name("left")
        case "binary_expression" if operator_of(node) in {"===", "!==", "==", "!="}:
            return node
        case _:
            return None


def is_comparison(node: "Node") -> bool:
    """Say whether this is the question itself, with nothing under it."""
    return node.type == "binary_expression" and operator_of(node) not in {"&&", "||", "??"}
