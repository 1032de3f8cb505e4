"""What a client says of itself decides how it is served."""

import pytest
from lsprotocol import types as lsp

from verify_lsp.server.client import client_of


def introduced(name, *, pull, refresh):
    return lsp.InitializeParams(
        client_info=lsp.ClientInfo(name) if name else None,
        capabilities=lsp.ClientCapabilities(
            text_document=lsp.TextDocumentClientCapabilities(
                diagnostic=lsp.DiagnosticClientCapabilities() if pull else None
            ),
            workspace=lsp.WorkspaceClientCapabilities(
                diagnostics=lsp.DiagnosticWorkspaceClientCapabilities(refresh_support=refresh)
            ),
        ),
    )


@pytest.mark.parametrize(
    ("name", "pull", "refresh", "pulls"),
    [
        ("Visual Studio Code", True, True, True),
        ("Some Editor", True, False, True),
        (None, True, False, True),
        ("Some Editor", False, True, False),
        ("Neovim", True, True, True),
        ("Neovim", True, False, False),
    ],
)
def test_a_client_is_pushed_to_unless_its_pulls_come_at_the_right_moments(name, pull, refresh, pulls):
    client = client_of(introduced(name, pull=pull, refresh=refresh), None, collects=False)

    assert client.pulls is pulls
