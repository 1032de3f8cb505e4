"""One text, held against everything that needs nothing but the text, or a tool that reads one file."""

from collections.abc import Iterable

import attrs

from verify_lsp.judgement.raised import finding_of
from verify_lsp.judgement.sift import sift
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


def inspect_lines(text: str, path: str, settings: Settings, added: frozenset[int] | None = None) -> tuple[Found, ...]:
    """Hold lines of a text against the security rules. Raises nothing.

    Args:
        added: The 1-based numbers of the lines; None for all.
    """
    if not settings.security_rules or added == frozenset():
        return ()
    from verify_lsp.security.scan import scan_text

    return reported("security", scan_text(path, text, added), text, path, settings)


def inspect_all(
    subject: Subject, path: str, settings: Settings, added: frozenset[int] | None = None
) -> tuple[Found, ...]:
    """Return all that `inspect_text` and `inspect_lines` find."""
    found = inspect_text(subject, path, settings).found
    return (*found, *inspect_lines(subject.text, path, settings, added))


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
    return Inspection(reported(VERIFIERS, verdict.problems, text, path, settings), verdict.skipped)


def reported(
    check: CheckKind, problems: Iterable[Problem], text: str, path: str, settings: Settings
) -> tuple[Found, ...]:
    """Return what is to be reported of `problems`, all of one check in one text, clean and with ids that last."""
    from verify_lsp.judgement.suppressions import split, suppressions_in

    findings: list[Finding] = []
    rewrites: dict[tuple[str, int, int | None], Rewrite | None] = {}
    told_apart = split(tuple(problems), suppressions_in(path, text), security=check == "security")
    for problem in told_apart.kept:
        findings.append(finding_of(check, attrs.evolve(problem, path=path), preexisting=False))
        rewrites.setdefault((problem.rule, max(problem.line, 1), problem.column), problem.rewrite)
    if not findings:
        return ()
    change = Change(files=(FileChange(path, "modified", after=text),))
    return tuple(
        Found(finding, rewrites.get((finding.rule, finding.line, finding.column)))
        for finding in sift(findings, change, settings)
    )
