"""The documents a client has open, by file."""

from verify_lsp.server.texts.document import Document
from verify_lsp.server.texts.uris import key_of, path_of

_UNTITLED = "untitled:"


class OpenDocuments:
    """Documents that are files, and buffers without a name yet; pages of notebooks and of a history are neither."""

    def __init__(self) -> None:
        self.by_key: dict[str, Document] = {}
        self.last_used: str | None = None

    def open(self, uri: str, version: int | None, text: str, language: str = "") -> str | None:
        """Remember a document; return its key, or None for what we do not look at."""
        if (key := document_key(uri)) is not None:
            self.by_key[key] = Document.opened(uri, version, text, language)
            self.use(key)
        return key

    def use(self, key: str) -> None:
        """Remember that the user worked in this document last, when it is a file."""
        if not key.startswith(_UNTITLED):
            self.last_used = key

    def get(self, uri: str) -> tuple[str, Document] | None:
        """Return the open document of `uri` and its key."""
        key = document_key(uri)
        document = None if key is None else self.by_key.get(key)
        return None if key is None or document is None else (key, document)

    def close(self, uri: str) -> str | None:
        """Forget a document; return its key when it was open."""
        key = document_key(uri)
        return key if key is not None and self.by_key.pop(key, None) is not None else None


def document_key(uri: str) -> str | None:
    """Return the key of a document that we look at: a file's own, or the address of a buffer without a name."""
    return uri if uri.startswith(_UNTITLED) else file_key(uri)


def file_key(uri: str) -> str | None:
    """Return the key of a `file:` address; None for any other."""
    path = path_of(uri)
    return None if path is None else key_of(path)
