"""Every request, notification and command we answer, on one page."""

from collections.abc import Callable
from typing import Any

import attrs
from lsprotocol import types as lsp

from verify_lsp.server import params
from verify_lsp.server.features import (
    actions,
    configuration,
    diagnostics,
    documents,
    fixes,
    fresh,
    hover,
    lifecycle,
    progress,
    runs,
    skeletons,
    status,
    survivors,
    verifying,
    writes,
)

Handler = Callable[..., Any]

ANYTHING = lsp.FileOperationRegistrationOptions(
    filters=[lsp.FileOperationFilter(scheme="file", pattern=lsp.FileOperationPattern(glob="**/*"))]
)


@attrs.frozen
class Route:
    """A method and who answers it.

    Attributes:
        handler: Takes the server and the params.
        options: What the server's capabilities say of the method.
    """

    method: str
    handler: Handler
    options: Any = None


@attrs.frozen
class OwnRoute:
    """A method of ours: its handler also takes the progress token that may come with the params."""

    method: str
    handler: Handler
    params: type[Any]
    command: str | None = None


REQUESTS = (
    Route(lsp.INITIALIZE, lifecycle.initialize),
    Route(lsp.SHUTDOWN, lifecycle.shutdown),
    Route(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        actions.actions,
        lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, actions.FIX_ALL], resolve_provider=True),
    ),
    Route(lsp.CODE_ACTION_RESOLVE, actions.resolve),
    Route(lsp.TEXT_DOCUMENT_HOVER, hover.hover),
)

PULLED = (
    Route(
        lsp.TEXT_DOCUMENT_DIAGNOSTIC,
        diagnostics.document,
        lsp.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=True, identifier="verify"),
    ),
    Route(lsp.WORKSPACE_DIAGNOSTIC, diagnostics.workspace),
)
"""Only for a client that pulls; another one is pushed to."""

RUN_COMMAND = "verify_run"

OWN_REQUESTS = (
    OwnRoute("verify/run", runs.run, params.Run, RUN_COMMAND),
    OwnRoute("verify/get", runs.get, params.OneReport, "verify_get"),
    OwnRoute("verify/list", runs.list_reports, params.List, "verify_list"),
    OwnRoute("verify/latest", runs.latest, params.Latest, "verify_latest"),
    OwnRoute("verify/cancel", runs.cancel, params.OneReport, "verify_cancel"),
    OwnRoute("verify/applyFix", fixes.apply_fix, params.ApplyFix, "verify_apply_fix"),
    OwnRoute("verify/mutant", survivors.tell, params.OneMutant),
    OwnRoute("verify/showMutant", survivors.show, params.OneMutant, survivors.SHOW),
    OwnRoute("verify/briefMutant", survivors.brief, params.OneMutant, survivors.BRIEF),
    OwnRoute("verify/insertTest", skeletons.insert_test, params.OneMutant, survivors.INSERT_TEST),
    OwnRoute("verify/awaitFresh", fresh.await_fresh, params.AwaitFresh),
    OwnRoute("verify/files", verifying.verify_files, params.Files),
    OwnRoute("verify/rules", verifying.list_rules, params.Nothing),
    OwnRoute("verify/status", status.status, params.Nothing),
)

NOTIFICATIONS = (
    Route(lsp.INITIALIZED, lifecycle.initialized),
    Route(lsp.EXIT, lifecycle.leave),
    Route(lsp.SET_TRACE, lifecycle.set_trace),
    Route(lsp.TEXT_DOCUMENT_DID_OPEN, documents.opened),
    Route(lsp.TEXT_DOCUMENT_DID_CHANGE, documents.changed),
    Route(lsp.TEXT_DOCUMENT_DID_SAVE, documents.saved),
    Route(lsp.TEXT_DOCUMENT_DID_CLOSE, documents.closed),
    Route(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, writes.watched),
    Route(lsp.WORKSPACE_DID_CREATE_FILES, writes.created, ANYTHING),
    Route(lsp.WORKSPACE_DID_RENAME_FILES, writes.renamed, ANYTHING),
    Route(lsp.WORKSPACE_DID_DELETE_FILES, writes.deleted, ANYTHING),
    Route(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION, configuration.changed),
    Route(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, configuration.folders_changed),
    Route(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL, progress.cancelled),
)

OWN_NOTIFICATIONS = (OwnRoute("verify/trust", configuration.trust_changed, params.Trust),)
