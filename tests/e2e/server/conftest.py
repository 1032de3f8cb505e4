from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.harness.lsp_client import LspClient, conversation
from tests.harness.scripted_client import ScriptedClient

TEXT = "one = 1\ntwo = 2\nthree = 3\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "a.py").write_text(TEXT)
    return workspace


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., ScriptedClient]]:
    """Starts scripted servers; each must end well."""
    started: list[ScriptedClient] = []

    def make(**more: Any) -> ScriptedClient:
        started.append(ScriptedClient(tmp_path / "home", **more))
        return started[-1]

    yield make
    try:
        for client in started:
            if client.process.poll() is None:
                client.leave()
    finally:
        for client in started:
            client.close()


@pytest.fixture
def client(start: Callable[..., ScriptedClient], folder: Path) -> ScriptedClient:
    """A scripted server whose client opened `folder`, trusts it, and takes what is pushed."""
    made = start()
    made.initialize(folder, options={"trusted": True})
    return made


@pytest.fixture
def real(tmp_path: Path) -> Iterator[LspClient]:
    """The server as users start it."""
    with conversation(LspClient(env={"VERIFY_LSP_HOME": str(tmp_path / "home")})) as made:
        yield made
