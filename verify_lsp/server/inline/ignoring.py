"""The comment that tells verify-lsp to ignore one finding, put where it belongs."""

from verify_lsp.model.finding import Finding
from verify_lsp.model.rewrite import Rewrite, TextEdit


def ignoring(finding: Finding, text: str) -> Rewrite | None:
    """Return what puts an "ignore" comment above the finding's line; None where the format has no comments.

    The comment takes the line's own indent and line end.
    """
    from verify_lsp.judgement.suppressions import ignore_comment

    comment = ignore_comment(finding.path, finding.rule, "")
    if comment is None:
        return None
    lines = text.split("\n")
    line = min(finding.line, len(lines)) - 1
    start = sum(len(each) + 1 for each in lines[:line])
    own = lines[line]
    indent = own[: len(own) - len(own.lstrip(" \t"))]
    end = "\r\n" if own.endswith("\r") else "\n"
    title = f"Ignore {finding.rule} on this line"
    return Rewrite(title, (TextEdit(start, start, f"{indent}{comment}{end}"),))
