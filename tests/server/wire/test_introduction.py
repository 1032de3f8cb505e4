import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp
from pygls.protocol import default_converter

from verify_lsp.server.wire.introduction import cut_down

CONVERTER = default_converter()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
SHAPES = st.fixed_dictionaries(
    {
        "capabilities": st.fixed_dictionaries(
            {},
            optional={
                "workspace": JSON
                | st.fixed_dictionaries(
                    {}, optional={"configuration": JSON, "diagnostics": JSON, "fileOperations": JSON}
                ),
                "textDocument": JSON | st.fixed_dictionaries({"diagnostic": JSON, "synchronization": JSON}),
                "window": JSON | st.fixed_dictionaries({"workDoneProgress": JSON}),
                "general": JSON | st.fixed_dictionaries({"positionEncodings": JSON}),
            },
        )
    },
    optional=dict.fromkeys(
        ("processId", "clientInfo", "rootUri", "rootPath", "workspaceFolders", "initializationOptions", "trace"), JSON
    ),
)


def read(params):
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": cut_down(params)}
    return CONVERTER.structure(message, lsp.InitializeRequest).params


@given(SHAPES)
def test_no_client_is_refused_for_what_we_do_not_need(params):
    read(params)


def test_what_we_use_is_kept():
    capabilities = {
        "general": {"positionEncodings": ["utf-8", "utf-99"]},
        "textDocument": {
            "diagnostic": {"dynamicRegistration": True},
            "publishDiagnostics": {"tagSupport": {"valueSet": [9]}},
        },
        "workspace": {"configuration": True, "workspaceEdit": {"resourceOperations": ["vanish"]}},
        "window": {"workDoneProgress": True},
    }
    params = read(
        {
            "processId": 12,
            "clientInfo": {"name": "an editor", "version": 3},
            "workspaceFolders": [{"uri": "file:///w"}, 3],
            "trace": "loud",
            "capabilities": capabilities,
            "initializationOptions": {"trusted": True},
        }
    )
    assert (params.process_id, params.client_info.name) == (12, "an editor")
    assert [folder.uri for folder in params.workspace_folders] == ["file:///w"]
    assert params.capabilities.general.position_encodings == ("utf-8", "utf-99")
    assert params.capabilities.workspace.configuration is True
    assert params.capabilities.window.work_done_progress is True
    assert params.capabilities.text_document.diagnostic is not None


@pytest.mark.parametrize("params", [None, [], {}, {"capabilities": None}])
def test_an_introduction_without_capabilities_is_none(params):
    assert cut_down(params) == params
