from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for what cargo builds in all of these tests."""
    return tmp_path_factory.mktemp("cargo")
