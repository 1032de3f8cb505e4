"""Code actions: what mends a finding for certain, all that does at once, and a way to ignore one."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import attrs
from lsprotocol import types as lsp

from verify_lsp.inspection.fix_all import fix_all
from verify_lsp.inspection.inspect import Found, inspect_all
from verify_lsp.model.errors import UsageError
from verify_lsp.model.rewrite import Rewrite
from verify_lsp.mutation.sentences import fault_at
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.board.spans import Span, span_of
from verify_lsp.server.features.inline import added_in, found_now
from verify_lsp.server.features.present import present_of
from verify_lsp.server.features.survivors import BRIEF, INSERT_TEST, SHOW, survivors_in
from verify_lsp.server.features.workspace_edit import workspace_edit
from verify_lsp.server.inline.edits import edits_between, edits_of
from verify_lsp.server.inline.ignoring import ignoring
from verify_lsp.server.texts.open_documents import document_key

Json = dict[str, Any]

FIX_ALL = "source.fixAll.verify"
IGNORES = 5
"""At most so many findings can be ignored from one list of actions: each is tried out on the text."""

SURVIVORS = 5
"""At most so many faults that no test notices have actions in one list."""

_COMMAND = "command"
_OFFERS = {
    "Show the program with the fault in it": SHOW,
    "Copy what an agent should know": BRIEF,
    "Insert a failing test": INSERT_TEST,
}
_QUICK_FIX = lsp.CodeActionKind.QuickFix.value


@attrs.frozen
class _Asked:
    """One document, as it is now, and what the client wants of it."""

    key: str
    uri: str
    text: str
    lines: list[str]
    found: tuple[Found, ...]


def actions(server: VerifyServer, params: lsp.CodeActionParams) -> list[Json]:
    """Answer the actions for a range. Their edits come when one is resolved, where the client can wait so long."""
    asked = _asked(server, params.text_document.uri)
    if asked is None:
        return []
    offered: list[Json] = []
    if _wants(params.context, _QUICK_FIX):
        for one, shown in _in_range(asked, params):
            offered += _fix_for(server, asked, one, shown)
        for one, shown in islice(_in_range(asked, params), IGNORES):
            offered += _ignore_for(server, asked, one, shown)
    if _wants(params.context, FIX_ALL) and any(one.rewrite for one in asked.found):
        offered.append(_action("Fix all that verify-lsp can fix safely", FIX_ALL, _data(asked, FIX_ALL)))
    if not server.session.client.resolves_edits:
        offered = [resolved for action in offered if (resolved := _resolved(server, action)) is not None]
    return [*offered, *_on_survivors(server, asked, params)]


def resolve(server: VerifyServer, action: lsp.CodeAction) -> Json:
    """Answer an action with its edit, made for the text as it is now.

    Raises:
        UsageError: The text is no longer one that the action fits.
    """
    resolved = _resolved(server, server.line.plain(action))
    if resolved is None:
        raise UsageError("the text has changed, and this action does not fit it any more")
    return resolved


def _asked(server: VerifyServer, uri: str) -> _Asked | None:
    key = document_key(uri)
    if key is None or (now := found_now(server, key)) is None:
        return None
    text, found = now
    document = server.session.documents.by_key.get(key)
    return _Asked(key, uri if document is None else document.uri, text, text.split("\n"), found)


def _wants(context: lsp.CodeActionContext, kind: str) -> bool:
    if context.only is None:
        # "Fix all" belongs to a save or to a menu of its own, not to each bulb on each line.
        return kind == _QUICK_FIX
    names = [only.value if isinstance(only, lsp.CodeActionKind) else only for only in context.only]
    return any(name in {"", kind} or kind.startswith(name + ".") for name in names)


def _in_range(asked: _Asked, params: lsp.CodeActionParams) -> Iterator[tuple[Found, list[lsp.Diagnostic]]]:
    first, last = params.range.start.line, max(params.range.start.line, params.range.end.line)
    for one in asked.found:
        span = span_of(one.finding, asked.lines)
        if span.line <= last and span.end_line >= first:
            yield one, _diagnostics(params.context, one, span)


def _diagnostics(context: lsp.CodeActionContext, one: Found, span: Span) -> list[lsp.Diagnostic]:
    """Return the diagnostics of the client that show this finding."""
    return [
        shown
        for shown in context.diagnostics
        if shown.code == one.finding.rule
        and (
            (isinstance(shown.data, dict) and shown.data.get("findingId") == one.finding.id)
            or shown.range.start.line == span.line
        )
    ]


def _fix_for(server: VerifyServer, asked: _Asked, one: Found, shown: list[lsp.Diagnostic]) -> Iterator[Json]:
    if one.rewrite is not None:
        about = [server.line.plain(diagnostic) for diagnostic in shown]
        fix = _action(one.rewrite.title, _QUICK_FIX, _data(asked, "fix", one))
        yield {**fix, "diagnostics": about, "isPreferred": True}


def _ignore_for(server: VerifyServer, asked: _Asked, one: Found, shown: list[lsp.Diagnostic]) -> Iterator[Json]:
    if (rewrite := ignoring(one.finding, asked.text)) is not None:
        about = [server.line.plain(diagnostic) for diagnostic in shown]
        yield {**_action(rewrite.title, _QUICK_FIX, _data(asked, "ignore", one)), "diagnostics": about}


def _on_survivors(server: VerifyServer, asked: _Asked, params: lsp.CodeActionParams) -> Iterator[Json]:
    """Offer to look at a fault that no test notices, to tell an agent of it, and to begin a test for it."""
    present = present_of(server.session, asked.key)
    if present is None or not _wants(params.context, _QUICK_FIX):
        return
    first, last = params.range.start.line, max(params.range.start.line, params.range.end.line)
    for placed, survivor in islice(survivors_in(server, present, range(first, last + 1)), SURVIVORS):
        one = Found(placed.finding)
        about = [server.line.plain(shown) for shown in _diagnostics(params.context, one, placed.span)]
        arguments = [{"findingId": placed.finding.id, "reportId": placed.report_id}]
        for title, command in _OFFERS.items():
            if command == INSERT_TEST and not server.session.client.applies_edits:
                continue
            whole = f"{title}: {fault_at(survivor.mutant)}"
            run = {"title": whole, "command": command, "arguments": arguments}
            yield {**_action(whole, _QUICK_FIX, _data(asked, _COMMAND)), "command": run, "diagnostics": about}


def _action(title: str, kind: str, data: Json) -> Json:
    return {"title": title, "kind": kind, "data": data}


def _data(asked: _Asked, act: str, one: Found | None = None) -> Json:
    return {"uri": asked.uri, "act": act, "findingId": None if one is None else one.finding.id}


def _resolved(server: VerifyServer, action: Json) -> Json | None:
    data = action.get("data")
    if not isinstance(data, dict) or not isinstance(data.get("uri"), str):
        raise UsageError("data: expected what came with the action")
    if data.get("act") == _COMMAND:
        return action
    asked = _asked(server, data["uri"])
    if asked is None:
        return None
    if data.get("act") == FIX_ALL:
        after = all_fixed(server, asked.key, asked.text)
        edits = edits_between(asked.text, after, server.session.client.encoding)
    else:
        rewrite = _rewrite(asked, data)
        if rewrite is None:
            return None
        edits = edits_of(rewrite, asked.text, server.session.client.encoding)
    return {**action, "edit": workspace_edit(server.session, asked.key, asked.uri, edits)}


def _rewrite(asked: _Asked, data: Json) -> Rewrite | None:
    one = next((one for one in asked.found if one.finding.id == data.get("findingId")), None)
    if one is None:
        return None
    return ignoring(one.finding, asked.text) if data.get("act") == "ignore" else one.rewrite


def all_fixed(server: VerifyServer, key: str, text: str) -> str:
    """Return the text of a file with every safe fix made."""
    present = present_of(server.session, key)
    if present is None:
        return text

    def rewrites_of(now: str) -> Iterator[Rewrite]:
        subject = attrs.evolve(present.subject, text=now, saved=False)
        found = inspect_all(subject, present.path, present.settings, added_in(server, key, now))
        return (one.rewrite for one in found if one.rewrite is not None)

    return fix_all(text, rewrites_of)
