"""What every test gets: a home of its own for verify-lsp, and tools on the PATH as `make test` brought them."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

TOOLS = Path(__file__).parent / "tools"

# Two cores are shared with language servers and builds: a slow example is no finding.
# The same examples each time: what fails in CI fails here, too.
settings.register_profile("house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")


@pytest.fixture(scope="session", autouse=True)
def tools_on_path():
    """Put the tools that `tests/tools/install` brings on the PATH of this process and its children."""
    before = os.environ["PATH"]
    os.environ["PATH"] = os.pathsep.join([before, str(TOOLS / "bin")])
    yield
    os.environ["PATH"] = before


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory, monkeypatch):
    """Keep reports, caches and trust of a test to itself."""
    home = tmp_path_factory.mktemp("verify-lsp-home")
    monkeypatch.setenv("VERIFY_LSP_HOME", str(home))
    return home


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="session")
def interpreter():
    """The interpreter that runs the tests: its environment has pytest, ruff and mypy."""
    return Path(sys.executable)
