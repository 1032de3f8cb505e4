"""From a file's key to what is looked at: its text, where it stands, and which settings hold for it."""

from pathlib import Path

import attrs

from verify_lsp.judgement.globs import matches_any
from verify_lsp.server.folders import Folder
from verify_lsp.server.session import Session
from verify_lsp.server.texts.disk import OnDisk, look_at, stamp_of
from verify_lsp.server.texts.document import Document
from verify_lsp.settings.settings import Settings
from verify_lsp.verifiers.base import Subject

# What clients call languages, and the extension by which an unnamed buffer of that language is known.
_EXTENSIONS = {
    "python": ".py",
    "json": ".json",
    "jsonc": ".jsonc",
    "json5": ".json5",
    "jsonl": ".jsonl",
    "yaml": ".yaml",
    "toml": ".toml",
    "xml": ".xml",
    "go": ".go",
    "rust": ".rs",
    "javascript": ".js",
    "javascriptreact": ".jsx",
    "typescript": ".ts",
    "typescriptreact": ".tsx",
    "shellscript": ".sh",
    "sh": ".sh",
    "dockerfile": ".dockerfile",
    "dotenv": ".env",
    "terraform": ".tf",
}


@attrs.frozen
class Present:
    """A file as it is now, which is what the editor holds of it, or what stands on disk.

    Attributes:
        key: By `texts.uris.key_of`; the address of a buffer without a name.
        path: How findings call the file: below its folder in POSIX style, else its name.
        subject: What verifiers are given.
        document: The open document; None for a file that is not open.
    """

    key: str
    path: str
    subject: Subject
    settings: Settings
    folder: Folder | None
    document: Document | None
    on_disk: OnDisk

    @property
    def text(self) -> str:
        """The whole text."""
        return self.subject.text


def present_of(session: Session, key: str) -> Present | None:
    """Return a file as it is now; None when its text is not known, or when the settings leave it out."""
    document = session.documents.by_key.get(key)
    # Of an open document the editor's text counts; its file is only watched for going and coming back.
    on_disk = look_at(Path(key)) if document is None else OnDisk(stamp=stamp_of(key))
    text = on_disk.text if document is None else document.text()
    if text is None:
        return None
    folder = session.folders.owner(key)
    full = Path(key) if document is None else _named(key, document)
    path = full.name if folder is None else Path(key).relative_to(folder.key).as_posix()
    if document is None and folder is not None:
        full = folder.path / path  # The client may have opened the folder by a link.
    settings = session.settings_of(folder)
    if matches_any(path, settings.exclude):
        return None
    subject = Subject(
        path=full,
        text=text,
        workspace=None if folder is None else folder.path,
        saved=document is None or document.saved,
        trusted=session.is_trusted(full.parent if folder is None else folder.path),
        memory=session.memory,
    )
    return Present(key, path, subject, settings, folder, document, on_disk)


def _named(key: str, document: Document) -> Path:
    """Return the path of a document; of a buffer without a name, one that no file has."""
    if key != document.uri:
        return Path(key)
    name = key.partition(":")[2].rsplit("/", 1)[-1] or "untitled"
    extension = _EXTENSIONS.get(document.language, "")
    return Path("/", name if Path(name).suffix or not extension else name + extension)
