"""Workspace folders, which may lie in one another: the innermost one owns a file."""

import os
from pathlib import Path

import attrs

from verify_lsp.server.texts.uris import below, key_of, path_of, uri_of


@attrs.frozen
class Folder:
    """A folder the client opened.

    Attributes:
        uri: As the client spells it.
        path: Absolute, as the client spells it.
        key: Its one name, by `texts.uris.key_of`.
    """

    uri: str
    path: Path
    key: str


class Folders:
    """The folders of one client, in its order."""

    def __init__(self) -> None:
        self.all: list[Folder] = []

    def add(self, uri: str) -> None:
        """Add a folder; what is no `file:` address is no place to run anything in."""
        path = path_of(uri)
        if path is not None and all(folder.key != key_of(path) for folder in self.all):
            self.all.append(Folder(uri, path, key_of(path)))

    def remove(self, uri: str) -> Folder | None:
        """Remove a folder, and return it when it was there."""
        path = path_of(uri)
        for folder in self.all:
            if path is not None and folder.key == key_of(path):
                self.all.remove(folder)
                return folder
        return None

    def owner(self, key: str) -> Folder | None:
        """Return the innermost folder that holds the file `key`."""
        holding = [folder for folder in self.all if is_below(key, folder.key)]
        return max(holding, key=lambda folder: len(folder.key), default=None)

    def address(self, path: Path) -> str:
        """Spell the address of a file the way the client spells the folder it is in."""
        folder = self.owner(key_of(path))
        if folder is not None and path.is_relative_to(folder.path):
            return below(folder.uri, path.relative_to(folder.path).as_posix())
        return uri_of(path)


def is_below(key: str, folder_key: str) -> bool:
    """Return whether `key` is the folder, or a file in it."""
    return key == folder_key or key.startswith(folder_key.rstrip(os.sep) + os.sep)
