"""A small Python project with tests, as most end-to-end stories need it."""

import sys
from pathlib import Path

from tests.harness.repository import Repository, new_repository

SOURCE = """\
def price(amount: int) -> int:
    return amount * 2


def label(name: str) -> str:
    return name.title()
"""
TESTS = """\
from shop import label, price


def test_price():
    assert price(2) == 4


def test_label():
    assert label("ada") == "Ada"
"""
CONFIG = '[project]\nname = "shop"\nversion = "1"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n\n[tool.mypy]\nstrict = true\nfiles = ["shop.py"]\n\n[tool.ruff.lint]\nselect = ["F"]\n'


def shop(path: Path) -> Repository:
    """Make the project, committed and passing, with the tests' own interpreter as its environment."""
    files = {"shop.py": SOURCE, "test_shop.py": TESTS, "pyproject.toml": CONFIG, ".gitignore": ".venv\n__pycache__\n"}
    repository = new_repository(path, files)
    (path / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    return repository
