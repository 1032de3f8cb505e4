"""A finding of a stored report, found again in the text as it is now, or refused with the reason."""

from collections.abc import Sequence

import attrs

from verify_lsp.inspection.added import stretch_now
from verify_lsp.inspection.inspect import Found
from verify_lsp.model.change import FileChange
from verify_lsp.model.finding import Finding
from verify_lsp.model.rewrite import Rewrite


@attrs.frozen
class Refusal:
    """Why a fix is not made, as one sentence part for a person."""

    reason: str


def rewrite_now(finding: Finding, file: FileChange | None, present: str, found: Sequence[Found]) -> Rewrite | Refusal:
    """Return the rewrite that mends `finding` in the present text.

    Args:
        finding: As reported.
        file: Its file as it was when the finding was made; None when the report does not have it.
        present: The file's text now.
        found: What is found in the present text, over all its lines.
    """
    alike = [one for one in found if (one.finding.check, one.finding.rule) == (finding.check, finding.rule)]
    if not alike:
        return Refusal(f"{finding.rule} is not found in {finding.path} any more")
    before = None if file is None else file.after
    if before is None:
        there = [one for one in alike if one.finding.id == finding.id]
    else:
        lines = stretch_now(before, present, finding.line)
        there = _nearest(finding, [one for one in alike if one.finding.line in lines])
    if len(there) != 1:
        return Refusal(f"line {finding.line} of {finding.path} is no longer what was found")
    if there[0].rewrite is None:
        return Refusal(f"there is no fix for {finding.rule} here that is certain to be right")
    return there[0].rewrite


def _nearest(finding: Finding, there: list[Found]) -> list[Found]:
    """Of several on one line, return the one at the very column."""
    if len(there) < 2:
        return there
    return [one for one in there if one.finding.column == finding.column]
