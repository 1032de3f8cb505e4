"""The client's wish that a run it sees should end."""

from lsprotocol import types as lsp

from verify_lsp.server.base import VerifyServer


def cancelled(server: VerifyServer, params: lsp.WorkDoneProgressCancelParams) -> None:
    """Cancel the run under this token; one that has ended is no fault."""
    report_id = server.session.records.by_token(params.token)
    if report_id is not None:
        server.in_background("cancelling a run", server.worker.call("cancel", report_id))
