"""From LSP diagnostics to problems: positions become 1-based code points, severities become ours."""

from collections.abc import Iterable

from lsprotocol import types as lsp

from verify_lsp.model.finding import Problem, Severity
from verify_lsp.toolchains.output import code_point_column, head

_SEVERITY: dict[lsp.DiagnosticSeverity, Severity] = {
    lsp.DiagnosticSeverity.Error: "high",
    lsp.DiagnosticSeverity.Warning: "medium",
    lsp.DiagnosticSeverity.Information: "low",
}


def problems_of(path: str, text: str, diagnostics: Iterable[lsp.Diagnostic], tool: str) -> tuple[Problem, ...]:
    """Return the problems of one file. Hints are left out: they tell an editor how to draw, not what is wrong.

    Args:
        text: The file's text as it was opened, to which the diagnostics' UTF-16 positions refer.
    """
    # The protocol ends a line at \\n, \\r\\n and \\r.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return tuple(_problem(path, lines, item, tool) for item in diagnostics if item.severity in {None, *_SEVERITY})


def _problem(path: str, lines: list[str], item: lsp.Diagnostic, tool: str) -> Problem:
    start, end = item.range.start, item.range.end
    return Problem(
        path=path,
        line=start.line + 1,
        column=_column(lines, start),
        end_line=end.line + 1,
        end_column=_column(lines, end),
        severity=_SEVERITY[item.severity or lsp.DiagnosticSeverity.Error],
        rule=str(item.code) if item.code is not None else item.source or tool,
        message=head(item.message if isinstance(item.message, str) else str(item.message)),
        url=item.code_description.href if item.code_description else None,
    )


def _column(lines: list[str], position: lsp.Position) -> int:
    line = lines[position.line] if position.line < len(lines) else ""
    return code_point_column(line, position.character)
