"""Another language server, which finds each "TODO": `python todo_server.py push|unversioned|pull|silent`."""

import re
import sys

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

MODE = sys.argv[1]

server = LanguageServer("todo", "1")


def found(uri: str) -> tuple[int | None, list[lsp.Diagnostic]]:
    document = server.workspace.get_text_document(uri)
    diagnostics = []
    for number, line in enumerate(document.source.split("\n")):
        for match in re.finditer("TODO", line):
            units = len(line[: match.start()].encode("utf-16-le")) // 2
            place = lsp.Range(lsp.Position(number, units), lsp.Position(number, units + 4))
            diagnostics.append(lsp.Diagnostic(place, "to do", severity=lsp.DiagnosticSeverity.Error, source="todo"))
    return document.version, diagnostics


def tell(uri: str) -> None:
    if MODE in {"push", "unversioned"}:
        version, diagnostics = found(uri)
        version = version if MODE == "push" else None
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics, version))


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
def opened(params: lsp.DidOpenTextDocumentParams) -> None:
    tell(params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
def changed(params: lsp.DidChangeTextDocumentParams) -> None:
    tell(params.text_document.uri)


if MODE == "pull":

    @server.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC)
    def pulled(params: lsp.DocumentDiagnosticParams) -> lsp.RelatedFullDocumentDiagnosticReport:
        return lsp.RelatedFullDocumentDiagnosticReport(found(params.text_document.uri)[1])


if __name__ == "__main__":
    server.start_io()
