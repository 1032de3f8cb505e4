"""From what a verifier said of one text to findings with ids that outlive edits above them."""

from collections.abc import Sequence

from verify_lsp.judgement.finding_ids import with_ids
from verify_lsp.judgement.plain_text import block, one_line
from verify_lsp.model.change import Change, FileChange
from verify_lsp.model.finding import Finding, Problem

_TEXT_LIMIT = 1_000
_RULE_LIMIT = 200


def findings_of(path: str, text: str, problems: Sequence[Problem]) -> tuple[Finding, ...]:
    """Return a finding for each problem, in their order, clean and with its id.

    Args:
        path: What the findings are said of.
        text: The text the problems were found in.
        problems: All of one text: ids count those that are alike.
    """
    whole = Change(files=(FileChange(path, "modified", after=text),))
    return with_ids([_finding(path, problem) for problem in problems], whole)


def _finding(path: str, problem: Problem) -> Finding:
    url = problem.url or ""
    return Finding(
        id="",
        check="diagnostics",
        severity=problem.severity,
        path=path,
        line=max(problem.line, 1),
        rule=one_line(problem.rule, _RULE_LIMIT),
        message=block(problem.message, _TEXT_LIMIT),
        fixable=problem.rewrite is not None,
        end_line=problem.end_line,
        column=problem.column,
        end_column=problem.end_column,
        suggestion=None if problem.suggestion is None else block(problem.suggestion, _TEXT_LIMIT),
        evidence=None if problem.evidence is None else block(problem.evidence, _TEXT_LIMIT),
        cwe=problem.cwe,
        url=url if url.startswith(("https://", "http://")) else None,
    )
