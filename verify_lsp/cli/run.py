"""`verify-lsp run`: one run to its end."""

import argparse
import asyncio
import signal
import sys
from pathlib import Path
from typing import Any

from verify_lsp.cli.exit_code import ExitCode
from verify_lsp.cli.output import emit, must_be_writable, render
from verify_lsp.cli.progress_line import ProgressLine
from verify_lsp.cli.workspace import workspace_folder
from verify_lsp.model.errors import UsageError
from verify_lsp.model.finding import CHECK_KINDS, CheckKind
from verify_lsp.model.report import Report
from verify_lsp.model.scope import ScopeKind, VerifyScope
from verify_lsp.verify import RunRequest

_REDRAW_S = 1.0


def run(arguments: argparse.Namespace) -> int:
    """Verify as the command line says, print the report, and return the exit code."""
    workspace = workspace_folder(arguments.workspace)
    request = _request(arguments, workspace)
    must_be_writable(arguments.output)
    report = run_to_its_end(request)
    text = render(report, arguments.format, to_terminal=arguments.output is None and sys.stdout.isatty())
    emit(text, arguments.output)
    return exit_code(report, arguments.fail_on)


def run_to_its_end(request: RunRequest) -> Report:
    """Run one request in a loop of its own; an interrupt cancels the run and keeps what is known."""
    return asyncio.run(_run(request))


async def _run(request: RunRequest) -> Report:
    from verify_lsp.runs import Runs

    runs, line = Runs(), ProgressLine()
    report_id = runs.start(request, line.observe)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, runs.cancel, report_id)
    ticking = loop.create_task(_tick(line))
    try:
        return await runs.wait(report_id)
    finally:
        ticking.cancel()
        line.clear()
        await runs.close()


async def _tick(line: ProgressLine) -> None:
    while True:
        await asyncio.sleep(_REDRAW_S)
        line.draw()


def exit_code(report: Report, fail_on: str) -> ExitCode:
    """Return what a report means for a script. A check in error is not a pass, so it counts as a failure."""
    if report.status == "cancelled":
        return ExitCode.INTERRUPTED
    if fail_on == "never":
        return ExitCode.OK
    bad = {"fail", "error"} if fail_on == "fail" else {"fail", "error", "warn"}
    return ExitCode.FAILED if report.status in bad else ExitCode.OK


def _request(arguments: argparse.Namespace, workspace: Path) -> RunRequest:
    from verify_lsp.settings.options import Options
    from verify_lsp.settings.resolve import resolve_settings

    trusted = not arguments.untrusted
    resolved = resolve_settings(workspace, Options(), trusted=trusted)
    for problem in resolved.problems:
        print(f"verify-lsp: {problem}", file=sys.stderr)
    return RunRequest(
        workspace=workspace,
        scope=_scope(arguments, workspace),
        settings=resolved.settings,
        trusted=trusted,
        checks=_checks(arguments.checks),
        message=_read(arguments.message, "message") if arguments.message else None,
        session_id=arguments.session,
        offline=arguments.offline,
        notes=resolved.problems,
    )


def _scope(arguments: argparse.Namespace, workspace: Path) -> VerifyScope:
    """Build the scope; a flag that only one kind understands chooses that kind."""
    implied: dict[ScopeKind, Any] = {
        "change-set": arguments.diff,
        "files": arguments.files,
        "session": arguments.session,
    }
    kinds = [kind for kind, value in implied.items() if value is not None]
    kind: ScopeKind = arguments.scope or (kinds[0] if kinds else "branch" if arguments.base else "working-tree")
    for other in kinds:
        if other != kind and not (other == "session" and kind != "session"):
            raise UsageError(f"--{_FLAG[other]} does not go with --scope {kind}")
    if arguments.base is not None and kind != "branch":
        raise UsageError(f"--base does not go with --scope {kind}")
    if kind in _FLAG and implied[kind] is None:
        raise UsageError(f"--scope {kind} needs --{_FLAG[kind]}")
    return VerifyScope(
        kind=kind,
        session_id=arguments.session,
        diff=_read(arguments.diff, "diff") if kind == "change-set" else None,
        base=arguments.base,
        files=tuple(_inside(name, workspace) for name in arguments.files) if kind == "files" else None,
    )


_FLAG: dict[ScopeKind, str] = {"change-set": "diff", "files": "files", "session": "session"}


def _inside(name: str, workspace: Path) -> str:
    """Return a path as the workspace knows it; names on the command line are relative to the current folder."""
    import os
    import unicodedata

    path = Path(os.path.abspath(name))  # noqa: PTH100  # resolve() would follow a link that is itself the file meant.
    for candidate in (path, path.parent.resolve() / path.name):
        if candidate.is_relative_to(workspace):
            return unicodedata.normalize("NFC", candidate.relative_to(workspace).as_posix())
    raise UsageError(f"{name} is outside of {workspace}")


def _checks(given: str | None) -> tuple[CheckKind, ...] | None:
    if given is None:
        return None
    from verify_lsp.checks.registry import BUILT

    wanted = [word.strip() for word in given.split(",") if word.strip()]
    for word in wanted:
        if word not in CHECK_KINDS:
            raise UsageError(f"unknown check {word!r} (known: {', '.join(sorted(BUILT))})")
        if word not in BUILT:
            raise UsageError(f"the check {word!r} is not part of this version")
    if not wanted:
        raise UsageError("--checks names no check")
    return tuple(kind for kind in CHECK_KINDS if kind in wanted)


def _read(name: str, what: str) -> str:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"the {what} cannot be read: {error.strerror}: {name}") from None
    return data.decode("utf-8", "replace")
