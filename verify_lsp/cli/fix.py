"""`verify-lsp fix`: the safe rewrites of a report's findings, made in the files or shown as a patch."""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from verify_lsp.cli.exit_code import ExitCode
from verify_lsp.cli.output import emit
from verify_lsp.cli.workspace import workspace_folder
from verify_lsp.model.errors import EngineError, UsageError
from verify_lsp.model.finding import Finding
from verify_lsp.model.report import Report

if TYPE_CHECKING:
    from verify_lsp.inspection.fix_report import Fixed


@attrs.frozen
class _File:
    """One file with what is to be mended in it. `encoding` is what its text was read with."""

    path: str
    full: Path
    encoding: str
    before: str
    fixed: "Fixed"


def fix(arguments: argparse.Namespace) -> int:
    """Mend findings, and return 1 when one of them could not be mended."""
    from verify_lsp.reports.store import ReportStore

    if bool(arguments.findings) == arguments.all:
        raise UsageError("name the findings to fix, or give --all")
    store = ReportStore(workspace_folder(arguments.workspace))
    report = store.latest() if arguments.report == "latest" else store.find(arguments.report)
    if report is None:
        raise UsageError(f"no report is stored for {store.workspace}")
    findings = _chosen(report, None if arguments.all else arguments.findings)
    files = list(_files(report, store.workspace, findings))
    if arguments.dry_run:
        _emit([_patch(file) for file in files])
    else:
        for file in files:
            _write(file)
    return _conclude(files, dry_run=arguments.dry_run)


def _chosen(report: Report, ids: Sequence[str] | None) -> list[Finding]:
    every = {finding.id: finding for finding in report.findings()}
    if ids is None:
        return [finding for finding in every.values() if finding.fixable]
    if unknown := [finding_id for finding_id in ids if finding_id not in every]:
        raise UsageError(f"no such finding in report {report.id}: {unknown[0]}")
    return [every[finding_id] for finding_id in dict.fromkeys(ids)]


def _files(report: Report, workspace: Path, findings: Sequence[Finding]) -> Iterator[_File]:
    by_path: dict[str, list[Finding]] = {}
    for finding in findings:
        by_path.setdefault(finding.path, []).append(finding)
    for path, inside in by_path.items():
        yield _mended(report, workspace, path, inside)


def _mended(report: Report, workspace: Path, path: str, findings: Sequence[Finding]) -> _File:
    from verify_lsp.inspection.fix_report import Fixed, fix_findings
    from verify_lsp.inspection.inspect import Found, inspect_all
    from verify_lsp.inspection.relocate import Refusal
    from verify_lsp.scope.encoding import decoded
    from verify_lsp.settings.options import Options
    from verify_lsp.settings.resolve import resolve_settings
    from verify_lsp.settings.trust import is_trusted
    from verify_lsp.verifiers.base import Subject

    full = workspace / path
    content = _content(full, workspace) if path else "the finding is in no file"
    if isinstance(content, str):
        refused = tuple((finding.id, Refusal(content)) for finding in findings)
        return _File(path, full, "utf-8", "", Fixed("", refused=refused))
    text, encoding, _ = decoded(path, content)
    settings = resolve_settings(workspace, Options(), trusted=is_trusted(workspace)).settings

    def look(now: str) -> Sequence[Found]:
        return inspect_all(Subject(full, now, workspace=workspace), path, settings)

    file = next((file for file in report.files if file.path == path), None)
    return _File(path, full, encoding, text, fix_findings(findings, file, text, look))


def _content(full: Path, workspace: Path) -> bytes | str:
    """Return a file's content, or why it is not touched."""
    real = full.resolve()
    if not real.is_relative_to(workspace.resolve()):
        return f"{full.name} leads out of the workspace"
    try:
        return real.read_bytes()
    except OSError as error:
        return f"it cannot be read: {error.strerror or type(error).__name__}"


def _write(file: _File) -> None:
    from verify_lsp.system.files import write_atomically

    if file.fixed.text == file.before:
        return
    write_atomically(file.full, _encoded(file, file.fixed.text))


def _patch(file: _File) -> bytes:
    """Return the unified diff of one file, fit for `git apply`: its lines are in the file's own encoding."""
    from difflib import diff_bytes, unified_diff

    old, new = (_encoded(file, text).split(b"\n") for text in (file.before, file.fixed.text))
    name = os.fsencode(file.path)
    return b"".join(diff_bytes(unified_diff, _lines(old), _lines(new), b"a/" + name, b"b/" + name))


def _encoded(file: _File, text: str) -> bytes:
    try:
        return text.encode(file.encoding, "surrogateescape")
    except UnicodeEncodeError:
        raise EngineError(f"{file.path} was not written: the fix does not fit its encoding {file.encoding}") from None


def _emit(patches: Sequence[bytes]) -> None:
    from verify_lsp.cli.output import stop_writing

    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(b"".join(patches))
        sys.stdout.flush()
    except BrokenPipeError:
        stop_writing()


def _lines(text: Sequence[bytes]) -> list[bytes]:
    """Return lines with their ends; a last line without one is followed by git's own remark."""
    last = [text[-1] + b"\n\\ No newline at end of file\n"] if text[-1] else []
    return [line + b"\n" for line in text[:-1]] + last


def _conclude(files: Sequence[_File], *, dry_run: bool) -> int:
    made = sum(len(file.fixed.made) for file in files)
    for file in files:
        for finding_id, refusal in file.fixed.refused:
            print(f"verify-lsp: {finding_id} was not fixed: {refusal.reason}", file=sys.stderr)
    refused = sum(len(file.fixed.refused) for file in files)
    if not dry_run:
        changed = sum(file.fixed.text != file.before for file in files)
        emit(f"{made} of {made + refused} findings fixed in {changed} file{'' if changed == 1 else 's'}\n")
    return ExitCode.FAILED if refused else ExitCode.OK
