"""What a client said of itself when it came."""

from typing import Any

import attrs
from lsprotocol import types as lsp

from verify_lsp.server.positions import Encoding, encoding_named

# Neovim 0.11 pulls when a text changes and cannot be asked to pull again: what a run finds later would never show.
_PULL_ON_CHANGE_ALONE = frozenset({"Neovim"})


@attrs.frozen
class Client:
    """Facts that hold for the whole conversation.

    Attributes:
        name: As it calls itself; None when it does not.
        encoding: How it counts columns.
        pulls: It asks for diagnostics, at the right moments.
        refreshes: It can be asked to ask for them again.
        configures: It answers `workspace/configuration`.
        shows_progress: It lets us begin progress of our own.
        watches: It can be asked to watch files.
        collects: It answers `verify/collectDiagnostics`.
        resolves_edits: It asks for the edit of a code action only when one is chosen.
        versions_edits: It understands edits that are bound to a version of a document.
        shows_documents: It opens a document that it is asked to show.
        applies_edits: It makes edits that it is sent.
        creates_files: Such an edit may make a file.
    """

    name: str | None = None
    encoding: Encoding = "utf-16"
    pulls: bool = False
    refreshes: bool = False
    configures: bool = False
    shows_progress: bool = False
    watches: bool = False
    collects: bool = False
    resolves_edits: bool = False
    versions_edits: bool = False
    applies_edits: bool = False
    shows_documents: bool = False
    creates_files: bool = False


def client_of(params: lsp.InitializeParams, encoding: str | None, *, collects: bool) -> Client:
    """Read the facts off the `initialize` request."""
    capabilities = params.capabilities
    name = params.client_info.name if params.client_info else None
    refreshes = bool(_get(capabilities, "workspace", "diagnostics", "refresh_support"))
    offers_pull = _get(capabilities, "text_document", "diagnostic") is not None
    return Client(
        name=name,
        encoding=encoding_named(encoding),
        pulls=offers_pull and (refreshes or name not in _PULL_ON_CHANGE_ALONE),
        refreshes=refreshes,
        configures=bool(_get(capabilities, "workspace", "configuration")),
        shows_progress=bool(_get(capabilities, "window", "work_done_progress")),
        watches=bool(_get(capabilities, "workspace", "did_change_watched_files", "dynamic_registration")),
        collects=collects,
        resolves_edits="edit"
        in (_get(capabilities, "text_document", "code_action", "resolve_support", "properties") or ()),
        versions_edits=bool(_get(capabilities, "workspace", "workspace_edit", "document_changes")),
        shows_documents=bool(_get(capabilities, "window", "show_document", "support")),
        applies_edits=bool(_get(capabilities, "workspace", "apply_edit")),
        creates_files="create" in (_get(capabilities, "workspace", "workspace_edit", "resource_operations") or ()),
    )


def _get(value: Any, *names: str) -> Any:
    for name in names:
        value = getattr(value, name, None)
    return value
