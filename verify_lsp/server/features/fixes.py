"""`verify/applyFix`: one fix, for a finding that is shown now or that stands in a stored report."""

import json
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.inspection.inspect import inspect_all
from verify_lsp.inspection.relocate import Refusal, rewrite_now
from verify_lsp.model.errors import UsageError
from verify_lsp.model.report import Report
from verify_lsp.model.rewrite import Rewrite
from verify_lsp.server import params
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.features.inline import found_now
from verify_lsp.server.features.present import Present, present_of
from verify_lsp.server.features.runs import report_folders
from verify_lsp.server.features.workspace_edit import apply_edit, workspace_edit
from verify_lsp.server.inline.edits import edits_of
from verify_lsp.server.texts.uris import key_of

_LABEL = "verify-lsp: {}"


@attrs.frozen
class _Fix:
    """A rewrite, made for the present text of one file."""

    present: Present
    rewrite: Rewrite


async def apply_fix(server: VerifyServer, asked: params.ApplyFix, _: params.Token | None) -> dict[str, Any]:
    """Make one fix through the client, or answer why it is not made.

    Raises:
        UsageError: There is no such finding, or no such report.
    """
    fix = _shown(server, asked.finding_id) if asked.report_id is None else None
    if fix is None:
        fix = await _stored(server, asked)
    if isinstance(fix, Refusal):
        return {"applied": False, "reason": fix.reason}
    return await _apply(server, fix)


def _shown(server: VerifyServer, finding_id: str) -> _Fix | Refusal | None:
    """Return the fix of a finding that was seen by a look at a text; None when none has this id."""
    session = server.session
    for key, looked in list(session.looked.items()):
        if all(one.finding.id != finding_id for one in looked.found):
            continue
        now, present = found_now(server, key), present_of(session, key)
        one = next((one for one in (now or ("", ()))[1] if one.finding.id == finding_id), None)
        if one is None or present is None:
            return Refusal("the text has changed, and the finding is not there any more")
        if one.rewrite is None:
            return Refusal(f"there is no fix for {one.finding.rule} that is certain to be right")
        return _Fix(present, one.rewrite)
    return None


async def _stored(server: VerifyServer, asked: params.ApplyFix) -> _Fix | Refusal:
    report = await stored_report(server, asked.report_id)
    finding = None if report is None else next((one for one in report.findings() if one.id == asked.finding_id), None)
    if report is None or finding is None:
        raise UsageError(f"no such finding: {asked.finding_id}")
    if not finding.path:
        return Refusal("the finding is in no file")
    present = present_of(server.session, key_of(Path(report.workspace, finding.path)))
    if present is None:
        return Refusal(f"{finding.path} is not there, or its text cannot be read")
    file = next((file for file in report.files if file.path == finding.path), None)
    found = inspect_all(present.subject, present.path, present.settings)
    rewrite = rewrite_now(finding, file, present.text, found)
    return rewrite if isinstance(rewrite, Refusal) else _Fix(present, rewrite)


async def stored_report(server: VerifyServer, report_id: str | None) -> Report | None:
    """Read the named report, or the newest; the worker has them."""
    from verify_lsp.codec import from_wire

    if report_id is None:
        raw = await server.worker.call("latest", report_folders(server), None)
    else:
        raw = await server.worker.call("report", report_folders(server), report_id)
    data = json.loads(raw)
    return None if data is None else from_wire(data, Report)


async def _apply(server: VerifyServer, fix: _Fix) -> dict[str, Any]:
    session, present = server.session, fix.present
    uri = session.folders.address(present.subject.path) if present.document is None else present.document.uri
    edits = edits_of(fix.rewrite, present.text, session.client.encoding)
    edit = workspace_edit(session, present.key, uri, edits)
    return await apply_edit(server, _LABEL.format(fix.rewrite.title), edit)
