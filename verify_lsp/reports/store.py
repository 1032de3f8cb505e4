"""The stored reports of one workspace: a file each, private to the user, the newest 50 kept.

Beside each report lies its summary, so that a list need not read whole reports. A summary that is missing or
older than its report is made anew. Several processes may read and write at once.
"""

import json
import logging
import os
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs

from verify_lsp import __version__
from verify_lsp.model.errors import EngineError, NoSuchReportError, UsageError
from verify_lsp.model.report import Report, ReportSummary
from verify_lsp.reports.summary import summarize
from verify_lsp.system.dirs import state_dir, workspace_hash
from verify_lsp.system.files import (
    TEMPORARY,
    because,
    make_private_folder,
    read_bytes_if_there,
    write_private,
)

KEPT = 50
_KEPT_DAMAGED = 5
_MAX_REPORT_BYTES = 2 * 1024**3
_MAX_SUMMARY_BYTES = 64 * 1024**2
_STALE_TEMPORARY_S = 3600
_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,99}")

_log = logging.getLogger(__name__)


def new_report_id() -> str:
    """Return an id that no other process gives: later ids sort after earlier ones."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}-{os.urandom(3).hex()}"


@attrs.frozen
class ReportStore:
    """The reports of the folder `workspace`. Nothing is made before the first report is saved."""

    workspace: Path

    @property
    def folder(self) -> Path:
        """Where the reports lie: `<report id>.json` each."""
        return state_dir() / "verify" / workspace_hash(self.workspace)

    def save(self, report: Report) -> None:
        """Keep `report`, in place of an older one with its id, and let go of the oldest beyond the limit.

        Raises:
            EngineError: The disk is full or the folder not writable; what was stored before still is.
        """
        if not _ID.fullmatch(report.id):
            raise EngineError(f"cannot store a report with the id {_shown(report.id)}")
        make_private_folder(self.folder)
        path = self._path(report.id)
        # The summary is there before the report is: a list made in between need not read the whole report.
        write_private(
            path,
            _pieces(report),
            written=lambda file: self._keep_summary(path, _stamp(file), summarize(report)),
        )
        try:
            self._prune()
        except (OSError, EngineError) as error:
            _log.warning("old reports in %s cannot be removed: %s", self.folder, error)

    def load(self, report_id: str) -> Report:
        """Return the report with this id, or the only one whose id begins so.

        Raises:
            NoSuchReportError: There is none, or it cannot be understood.
            EngineError: Its file cannot be read.
        """
        path = self._path(self._full_id(report_id))
        report = self._read(path)
        if isinstance(report, Report):
            return report
        raise NoSuchReportError(f"no such report: {_shown(report_id)}" + (f" ({report})" if report else ""))

    def summaries(self, session_id: str | None = None, limit: int | None = None) -> list[ReportSummary]:
        """Return the summaries, newest first; of one session, and at most `limit`, where these are given.

        Raises:
            EngineError: The folder cannot be read.
        """
        found = [summary for path in self._paths() if (summary := self._summary(path)) is not None]
        if session_id is not None:
            found = [summary for summary in found if summary.session_id == session_id]
        return sorted(found, key=_age, reverse=True)[:limit]

    def latest(self, session_id: str | None = None) -> Report | None:
        """Return the newest report, of one session where it is given; None when there is none.

        Raises:
            EngineError: The folder cannot be read.
        """
        for summary in self.summaries(session_id):
            try:
                return self.load(summary.id)
            except NoSuchReportError:
                continue
        return None

    def find(self, report_id: str) -> Report:
        """Return the report with this id; a whole id is also found when it is another workspace's.

        Raises:
            NoSuchReportError: There is none, or it cannot be understood.
            EngineError: Its file cannot be read.
        """
        try:
            return self.load(report_id)
        except NoSuchReportError:
            for folder in _listed(self.folder.parent) if _ID.fullmatch(report_id) else ():
                report = self._read(folder / f"{report_id}.json")
                if isinstance(report, Report):
                    return report
            raise

    def _path(self, report_id: str) -> Path:
        return self.folder / f"{report_id}.json"

    def _paths(self) -> list[Path]:
        return [path for path in _listed(self.folder) if path.suffix == ".json" and _ID.fullmatch(path.stem)]

    def _full_id(self, given: str) -> str:
        if not _ID.fullmatch(given):
            raise NoSuchReportError(f"no such report: {_shown(given)}")
        if self._path(given).is_file():
            return given
        found = [path.stem for path in self._paths() if path.stem.startswith(given)]
        if len(found) > 1:
            raise NoSuchReportError(f"no such report: {given} ({len(found)} reports have ids that begin so)")
        return found[0] if found else given

    def _read(self, path: Path) -> "Report | str":
        """Return the report in `path`, or why there is none; "" when there is no file."""
        from verify_lsp.codec import from_wire

        content = read_bytes_if_there(path, _MAX_REPORT_BYTES)
        if content is None:
            return ""
        try:
            data = json.loads(content)
        except (ValueError, RecursionError):
            return _set_aside(path)
        try:
            return from_wire(data, Report)
        except UsageError as error:
            return f"this version of verify-lsp does not understand it: {error}"

    def _summary(self, path: Path) -> ReportSummary | None:
        stamp = _stamp(path)
        known, summary = self._kept_summary(path, stamp)
        if known or not stamp:
            return summary
        try:
            report = self._read(path)
        except EngineError as error:
            report = str(error)
        if isinstance(report, Report):
            summary = summarize(report)
        else:
            _log.warning("skipped the stored report %s: %s", path, report or "it has gone")
        if path.exists():
            self._keep_summary(path, stamp, summary)
        return summary

    def _kept_summary(self, path: Path, stamp: list[int]) -> tuple[bool, ReportSummary | None]:
        """Return whether something is known about this state of the report, and the summary; None for unreadable."""
        from verify_lsp.codec import from_wire

        try:
            kept: Any = json.loads(read_bytes_if_there(_beside(path), _MAX_SUMMARY_BYTES) or b"null")
            if kept["stamp"] != stamp or kept["by"] != __version__:
                return False, None
            return True, None if kept["summary"] is None else from_wire(kept["summary"], ReportSummary)
        except (EngineError, UsageError, ValueError, TypeError, KeyError, RecursionError):
            return False, None

    def _keep_summary(self, path: Path, stamp: list[int], summary: ReportSummary | None) -> None:
        from verify_lsp.codec import to_wire

        data = {"by": __version__, "stamp": stamp, "summary": None if summary is None else to_wire(summary)}
        try:
            write_private(_beside(path), json.dumps(data), durable=False)
        except EngineError:
            return  # The list is slower without it, and no less right.

    def _prune(self) -> None:
        paths = self._paths()
        if len(paths) > KEPT:
            order = {summary.id: number for number, summary in enumerate(self.summaries())}
            paths.sort(key=lambda path: order.get(path.stem, len(order)))
            for path in paths[KEPT:]:
                path.unlink(missing_ok=True)
        for path in _listed(_beside(self.folder / "any").parent):
            if not (self.folder / path.name).exists():
                path.unlink(missing_ok=True)
        _remove_remains(self.folder)


def _pieces(report: Report) -> Iterator[str]:
    """Yield the report's JSON piece by piece: the texts of thousands of files are never in memory twice."""
    from verify_lsp.codec import dumps, to_wire

    separator = "{"
    for key, value in to_wire(attrs.evolve(report, files=())).items():
        yield f"{separator}{json.dumps(key)}:"
        separator = ","
        if key == "files":
            yield "["
            for number, file in enumerate(report.files):
                yield ("," if number else "") + dumps(file)
            yield "]"
        else:
            yield json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    yield "}\n"


def _beside(path: Path) -> Path:
    return path.parent / "summaries" / path.name


def _stamp(path: Path) -> list[int]:
    """Return what tells one state of a file from another."""
    try:
        status = path.stat()
    except OSError:
        return []
    return [status.st_ino, status.st_size, status.st_mtime_ns]


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise EngineError(because(f"cannot read the folder {folder}", error)) from error


def _age(summary: ReportSummary) -> tuple[float, str]:
    try:
        created = datetime.fromisoformat(summary.created_at)
    except ValueError:
        return 0.0, summary.id
    return (created if created.tzinfo else created.replace(tzinfo=UTC)).timestamp(), summary.id


def _set_aside(path: Path) -> str:
    aside = path.with_suffix(".damaged")
    try:
        path.replace(aside)
    except OSError:
        return "its file is damaged"
    _log.warning("the stored report %s is damaged, it was moved to %s", path, aside.name)
    return f"its file was damaged and has been moved to {aside}"


def _remove_remains(folder: Path) -> None:
    """Remove what killed writers left, and all but the latest damaged reports."""
    long_ago = time.time() - _STALE_TEMPORARY_S
    damaged = []
    for path in _listed(folder):
        if path.name.endswith(TEMPORARY) and _modified(path) < long_ago:
            path.unlink(missing_ok=True)
        elif path.suffix == ".damaged":
            damaged.append(path)
    for path in sorted(damaged, key=_modified)[:-_KEPT_DAMAGED]:
        path.unlink(missing_ok=True)


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _shown(report_id: str) -> str:
    return report_id if _ID.fullmatch(report_id) else ascii(report_id)[:100]
