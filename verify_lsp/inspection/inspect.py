"""One text, held against everything that needs nothing but the text, or a tool that reads one file."""

from collections.abc import Iterable

import attrs

from verify_lsp.judgement.raised import finding_of
from verify_lsp.judgement.sift import sift
from verify_lsp.judgement.suppressions import UNUSED_RULE, split, suppressions_in
from verify_lsp.model.change import Change, FileChange
from verify_lsp.model.finding import CheckKind, Finding, Problem
from verify_lsp.model.rewrite import Rewrite
from verify_lsp.settings.settings import Settings
from verify_lsp.verifiers.base import Runner, Subject, Verdict

VERIFIERS: CheckKind = "diagnostics"
"""The kind under which the findings of verifiers are reported."""


@attrs.frozen
class Found:
    """A finding, and what mends it for certain."""

    finding: Finding
    rewrite: Rewrite | None = None


@attrs.frozen
class Inspection:
    """What was seen of one text.

    Attributes:
        skipped: Why it was not, or not wholly, looked at.
    """

    found: tuple[Found, ...] = ()
    skipped: str | None = None


def inspect_text(subject: Subject, path: str, settings: Settings) -> Inspection:
    """Hold a text against its name's verifier, in this process and within milliseconds.

    Raises nothing, whatever the text is.

    Args:
        subject: The text, and the name that says what it should be.
        path: How the file is called in findings: workspace-relative, POSIX style.
        settings: Which rules hold, and how grave they are.
    """
    from verify_lsp.verifiers.verify import verify_text

    return _of_verdict(verify_text(subject), subject.text, path, settings)


def inspect_lines(
    text: str, path: str, settings: Settings, added: frozenset[int] | None = None, *, typed: bool = False
) -> tuple[Found, ...]:
    """Hold lines of a text against the security rules, as the check of a change does. Raises nothing.

    Args:
        added: The 1-based numbers of the lines; None for all.
        typed: True while the text is being typed: what a comment is to suppress may be about to come, so that a comment
            which suppresses nothing is not told of.
    """
    if not settings.security_rules or added == frozenset():
        return ()
    from verify_lsp.security.examine import examine

    told = examine(path, text, added).problems
    problems = [problem for problem in told if not (typed and problem.rule == UNUSED_RULE)]
    return _reported("security", problems, text, path, settings)


def inspect_all(
    subject: Subject, path: str, settings: Settings, added: frozenset[int] | None = None
) -> tuple[Found, ...]:
    """Return all that `inspect_text` and `inspect_lines` find."""
    found = inspect_text(subject, path, settings).found
    return (*found, *inspect_lines(subject.text, path, settings, added, typed=not subject.saved))


async def inspect_saved(subject: Subject, path: str, settings: Settings, run: Runner) -> Inspection | None:
    """Ask the tool that reads a saved file of this name, such as a compiler.

    Returns:
        What stands in place of what verifiers found in the text alone, unless the tool skipped the file; None where
        there is no tool for such a file.
    """
    from verify_lsp.verifiers.verify import verify_saved

    verdict = await verify_saved(subject, run)
    return None if verdict is None else _of_verdict(verdict, subject.text, path, settings)


def _of_verdict(verdict: Verdict | None, text: str, path: str, settings: Settings) -> Inspection:
    if verdict is None:
        return Inspection()
    kept = split(verdict.problems, suppressions_in(path, text)).kept
    return Inspection(_reported(VERIFIERS, kept, text, path, settings), verdict.skipped)


def _reported(
    check: CheckKind, problems: Iterable[Problem], text: str, path: str, settings: Settings
) -> tuple[Found, ...]:
    """Return what is to be reported of `problems`, all of one check in one text, clean and with ids that last."""
    findings: list[Finding] = []
    rewrites: dict[tuple[str, int, int | None], Rewrite | None] = {}
    for problem in problems:
        findings.append(finding_of(check, attrs.evolve(problem, path=path), preexisting=False))
        rewrites.setdefault((problem.rule, max(problem.line, 1), problem.column), problem.rewrite)
    if not findings:
        return ()
    change = Change(files=(FileChange(path, "modified", after=text),))
    return tuple(
        Found(finding, rewrites.get((finding.rule, finding.line, finding.column)))
        for finding in sift(findings, change, settings)
    )
