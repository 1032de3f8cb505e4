"""Ids of findings that outlive the edits above them."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import attrs

from verify_lsp.judgement.lines import without_line_numbers
from verify_lsp.model.change import Change
from verify_lsp.model.finding import CheckKind, Finding

_DIGITS = 16


def finding_id(check: CheckKind, rule: str, path: str, anchor: str, occurrence: int) -> str:
    """Return the id of one finding.

    `anchor` is the text of its line, or its message where that is not known; `occurrence` counts from 0 those that
    are alike in everything else, from the top of the file.
    """
    parts = "\0".join((check, rule, path, anchor, str(occurrence)))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def with_ids(findings: Sequence[Finding], change: Change) -> tuple[Finding, ...]:
    """Return the findings, in their order, each with its id.

    All findings of a check must come together: those that are alike are counted here.
    """
    texts = _texts(change)
    anchors = [_anchor(finding, texts.get(finding.path, ())) for finding in findings]
    seen: Counter[tuple[CheckKind, str, str, str]] = Counter()
    ids: dict[int, str] = {}
    for index in _from_the_top(findings):
        alike = (findings[index].check, findings[index].rule, findings[index].path, anchors[index])
        ids[index] = finding_id(*alike, seen[alike])
        seen[alike] += 1
    return tuple(attrs.evolve(finding, id=ids[index]) for index, finding in enumerate(findings))


def _texts(change: Change) -> Mapping[str, Sequence[str]]:
    known = ((file.path, file.before if file.change == "deleted" else file.after) for file in change.files)
    return {path: text.split("\n") for path, text in known if text is not None}


def _anchor(finding: Finding, lines: Sequence[str]) -> str:
    """The line's text, as an edit above moves the line but not its text; else the message but for line numbers."""
    text = lines[finding.line - 1].strip() if 0 < finding.line <= len(lines) else ""
    return f"text:{text}" if text else f"message:{without_line_numbers(finding.message)}"


def _from_the_top(findings: Sequence[Finding]) -> Iterable[int]:
    def place(index: int) -> tuple[int, int, str]:
        finding = findings[index]
        return (finding.line, finding.column or 0, finding.message)

    return sorted(range(len(findings)), key=place)
