"""A fault that no test notices: shown as a difference, or put into words for an agent. Nothing is written with it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.checks.secret_mutants import HIDDEN
from verify_lsp.inspection.relocate import Refusal
from verify_lsp.model.errors import UsageError
from verify_lsp.model.mutant import TriedMutant
from verify_lsp.mutation.brief import brief_on, diff_on
from verify_lsp.mutation.sentences import fault_at, words_on
from verify_lsp.server import params
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.board.spans import Placed, Span, carried_over, same_text, span_of
from verify_lsp.server.features.fixes import stored_report
from verify_lsp.server.features.present import Present, present_of
from verify_lsp.server.features.shown_report import show_text
from verify_lsp.server.texts.uris import key_of

Json = dict[str, Any]

SHOW, BRIEF, INSERT_TEST = "verify_show_mutant", "verify_brief_mutant", "verify_insert_test"

_NAME = 64
_CHANGED = Refusal("the text has changed since the fault was tried in it")


@attrs.frozen
class Survivor:
    """A fault at its place in the present text.

    Attributes:
        workspace: Absolute folder that the mutant's path is relative to.
        present: Its file as it is now.
        mutant: Its place is that of the present text.
        span: That place.
    """

    workspace: Path
    present: Present
    mutant: TriedMutant
    span: Span

    def mutated(self) -> str:
        """Return the present text with the fault in it."""
        start, end = _offsets(self.present.text, self.span)
        piece, replacement = self.present.text[start:end], self.mutant.replacement
        if "\r\n" in piece:
            replacement = replacement.replace("\n", "\r\n")
        return self.present.text[:start] + replacement + self.present.text[end:]


def survivors_in(server: VerifyServer, present: Present, lines: range) -> Iterator[tuple[Placed, Survivor]]:
    """Yield the faults of some lines (0-based) that certainly stand in the present text as they were tried."""
    sheet = server.session.layers.runs.sheets.get(present.key)
    for one in sheet.standing if sheet is not None else ():
        if one.mutant is not None and one.span.line < lines.stop and one.span.end_line >= lines.start:
            found = _survivor(_workspace(sheet.verified.path, one.mutant), present, one) if sheet else _CHANGED
            if isinstance(found, Survivor):
                yield one, found


async def survivor_of(server: VerifyServer, asked: params.OneMutant) -> Survivor | Refusal:
    """Return the fault that a finding is about, shown now or stored, or why it is not there any more.

    Raises:
        UsageError: There is no such finding, or no such report, or it is about no fault.
    """
    session = server.session
    for key, sheet in session.layers.runs.sheets.items():
        known = next((one for one in sheet.verified.placed if _is_meant(one, asked)), None)
        if known is None:
            continue
        if known.mutant is None:
            raise UsageError(f"findingId: {asked.finding_id} is about no fault that was tried on the tests")
        present = present_of(session, key)
        standing = next((one for one in sheet.standing if _is_meant(one, asked)), None)
        if present is None or standing is None:
            return _CHANGED
        return _survivor(_workspace(sheet.verified.path, known.mutant), present, standing)
    return await _stored(server, asked)


async def _stored(server: VerifyServer, asked: params.OneMutant) -> Survivor | Refusal:
    """A report that is not shown any more holds for the very text that was verified, and for no other."""
    report = await stored_report(server, asked.report_id)
    found = [
        (finding, check.mutant_of(finding))
        for check in (report.checks if report else ())
        for finding in check.findings
        if finding.id == asked.finding_id
    ]
    if report is None or not found:
        raise UsageError(f"no such finding: {asked.finding_id}")
    finding, mutant = found[0]
    if mutant is None:
        raise UsageError(f"findingId: {asked.finding_id} is about no fault that was tried on the tests")
    present = present_of(server.session, key_of(Path(report.workspace, finding.path)))
    verified = next((file.after for file in report.files if file.path == finding.path), None)
    if present is None or verified is None or not same_text(verified, present.text):
        return _CHANGED
    placed = (Placed(finding, span_of(finding, verified.split("\n")), report.id, mutant),)
    return _survivor(Path(report.workspace), present, carried_over(placed, verified, present.text)[0])


def _is_meant(one: Placed, asked: params.OneMutant) -> bool:
    return one.finding.id == asked.finding_id and asked.report_id in {None, one.report_id}


def _workspace(path: str, mutant: TriedMutant) -> Path:
    return Path(path).parents[mutant.path.count("/")]


def _survivor(workspace: Path, present: Present, placed: Placed) -> Survivor | Refusal:
    mutant, span = placed.mutant, placed.span
    if mutant is None:
        return _CHANGED
    if mutant.original == HIDDEN:
        return Refusal("a secret stands on the line, so that nothing more is said of the fault")
    start, end = _offsets(present.text, span)
    if _plain(present.text[start:end]) != _plain(mutant.original):
        return _CHANGED
    moved = attrs.evolve(
        mutant, line=span.line + 1, column=span.column + 1, end_line=span.end_line + 1, end_column=span.end_column + 1
    )
    return Survivor(workspace, present, moved, span)


def _offsets(text: str, span: Span) -> tuple[int, int]:
    lines = text.split("\n")
    starts = (sum(len(line) + 1 for line in lines[:row]) for row in (span.line, span.end_line))
    return next(starts) + span.column, next(starts) + span.end_column


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n")


async def tell(server: VerifyServer, asked: params.OneMutant, _: params.Token | None) -> Json:
    """Answer all that there is to say of a fault, the text with it in it included, or why it does not fit any more."""
    found = await survivor_of(server, asked)
    return {"reason": found.reason} if isinstance(found, Refusal) else _told(server, found)


def _told(server: VerifyServer, survivor: Survivor) -> Json:
    present, mutant, mutated = survivor.present, survivor.mutant, survivor.mutated()
    document = present.document
    uri = server.session.folders.address(present.subject.path) if document is None else document.uri
    return {
        "uri": uri,
        "path": mutant.path,
        "line": mutant.line,
        "title": fault_at(mutant),
        "message": words_on(mutant),
        "original": present.text,
        "mutated": mutated,
        "diff": diff_on(mutant, present.text, mutated),
        "brief": brief_on(mutant, present.text, mutated),
    }


async def show(server: VerifyServer, asked: params.OneMutant, _: params.Token | None) -> Json:
    """Show a fault as a difference, in a client that has no way of its own to show one beside the text."""
    return await _shown(server, asked, "diff", "diff")


async def brief(server: VerifyServer, asked: params.OneMutant, _: params.Token | None) -> Json:
    """Show what an agent should be told of a fault, in a client that cannot put it on the clipboard by itself."""
    return await _shown(server, asked, "brief", "txt")


async def _shown(server: VerifyServer, asked: params.OneMutant, what: str, extension: str) -> Json:
    found = await survivor_of(server, asked)
    if isinstance(found, Refusal):
        server.show_message(f"verify-lsp: {found.reason}")
        return {"shown": False, "reason": found.reason}
    text: str = _told(server, found)[what]
    name = re.sub(r"\W", "-", asked.finding_id)[:_NAME]
    shown = await show_text(server, found.workspace, f"{name}.{extension}", text)
    return {"shown": shown, what: text}
