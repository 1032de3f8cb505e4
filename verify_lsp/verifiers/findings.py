"""From what a verifier said of one text to findings with ids that outlive edits above them."""

from collections.abc import Sequence

import attrs

from verify_lsp.judgement.finding_ids import with_ids
from verify_lsp.judgement.raised import finding_of
from verify_lsp.judgement.sift import clean
from verify_lsp.model.change import Change, FileChange
from verify_lsp.model.finding import Finding, Problem


def findings_of(path: str, text: str, problems: Sequence[Problem]) -> tuple[Finding, ...]:
    """Return a finding for each problem, in their order, clean and with its id.

    Args:
        path: What the findings are said of.
        text: The text the problems were found in.
        problems: All of one text: ids count those that are alike.
    """
    whole = Change(files=(FileChange(path, "modified", after=text),))
    raised = (finding_of("diagnostics", attrs.evolve(problem, path=path), preexisting=False) for problem in problems)
    return with_ids(tuple(clean(raised)), whole)
