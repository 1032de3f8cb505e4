"""Holds one text against the rules and hears what its comments say to that."""

from collections.abc import Sequence

import attrs

from verify_lsp.judgement.suppressions import may_be_unused, split, suppressions_in, unused_problems
from verify_lsp.model.change import Line
from verify_lsp.model.finding import Problem
from verify_lsp.security.rules import rules
from verify_lsp.security.scan import Scan, scan_text


@attrs.frozen
class Examined:
    """What was seen.

    Attributes:
        problems: Those that no comment suppresses, and comments that suppress nothing.
        suppressed: How many a comment suppresses.
        gap: What the rules could not look at, in plain words; None when they saw all of it.
    """

    problems: tuple[Problem, ...]
    suppressed: int = 0
    gap: str | None = None


def examine(path: str, text: str, lines: frozenset[int] | None = None, removed: Sequence[Line] = ()) -> Examined:
    """Return what the rules and the comments say of a text; the arguments are those of `scan.scan_text`."""
    scan = Scan(path, text, lines, removed)
    problems = scan.problems()
    gap = scan.gap() if lines is None or lines else None
    if not problems and not may_be_unused(text):
        return Examined((), gap=gap)
    said = suppressions_in(path, text)
    if not said:
        return Examined(problems, gap=gap)
    told = split(problems, said, security=True)
    idle = [each for each in told.unused if lines is None or each.line in lines]
    if idle and lines is not None:
        # Out of the change's own lines, there may well be something that the comment is about.
        idle = list(split(scan_text(path, text, rewrites=False), idle, security=True).unused)
    known = frozenset(rule.id for rule in rules())
    unused = unused_problems(path, idle, known.__contains__)
    return Examined((*told.kept, *unused), len(told.suppressed), gap)
