"""Everything that changes in the course of one conversation."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from verify_lsp.server.board.board import Board
from verify_lsp.server.board.showing import Json, Showing
from verify_lsp.server.client import Client
from verify_lsp.server.editor_settings import EditorSettings
from verify_lsp.server.folders import Folder, Folders
from verify_lsp.server.running.arrivals import Arrivals
from verify_lsp.server.running.records import Records
from verify_lsp.server.texts.open_documents import OpenDocuments
from verify_lsp.settings.resolve import Resolved, resolve_settings


class Session:
    """One client's folders, documents, settings, findings and runs.

    Attributes:
        trusted: The editor's word on the workspace; None while it has said nothing.
        configured: Set when the editor's settings are known, or will not be.
        told: Problems with settings that the user was told of.
    """

    def __init__(self, push: Callable[[Json], None], ask_to_pull: Callable[[], None]) -> None:
        self.client = Client()
        self.folders = Folders()
        self.documents = OpenDocuments()
        self.board = Board()
        self.showing = Showing(self.board, self.documents, push, ask_to_pull, self.folders.address)
        self.settings = EditorSettings()
        self.records = Records()
        self.arrivals = Arrivals()
        self.trusted: bool | None = None
        self.configured = asyncio.Event()
        self.told: set[str] = set()

    def is_trusted(self, folder: Path) -> bool:
        """Whether what the folder carries may be executed: the editor's word, else the user's list."""
        if self.trusted is not None:
            return self.trusted
        from verify_lsp.settings.trust import is_trusted

        return is_trusted(folder)

    def resolve(self, folder: Folder) -> Resolved:
        """Return the settings that hold for a folder, read anew from its files."""
        return resolve_settings(folder.path, self.settings.options(folder), trusted=self.is_trusted(folder.path))

    def wrong_settings(self, folder: Folder) -> tuple[str, ...]:
        """Return what is wrong with a folder's settings, whether it is trusted or not."""
        return resolve_settings(folder.path, self.settings.options(folder), trusted=True).problems
