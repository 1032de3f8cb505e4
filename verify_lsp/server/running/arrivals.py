"""Reports that other programs store while we look: a hook's, the command line's, another editor's."""

import os
from collections.abc import Iterable
from pathlib import Path

import attrs

_AT_ONCE = 3


@attrs.define
class _Seen:
    changed_at: int
    ids: set[str]


class Arrivals:
    """Which stored reports are known, by workspace folder."""

    def __init__(self) -> None:
        self._seen: dict[Path, _Seen] = {}
        self._stores: dict[Path, Path] = {}

    def begin(self, folders: Iterable[Path]) -> None:
        """Take what is stored now for known."""
        for folder in folders:
            if folder not in self._seen:
                store = self._store(folder)
                self._seen[folder] = _Seen(_changed_at(store), _ids(store))

    def new(self, folders: Iterable[Path]) -> list[tuple[Path, str]]:
        """Return the folders and ids of reports that were stored since the last look, at most a few a folder."""
        found = []
        for folder in folders:
            store = self._store(folder)
            seen = self._seen.setdefault(folder, _Seen(0, set()))
            if (changed_at := _changed_at(store)) != seen.changed_at:
                ids = _ids(store)
                found += [(folder, report_id) for report_id in sorted(ids - seen.ids)[-_AT_ONCE:]]
                self._seen[folder] = _Seen(changed_at, ids)
        return found

    def _store(self, folder: Path) -> Path:
        if folder not in self._stores:
            from verify_lsp.reports.store import ReportStore

            self._stores[folder] = ReportStore(folder).folder
        return self._stores[folder]


def _changed_at(store: Path) -> int:
    try:
        return store.stat().st_mtime_ns
    except OSError:
        return 0


def _ids(store: Path) -> set[str]:
    try:
        return {name.removesuffix(".json") for name in os.listdir(store) if name.endswith(".json")}  # noqa: PTH208
    except OSError:
        return set()
