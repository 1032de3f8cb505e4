"""Texts held against the verifier of their name."""

from pathlib import Path

from verify_lsp.model.finding import Problem
from verify_lsp.model.rewrite import rewritten
from verify_lsp.verifiers.base import Subject, Verdict
from verify_lsp.verifiers.verify import verify_text

FOLDER = Path("/project")


def judged(name: str, text: str) -> Verdict:
    verdict = verify_text(Subject(FOLDER / name, text))
    assert verdict is not None, f"{name} has no verifier"
    return verdict


def errors(verdict: Verdict) -> list[Problem]:
    return [problem for problem in verdict.problems if problem.severity in {"critical", "high"}]


def is_right(name: str, text: str) -> bool:
    """Say whether the whole text was verified, without an error."""
    verdict = judged(name, text)
    return verdict.skipped is None and not errors(verdict)


def said(name: str, text: str) -> list[tuple[str, int, int | None]]:
    """Return the rule, line and column of each problem."""
    verdict = judged(name, text)
    assert verdict.skipped is None, verdict.skipped
    return [(problem.rule, problem.line, problem.column) for problem in verdict.problems]


def mended(name: str, text: str) -> str:
    """Return the text with every rewrite made, from the last to the first."""
    verdict = judged(name, text)
    rewrites = [problem.rewrite for problem in verdict.problems if problem.rewrite is not None]
    assert rewrites, f"nothing can be mended: {verdict}"
    for rewrite in sorted(rewrites, key=lambda rewrite: rewrite.edits[0].start, reverse=True):
        text = rewritten(text, rewrite)
    return text
