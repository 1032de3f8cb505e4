"""`verify-lsp report`: stored reports, listed, shown and compared."""

import argparse
import sys

from verify_lsp.cli.exit_code import ExitCode
from verify_lsp.cli.output import emit, render, terminal_width
from verify_lsp.cli.workspace import workspace_folder
from verify_lsp.model.errors import NoSuchReportError
from verify_lsp.model.report import Report
from verify_lsp.reports.store import ReportStore


def report(arguments: argparse.Namespace) -> int:
    """List, show or compare the stored reports of a workspace."""
    store = ReportStore(workspace_folder(arguments.workspace))
    match arguments.what:
        case "list":
            _list(store, arguments.session, arguments.limit, arguments.format)
        case "show":
            shown = render(_load(store, arguments.id), arguments.format, to_terminal=sys.stdout.isatty())
            emit(shown)
        case _:
            _compare(_load(store, arguments.old), _load(store, arguments.new), arguments.format)
    return ExitCode.OK


def _load(store: ReportStore, report_id: str) -> Report:
    if report_id != "latest":
        return store.find(report_id)
    latest = store.latest()
    if latest is None:
        raise NoSuchReportError(f"no report is stored for {store.workspace}")
    return latest


def _list(store: ReportStore, session: str | None, limit: int | None, form: str) -> None:
    summaries = store.summaries(session, limit)
    if form == "json":
        import json

        from verify_lsp.codec import to_wire

        emit(json.dumps({"reports": [to_wire(summary) for summary in summaries]}, indent=2, ensure_ascii=False) + "\n")
        return
    from verify_lsp.reports.text import render_summaries

    emit(render_summaries(summaries, width=terminal_width()))


def _compare(old: Report, new: Report, form: str) -> None:
    from verify_lsp.reports.compare import compare, render_comparison_markdown, render_comparison_text

    comparison = compare(old, new)
    if form == "json":
        from verify_lsp.codec import dumps

        emit(dumps(comparison, indent=2) + "\n")
    elif form == "markdown":
        emit(render_comparison_markdown(comparison))
    else:
        emit(render_comparison_text(comparison))
