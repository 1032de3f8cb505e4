"""How this project runs its tests: found by its configuration, its test files, and what is installed."""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import attrs

from verify_lsp.toolchains.base import Absent, Project, TestStep
from verify_lsp.toolchains.python.project.configuration import ini_section, mentions, tool_table
from verify_lsp.toolchains.python.project.interpreter import Interpreter, find_interpreter
from verify_lsp.toolchains.python.project.roots import enclosing_folders, python_files
from verify_lsp.toolchains.python.testing.pytest_step import pytest_step
from verify_lsp.toolchains.python.testing.unittest_step import django_step, nose2_step, unittest_step

_TEST_FILE = re.compile(r"test.*\.py|.*_tests?\.py")
_FOR_PYTEST = re.compile(
    r"^\s*(?:import pytest|from (?:_?pytest)\b)|^(?:async )?def test|^class Test\w*(?:\(\))?:", re.MULTILINE
)
_FOR_UNITTEST = re.compile(r"^\s*(?:import unittest|from unittest\b)|\bTestCase\)", re.MULTILINE)
_ENOUGH_FILES = 200
_ENOUGH_BYTES = 100_000


@attrs.frozen
class Signs:
    """What the tree says about its tests.

    Attributes:
        configured: pytest is configured in the project, or in a folder above it.
        test_files: Files named as test files are, relative to the project's root.
        for_pytest: Some of them are written for pytest.
        for_unittest: Some of them are written for unittest.
    """

    configured: bool
    test_files: tuple[str, ...]
    for_pytest: bool
    for_unittest: bool


def tests(project: Project, timeout_s: float) -> TestStep | Absent:
    """Return how the project's tests are run."""
    signs = _signs(project)
    django = (project.folder / "manage.py").is_file()
    nose2 = _has_nose2_settings(project.folder)
    if not (signs.configured or signs.test_files or nose2):
        return Absent(f"no tests are configured in {_shown(project)}", needless=True)
    interpreter = find_interpreter(project)
    if interpreter is None:
        return Absent("there is no Python to run the tests with", needless=False)
    if django and interpreter.has("django") and not (signs.configured and interpreter.has("pytest-django")):
        return django_step(project, interpreter, timeout_s)
    if nose2 and interpreter.has("nose2"):
        return nose2_step(project, interpreter, timeout_s)
    return _pytest_or_unittest(project, interpreter, signs, timeout_s)


def _pytest_or_unittest(
    project: Project, interpreter: Interpreter, signs: Signs, timeout_s: float
) -> TestStep | Absent:
    wanted = signs.configured or signs.for_pytest
    if interpreter.has("pytest") and (wanted or mentions(project.folder, "pytest") or not signs.for_unittest):
        return pytest_step(project, interpreter, timeout_s)
    if wanted:
        return Absent(
            f"pytest is not installed in {interpreter.shown}; {_remedy(project, interpreter)}", needless=False
        )
    if signs.for_unittest:
        return unittest_step(project, interpreter, timeout_s, signs.test_files)
    return Absent(f"no tests are configured in {_shown(project)}", needless=True)


def _remedy(project: Project, interpreter: Interpreter) -> str:
    """Say how the project's environment is usually made."""
    for folder in (project.home, project.workspace):
        if (folder / "uv.lock").is_file():
            return "run `uv sync`"
        if (folder / "poetry.lock").is_file():
            return "run `poetry install`"
        if (folder / "pdm.lock").is_file():
            return "run `pdm install`"
        if (folder / "Pipfile").is_file():
            return "run `pipenv install --dev`"
    if interpreter.environment is None:
        return "make an environment (`python -m venv .venv`) and install the project's test requirements in it"
    return f"run `{interpreter.shown} -m pip install pytest`"


def _signs(project: Project) -> Signs:
    folder = project.folder
    test_files = tuple(path for path in python_files(folder) if _TEST_FILE.fullmatch(PurePosixPath(path).name))
    texts = [_beginning(folder / path) for path in test_files[:_ENOUGH_FILES]]
    has_conftest = any((folder / path).is_file() for path in ("conftest.py", "tests/conftest.py", "test/conftest.py"))
    return Signs(
        configured=any(_configures_pytest(project.place / each) for each in enclosing_folders(project.root)),
        test_files=test_files,
        for_pytest=has_conftest or any(_FOR_PYTEST.search(text) for text in texts),
        for_unittest=any(_FOR_UNITTEST.search(text) for text in texts),
    )


def _configures_pytest(folder: Path) -> bool:
    if any((folder / name).is_file() for name in ("pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml")):
        return True
    if tool_table(folder, "pytest") is not None:
        return True
    return any(_pytest_sections(folder))


def _pytest_sections(folder: Path) -> Iterator[bool]:
    yield ini_section(folder / "tox.ini", "pytest") is not None
    yield ini_section(folder / "setup.cfg", "tool:pytest") is not None


def _has_nose2_settings(folder: Path) -> bool:
    names = ("unittest.cfg", "nose2.cfg", "setup.cfg")
    return any(ini_section(folder / name, "unittest") is not None for name in names) or (
        tool_table(folder, "nose2") is not None
    )


def _beginning(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_ENOUGH_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _shown(project: Project) -> str:
    return "the workspace" if project.root == "." else project.root
