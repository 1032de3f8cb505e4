"""From a problem, as a tool or a rule raised it, to the finding that is reported."""

from verify_lsp.model.finding import CheckKind, Finding, Problem


def finding_of(check: CheckKind, problem: Problem, *, preexisting: bool) -> Finding:
    """Return the finding for one problem. Its id is given later, when all of a check are together."""
    return Finding(
        id="",
        check=check,
        severity=problem.severity,
        path=problem.path,
        line=max(problem.line, 1),
        rule=problem.rule,
        message=problem.message,
        preexisting=preexisting,
        end_line=problem.end_line,
        column=problem.column,
        end_column=problem.end_column,
        suggestion=problem.suggestion,
        evidence=problem.evidence,
        cwe=problem.cwe,
        fixable=problem.rewrite is not None,
        url=problem.url,
    )
