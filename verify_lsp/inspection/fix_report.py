"""The safe fixes of a report's findings in one file, one after the other."""

from collections.abc import Callable, Sequence

import attrs

from verify_lsp.inspection.inspect import Found
from verify_lsp.inspection.relocate import Refusal, rewrite_now
from verify_lsp.model.change import FileChange
from verify_lsp.model.finding import Finding
from verify_lsp.model.rewrite import rewritten


@attrs.frozen
class Fixed:
    """One file after its fixes.

    Attributes:
        text: With every fix made that could be.
        made: The ids of findings that were mended.
        refused: What was not mended, and why.
    """

    text: str
    made: tuple[str, ...] = ()
    refused: tuple[tuple[str, Refusal], ...] = ()


def fix_findings(
    findings: Sequence[Finding], file: FileChange | None, text: str, look: Callable[[str], Sequence[Found]]
) -> Fixed:
    """Return `text` with `findings` mended, each in the text that the fixes before it have left.

    Args:
        findings: All of one file. The last in the text comes first, so that a fix moves none that is still to come.
        file: The file as it was when they were found; None when the report does not have it.
        text: The file's text now.
        look: Finds what there is in a text, over all its lines.
    """
    made: list[str] = []
    refused: list[tuple[str, Refusal]] = []
    for finding in sorted(findings, key=lambda each: (each.line, each.column or 0), reverse=True):
        rewrite = rewrite_now(finding, file, text, look(text))
        if isinstance(rewrite, Refusal):
            refused.append((finding.id, rewrite))
        else:
            text = rewritten(text, rewrite)
            made.append(finding.id)
    return Fixed(text, tuple(made), tuple(refused))
