"""From findings at their places to the protocol's diagnostics, few enough to be read."""

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from verify_lsp.model.finding import SEVERITIES, Finding
from verify_lsp.server.board.policy import INFORMATION, Policy, View
from verify_lsp.server.board.spans import Placed
from verify_lsp.server.positions import Encoding, units_before

SOURCE = "verify"
HIDDEN = "hidden"
_RANK = {severity: rank for rank, severity in enumerate(SEVERITIES)}


@attrs.frozen
class Share:
    """How much of a file may be shown.

    Attributes:
        count: So many of its findings.
        note: What to say about those that are not shown; empty when there are none.
    """

    count: int
    note: str = ""


def wanted(placed: Iterable[Placed], policy: Policy) -> list[Placed]:
    """Return what the client should see, the gravest first, then in the order of the text."""
    seen = [one for one in placed if policy.preexisting or not one.finding.preexisting]
    return sorted(seen, key=_weight)


def _weight(one: Placed) -> tuple[bool, int, int, int]:
    return (one.finding.preexisting, _RANK[one.finding.severity], one.span.line, one.span.column)


def shares(files: Mapping[str, list[Placed]], policy: Policy) -> dict[str, Share]:
    """Divide the total among the files, those with the gravest findings first, and say what is hidden where."""
    left = policy.total
    given: dict[str, Share] = {}
    waiting = [key for key, placed in files.items() if placed]
    for key in sorted(waiting, key=lambda key: (_weight(files[key][0])[:2], key)):
        found = len(files[key])
        limit = min(policy.per_file, left)
        count = found if found <= limit else max(limit - 1, 0)
        given[key] = Share(count, f"{_more(found - count)} in this file hidden" if 0 < count < found else "")
        left -= min(found, limit)
    _note_unshown(given, files)
    return given


def _note_unshown(given: dict[str, Share], files: Mapping[str, list[Placed]]) -> None:
    unshown = [key for key, share in given.items() if not share.count]
    shown = [key for key, share in given.items() if share.count]
    if unshown and shown:
        where = "1 other file" if len(unshown) == 1 else f"{len(unshown)} other files"
        note = f"{_more(sum(len(files[key]) for key in unshown))} in {where} hidden"
        last = given[shown[-1]]
        given[shown[-1]] = attrs.evolve(last, note="; ".join(filter(None, (last.note, note))))


def _more(count: int) -> str:
    return "1 more finding" if count == 1 else f"{count} more findings"


def diagnostics(placed: list[Placed], lines: list[str], share: Share, view: View) -> list[dict[str, Any]]:
    """Return the diagnostics of one file, whose present text is `lines`."""
    shown = [_diagnostic(one, lines, view) for one in placed[: share.count]]
    if share.note:
        report_id = next((one.report_id for one in placed if one.report_id), "")
        place = {"line": shown[-1]["range"]["start"]["line"], "character": 0}
        shown.append(
            {
                "range": {"start": place, "end": place},
                "severity": INFORMATION,
                "source": SOURCE,
                "code": HIDDEN,
                "message": _hidden_note(share.note, report_id),
                "data": {"reportId": report_id} if report_id else {},
            }
        )
    return shown


def _hidden_note(note: str, report_id: str) -> str:
    return f"{note}; the report has them all." if report_id else f"{note}."


def _diagnostic(one: Placed, lines: list[str], view: View) -> dict[str, Any]:
    finding, span = one.finding, one.span
    shown: dict[str, Any] = {
        "range": {
            "start": _position(lines, span.line, span.column, view.encoding),
            "end": _position(lines, span.end_line, span.end_column, view.encoding),
        },
        "severity": view.policy.level(finding.severity, preexisting=finding.preexisting),
        "source": SOURCE,
        "code": finding.rule,
        "message": _message(finding, view.policy),
        "data": {"findingId": finding.id, "fixable": finding.fixable},
    }
    if one.report_id:
        shown["data"]["reportId"] = one.report_id
    if finding.url:
        shown["codeDescription"] = {"href": finding.url}
    return shown


def _message(finding: Finding, policy: Policy) -> str:
    message = f"{finding.rule}: {finding.message}" if policy.errors_are_all else finding.message
    return f"{message} (there before this change)" if finding.preexisting else message


def _position(lines: list[str], line: int, column: int, encoding: Encoding) -> dict[str, int]:
    return {"line": line, "character": units_before(lines[line], column, encoding)}
