"""A finding: one problem at one place, raised by one rule of one check."""

from typing import Literal, get_args

import attrs

from verify_lsp.model.rewrite import Rewrite

Severity = Literal["critical", "high", "medium", "low", "info"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)

CheckKind = Literal[
    "diagnostics",
    "project-check",
    "dependencies",
    "security",
    "integrity",
    "tests",
    "mutation",
    "lint",
]
CHECK_KINDS: tuple[CheckKind, ...] = get_args(CheckKind)


@attrs.frozen
class Problem:
    """What a tool said about one place, before we know whether the change brought it.

    Attributes:
        path: Relative to the folder the tool ran in, POSIX style, until a check relocates it;
            empty when the tool named no file.
        line: 1-based; 0 when the tool named no line.
        column: 1-based, in code points.
        end_column: 1-based, exclusive.
        evidence: The text at the place, with secrets redacted.
        rewrite: What certainly mends it; None where that is not certain.
    """

    path: str
    line: int
    severity: Severity
    rule: str
    message: str
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    url: str | None = None
    suggestion: str | None = None
    evidence: str | None = None
    cwe: tuple[str, ...] | None = None
    rewrite: Rewrite | None = None


@attrs.frozen
class Finding:
    """A problem as reported.

    Attributes:
        id: Stable: the same problem on the same text keeps it when lines above move.
        line: 1-based.
        column: 1-based, in code points; `end_column` is exclusive.
        preexisting: True when it was there before the change.
        evidence: The text at the place, with secrets redacted.
    """

    id: str
    check: CheckKind
    severity: Severity
    path: str
    line: int
    rule: str
    message: str
    fixable: bool = False
    preexisting: bool = False
    end_line: int | None = None
    column: int | None = None
    end_column: int | None = None
    suggestion: str | None = None
    evidence: str | None = None
    cwe: tuple[str, ...] | None = None
    url: str | None = None
