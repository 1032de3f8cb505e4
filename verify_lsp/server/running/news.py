"""An event of a run, made ready in the worker: written as JSON, and laid against the texts on disk."""

import json
from collections import defaultdict
from pathlib import Path

import attrs

from verify_lsp.codec import dumps, to_wire
from verify_lsp.model.event import CheckChanged, Event, ReportDone, ReportFailed, ReportStarted
from verify_lsp.model.finding import Finding
from verify_lsp.model.mutant import TriedMutant
from verify_lsp.model.report import Report
from verify_lsp.server.board.board import Verified
from verify_lsp.server.board.spans import Placed, span_of
from verify_lsp.server.running.messages import Kind, News
from verify_lsp.server.texts.disk import OnDisk, look_at
from verify_lsp.server.texts.uris import key_of


def news_of(event: Event) -> News:
    """Return `event` made ready."""
    match event:
        case ReportStarted(report):
            return _about(report, "report")
        case CheckChanged(report_id, check):
            return News(report_id, "check", _encoded(dumps(check)), checks=((check.kind, check.status),))
        case ReportDone(report):
            # What was called off, or could not even be begun, says nothing of what an earlier run had found.
            concludes = report.status != "cancelled" and (bool(report.files) or report.status != "error")
            return attrs.evolve(_about(report, "done"), found=found_in(report), facts=report.facts, concludes=concludes)
        case ReportFailed(report_id, error):
            return News(report_id, "error", _encoded(dumps(error)), status="error")


def _about(report: Report, kind: Kind) -> News:
    return News(
        report.id,
        kind,
        report_json(report),
        workspace=report.workspace,
        status=report.status,
        session_id=report.session_id,
        checks=tuple((check.kind, check.status) for check in report.checks),
    )


def report_json(report: Report) -> bytes:
    """Return the report as JSON, written piece by piece so that other threads get their turn between."""
    rest = to_wire(attrs.evolve(report, files=(), checks=()))
    del rest["files"], rest["checks"]
    head = _encoded(json.dumps(rest, ensure_ascii=False))
    files = b",".join(_encoded(dumps(file)) for file in report.files)
    checks = b",".join(_encoded(dumps(check)) for check in report.checks)
    return b'%b,"files":[%b],"checks":[%b]}' % (head.removesuffix(b"}"), files, checks)


def _encoded(text: str) -> bytes:
    # A lone surrogate, which UTF-8 cannot hold, becomes the escape that JSON has for it.
    return text.encode("utf-8", "backslashreplace")


def found_in(report: Report) -> tuple[Verified, ...]:
    """Return the findings of an ended run, by file, at their places in the text that was verified.

    A file whose verified text is not in the report counts as verified as it is on disk.
    """
    by_path: dict[str, list[tuple[Finding, TriedMutant | None]]] = defaultdict(list)
    for check in report.checks:
        for finding in check.findings:
            by_path[finding.path].append((finding, check.mutant_of(finding)))
    after = {file.path: file.after for file in report.files}
    workspace = Path(report.workspace)
    found = []
    for path, findings in by_path.items():
        on_disk = look_at(workspace / path) if path else OnDisk()
        text = after.get(path)
        if text is None:
            text = on_disk.text
        if text is not None:
            lines = text.split("\n")
            placed = tuple(Placed(one, span_of(one, lines), report.id, mutant) for one, mutant in findings)
            full = workspace / path
            found.append(Verified(key_of(full), str(full), text, placed, on_disk))
    return tuple(found)
