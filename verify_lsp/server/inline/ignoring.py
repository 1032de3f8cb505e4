"""The comment that tells verify-lsp to ignore one finding, put where it does just that and nothing else."""

import re
from collections.abc import Sequence
from posixpath import basename

from verify_lsp.model.finding import Finding
from verify_lsp.model.rewrite import Rewrite, TextEdit, rewritten

_FIRST_LINES = re.compile(
    r"^\ufeff?\s*(?:#!|<\?|<!doctype|@charset"
    r"|#.*?coding[:=]|#\s*(?:syntax|escape|check|frozen_string_literal|warn_indent|encoding)\s*[:=]"
    r"|(?://|/\*+)\s*(?:@ts-(?:no)?check|@flow|@jsx|[+]build)|//go:build)",
    re.IGNORECASE,
)
"""What must stand in the first lines of a file to be understood."""

_HEAD = 5
_NEXT_LINE = re.compile(
    r"^\s*(?:#|//|/\*|<!--|--|\{/\*).*?(?:next-?line|ignore|expect-error|shellcheck|nosemgrep|nosec|nolint|disable|noinspection"
    r"|pragma|allow|//go:|//export|@ts-|fmt:)",
    re.IGNORECASE,
)
"""A comment that speaks of the line below it, which must stay below it."""

_LINE_COMMENTS = ("#", "//", "--")


def ignoring(finding: Finding, text: str) -> Rewrite | None:
    """Return what puts an "ignore" comment above the finding's line, or behind one that is a comment itself.

    The comment takes the line's own indent and line end. None where the format has no comments, and where one could
    change what the file means, or would not do what it is for: in a text of several lines, behind a backslash, before
    what must be the first line.
    """
    from verify_lsp.judgement.suppressions import ignore_comment

    comment = ignore_comment(finding.path, finding.rule, "")
    lines = text.split("\n")
    line = finding.line - 1
    if comment is None or not 0 <= line < len(lines):
        return None
    title = f"Ignore {finding.rule} on this line"
    opener = comment.partition(" ")[0]
    if opener in _LINE_COMMENTS and lines[line].lstrip().startswith(opener):
        return _behind(finding, text, lines, title)
    while line > 0 and _NEXT_LINE.match(lines[line - 1]):
        line -= 1
    if _must_stay_first(lines, line) or _goes_on(finding.path, lines, line):
        return None
    start = sum(len(each) + 1 for each in lines[:line])
    own = lines[finding.line - 1]
    end = "\r\n" if own.endswith("\r") else "\n"
    rewrite = Rewrite(title, (TextEdit(start, start, f"{_indent(finding.path, own)}{comment}{end}"),))
    return rewrite if _is_right(finding, text, rewrite, moved=1) else None


def _behind(finding: Finding, text: str, lines: Sequence[str], title: str) -> Rewrite | None:
    """A comment covers the code below it, so that a comment itself is ignored by what it says."""
    line = finding.line - 1
    own = lines[line].removesuffix("\r")
    if _NEXT_LINE.match(own) or (line < _HEAD and _FIRST_LINES.match(own)) or own.endswith("\\"):
        return None
    at = sum(len(each) + 1 for each in lines[:line]) + len(own)
    rewrite = Rewrite(title, (TextEdit(at, at, f"  verify: ignore[{finding.rule}]"),))
    return rewrite if _is_right(finding, text, rewrite, moved=0) else None


def _must_stay_first(lines: Sequence[str], line: int) -> bool:
    """Return whether a line that belongs at the top would come below a new one."""
    if line == 0 and (lines[0].startswith("\ufeff") or lines[0].strip() == "---"):
        return True
    return any(map(_FIRST_LINES.match, lines[line:_HEAD]))


def _goes_on(path: str, lines: Sequence[str], line: int) -> bool:
    """Return whether the line goes on what a backslash or a backtick leaves open; only Dockerfiles allow for comments there."""
    if line == 0:
        return False
    above = lines[line - 1].removesuffix("\r")
    name = basename(path).lower()
    if name.startswith(("dockerfile", "containerfile")) or name.endswith(".dockerfile"):
        return False
    return above.endswith("\\") or (name.endswith(".ps1") and above.endswith("`"))


def _indent(path: str, line: str) -> str:
    """Return the line's own indent; none in a recipe, where an indented comment is given to the shell."""
    name = basename(path).lower()
    if name.startswith(("makefile", "gnumakefile")) or name.endswith(".mk"):
        return ""
    return line[: len(line) - len(line.lstrip(" \t"))]


def _is_right(finding: Finding, text: str, rewrite: Rewrite, moved: int) -> bool:
    """Return whether the text means the same with the comment, and the comment covers the finding."""
    from verify_lsp.inspection.same_meaning import means_the_same
    from verify_lsp.judgement.suppressions import suppressions_in

    after = rewritten(text, rewrite)
    line, end_line = finding.line + moved, None if finding.end_line is None else finding.end_line + moved
    covered = any(
        suppression.speaks_of(finding.rule, line, end_line)
        for suppression in suppressions_in(finding.path, after)
        if finding.rule in suppression.rules
    )
    return covered and means_the_same(finding.path, text, after, rewrite.edits[0].start)
