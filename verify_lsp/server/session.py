"""Everything that changes in the course of one conversation."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.model.fact import Fact
from verify_lsp.server.board.layers import Layers
from verify_lsp.server.board.showing import Json, Showing
from verify_lsp.server.client import Client
from verify_lsp.server.editor_settings import EditorSettings
from verify_lsp.server.folders import Folder, Folders
from verify_lsp.server.inline.bases import Bases, Head
from verify_lsp.server.inline.looked import Looked
from verify_lsp.server.inline.seen import SeenTexts
from verify_lsp.server.inline.writes import Writes
from verify_lsp.server.running.arrivals import Arrivals
from verify_lsp.server.running.records import Records
from verify_lsp.server.texts.disk import stamp_of
from verify_lsp.server.texts.open_documents import OpenDocuments
from verify_lsp.settings.resolve import OWN_FILE, SHARED_FILE, Resolved, resolve_settings
from verify_lsp.settings.settings import Settings


@attrs.frozen
class _Kept:
    """Settings, and all that they depended on."""

    state: tuple[Any, ...]
    settings: Settings


class Session:
    """One client's folders, documents, settings, findings and runs.

    Attributes:
        trusted: The editor's word on the workspace; None while it has said nothing.
        configured: Set when the editor's settings are known, or will not be.
        told: Problems with settings that the user was told of.
        looked: What the last look at a text found, by file.
        memory: What verifiers keep from one look to the next.
        facts: What the last runs proved, by report.
        later: Looks that are due after a pause in typing, by file.
        heads: The commit of each folder, as it was last seen.
        watch_anew: Set when other folders are to be watched.
        settings_seen: The settings that the open documents were last looked at with.
    """

    def __init__(self, push: Callable[[Json], None], ask_to_pull: Callable[[], None]) -> None:
        self.client = Client()
        self.folders = Folders()
        self.documents = OpenDocuments()
        self.layers = Layers()
        self.showing = Showing(self.layers, self.documents, push, ask_to_pull, self.folders.address)
        self.settings = EditorSettings()
        self.seen = SeenTexts()
        self.bases = Bases()
        self.looked: dict[str, Looked] = {}
        self.memory: dict[str, Any] = {}
        self.later: dict[str, asyncio.TimerHandle] = {}
        self.writes = Writes()
        self.heads: dict[str, Head] = {}
        self.facts: dict[str, tuple[Fact, ...]] = {}
        self.watch_anew = asyncio.Event()
        self.settings_seen: Any = None
        self.records = Records()
        self.arrivals = Arrivals()
        self.trusted: bool | None = None
        self.began_ns = time.time_ns()
        self.configured = asyncio.Event()
        self._kept: dict[str, _Kept] = {}
        self._trust: dict[Path, bool] = {}
        self._trust_stamp: tuple[int, ...] | None = None
        self.told: set[str] = set()

    def is_trusted(self, folder: Path) -> bool:
        """Whether what the folder carries may be executed: the editor's word, else the user's list."""
        if self.trusted is not None:
            return self.trusted
        from verify_lsp.settings.trust import is_trusted, list_stamp

        stamp = list_stamp()
        if stamp != self._trust_stamp:
            self._trust_stamp, self._trust = stamp, {}
        if folder not in self._trust:
            self._trust[folder] = is_trusted(folder)
        return self._trust[folder]

    def resolve(self, folder: Folder) -> Resolved:
        """Return the settings that hold for a folder, read anew from its files."""
        return resolve_settings(folder.path, self.settings.options(folder), trusted=self.is_trusted(folder.path))

    def settings_of(self, folder: Folder | None) -> Settings:
        """Return the settings that hold for a folder, read anew only when something about them changed.

        For each save and each pause in typing; a run reads them anew in any case.
        """
        key, path = ("", None) if folder is None else (folder.key, folder.path)
        options = self.settings.options(folder)
        trusted = path is not None and self.is_trusted(path)
        state = (
            options,
            trusted,
            () if path is None else tuple(stamp_of(str(path / name)) for name in (OWN_FILE, SHARED_FILE)),
        )
        kept = self._kept.get(key)
        if kept is None or kept.state != state:
            resolved = Settings(**options.values) if folder is None else self.resolve(folder).settings
            kept = self._kept[key] = _Kept(state, resolved)
        return kept.settings

    def wrong_settings(self, folder: Folder) -> tuple[str, ...]:
        """Return what is wrong with a folder's settings, whether it is trusted or not."""
        return resolve_settings(folder.path, self.settings.options(folder), trusted=True).problems
