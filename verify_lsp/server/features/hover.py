"""Hover: what a finding says, why it matters, what to do, and how it is known."""

from collections.abc import Iterator, Sequence
from typing import Any

from lsprotocol import types as lsp

from verify_lsp.model.fact import Fact
from verify_lsp.model.finding import CheckKind, Finding
from verify_lsp.reports.markdown_text import code, escaped, linked
from verify_lsp.reports.untrusted import one_line
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.board.spans import Placed, Span
from verify_lsp.server.positions import column_at, units_before
from verify_lsp.server.texts.open_documents import document_key

_LIMIT = 1_000
_FACTS = 3
_SOURCES: dict[CheckKind, str] = {
    "diagnostics": "the file's own syntax, or a language server",
    "project-check": "the project's type check",
    "dependencies": "the package index",
    "security": "the security rules, held against added lines",
    "integrity": "a comparison of the tests before and after",
    "tests": "the project's tests",
    "mutation": "the tests, run with this line changed",
    "lint": "the project's linter",
}


def hover(server: VerifyServer, params: lsp.HoverParams) -> dict[str, Any] | None:
    """Answer what is known of the findings under the cursor; null where there is none."""
    session = server.session
    key = document_key(params.text_document.uri)
    document = None if key is None else session.documents.by_key.get(key)
    if key is None or document is None or params.position.line >= len(document.lines):
        return None
    line = params.position.line
    column = column_at(document.lines[line], params.position.character, session.client.encoding)
    there = [one for one in session.layers.standing(key) if _holds(one.span, line, column)]
    if not there:
        return None
    facts = session.facts.get
    texts = ["\n\n".join(_paragraphs(one, facts(one.report_id, ()))) for one in there]
    return {
        "contents": {"kind": "markdown", "value": "\n\n---\n\n".join(texts)},
        "range": _range(there[0].span, document.lines, server),
    }


def _holds(span: Span, line: int, column: int) -> bool:
    if not span.line <= line <= span.end_line:
        return False
    after_start = line > span.line or column >= span.column
    before_end = line < span.end_line or column <= max(span.end_column, span.column)
    return after_start and before_end


def _range(span: Span, lines: list[str], server: VerifyServer) -> dict[str, Any]:
    encoding = server.session.client.encoding

    def position(line: int, column: int) -> dict[str, int]:
        return {"line": line, "character": units_before(lines[line], column, encoding)}

    return {"start": position(span.line, span.column), "end": position(span.end_line, span.end_column)}


def _paragraphs(one: Placed, facts: Sequence[Fact]) -> Iterator[str]:
    finding = one.finding
    yield f"**{escaped(one_line(finding.message, _LIMIT))}**"
    if finding.suggestion:
        yield f"To do: {escaped(one_line(finding.suggestion, _LIMIT))}"
    if finding.preexisting:
        yield "It was there before this change."
    yield _origin(one, finding)
    for fact in [fact for fact in facts if fact.check == finding.check][:_FACTS]:
        yield f"Fact: {escaped(one_line(fact.text, _LIMIT))}{_evidence(fact)}"


def _origin(one: Placed, finding: Finding) -> str:
    rule = linked(finding.rule, finding.url) if finding.url else code(one_line(finding.rule, 200))
    weaknesses = "".join(f", {escaped(one_line(name, 20))}" for name in finding.cwe or ())
    where = f"report {code(one.report_id)}" if one.report_id else "the text as it is now"
    return f"{finding.severity} · {rule}{weaknesses} · found by {_SOURCES[finding.check]} · {where}"


def _evidence(fact: Fact) -> str:
    evidence = fact.evidence
    command = f" {code(one_line(evidence.command, 200))}" if evidence.command else ""
    exit_code = f", exit code {evidence.exit_code}" if evidence.exit_code is not None else ""
    return f" ({command.strip()}{exit_code})" if command else ""
