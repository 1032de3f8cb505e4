"""The documents a client has open, by file."""

from verify_lsp.server.texts.document import Document
from verify_lsp.server.texts.uris import key_of, path_of


class OpenDocuments:
    """Only documents that are files: an untitled buffer, or a page of a notebook, has nothing a run could find in it."""

    def __init__(self) -> None:
        self.by_key: dict[str, Document] = {}
        self.last_used: str | None = None

    def open(self, uri: str, version: int | None, text: str) -> str | None:
        """Remember a document; return its key, or None for what is no file."""
        if (key := file_key(uri)) is not None:
            self.by_key[key] = Document.opened(uri, version, text)
            self.last_used = key
        return key

    def get(self, uri: str) -> tuple[str, Document] | None:
        """Return the open document of `uri` and its key."""
        key = file_key(uri)
        document = None if key is None else self.by_key.get(key)
        return None if key is None or document is None else (key, document)

    def close(self, uri: str) -> str | None:
        """Forget a document; return its key when it was open."""
        key = file_key(uri)
        return key if key is not None and self.by_key.pop(key, None) is not None else None


def file_key(uri: str) -> str | None:
    """Return the key of a `file:` address; None for any other."""
    path = path_of(uri)
    return None if path is None else key_of(path)
