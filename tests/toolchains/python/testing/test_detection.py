import pytest

from tests.harness.python_projects import bare_project, small_environment
from tests.harness.tool_runs import laid_out
from verify_lsp.toolchains.base import Absent, TestStep
from verify_lsp.toolchains.python.testing import detection

UNITTEST = "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n"
PLAIN = "def test_a():\n    assert True\n"


def detected(folder, files, packages=("pytest",), root=".", installed=()):
    project = bare_project(folder, files, root=root)
    site = small_environment(project.workspace, packages)
    laid_out(site, {f"{name}-1.0.dist-info/METADATA": "" for name in installed})
    return detection.tests(project, 60.0)


@pytest.mark.parametrize(
    "files",
    [
        {"pytest.ini": "", "a.py": ""},
        {".pytest.ini": "", "a.py": ""},
        {"pytest.toml": "", "a.py": ""},
        {"pyproject.toml": "[tool.pytest.ini_options]\n"},
        {"pyproject.toml": "[tool.pytest]\n"},
        {"tox.ini": "[pytest]\n"},
        {"setup.cfg": "[tool:pytest]\n"},
        {"test_a.py": PLAIN},
        {"tests/a_test.py": PLAIN},
        {"tests/test_a.py": "import pytest\n" + UNITTEST},
        {"tests/test_a.py": UNITTEST, "tests/conftest.py": ""},
        {"tests/test_a.py": UNITTEST, "requirements-dev.txt": "pytest\n"},
        {"tests/test_a.py": "class TestThing:\n    def test_a(self): pass\n"},
        {"tests/test_a.py": "async def test_a(): pass\n"},
    ],
)
def test_pytest_is_found_by_its_settings_and_by_how_tests_are_written(tmp_path, files):
    step = detected(tmp_path, files)
    assert isinstance(step, TestStep)
    assert step.tool == "pytest"


def test_settings_above_the_project_count(tmp_path):
    step = detected(
        tmp_path, {"pytest.ini": "", "packages/a/pyproject.toml": "", "packages/a/a.py": ""}, root="packages/a"
    )
    assert isinstance(step, TestStep)
    assert (step.tool, step.command.cwd) == ("pytest", "packages/a")


def test_tests_for_unittest_are_run_by_it(tmp_path):
    step = detected(tmp_path, {"tests/test_a.py": UNITTEST})
    assert isinstance(step, TestStep)
    assert step.tool == "unittest"


def test_tests_for_unittest_need_no_pytest(tmp_path):
    step = detected(tmp_path, {"tests/test_a.py": UNITTEST, "requirements.txt": "pytest\n"}, packages=())
    assert isinstance(step, TestStep)
    assert step.tool == "unittest"


def test_no_tests_are_needless_to_run(tmp_path):
    step = detected(tmp_path, {"a.py": "x = 1\n", "pyproject.toml": "[project]\nname = 'a'\n"})
    assert step == Absent("no tests are configured in the workspace", needless=True)


@pytest.mark.parametrize(
    ("lock", "remedy"),
    [
        ({"uv.lock": ""}, "run `uv sync`"),
        ({"poetry.lock": ""}, "run `poetry install`"),
        ({"pdm.lock": ""}, "run `pdm install`"),
        ({"Pipfile": ""}, "run `pipenv install --dev`"),
        ({}, "run `.venv/bin/python -m pip install pytest`"),
    ],
)
def test_a_missing_pytest_stays_unverified_and_is_told_how_to_get(tmp_path, lock, remedy):
    step = detected(tmp_path, {"test_a.py": PLAIN, **lock}, packages=())
    assert step == Absent(f"pytest is not installed in .venv/bin/python; {remedy}", needless=False)


def test_without_any_python_tests_stay_unverified(tmp_path):
    project = bare_project(tmp_path, {"test_a.py": PLAIN}, path=str(tmp_path))
    assert detection.tests(project, 60.0) == Absent("there is no Python to run the tests with", needless=False)


DJANGO = {"manage.py": "import django\n", "app/tests.py": "from django.test import TestCase\nclass T(TestCase): pass\n"}


def test_djangos_own_command_runs_its_tests(tmp_path):
    step = detected(tmp_path, DJANGO, installed=("Django",))
    assert isinstance(step, TestStep)
    assert step.tool == "manage.py test"


def test_with_pytests_plugin_for_django_pytest_runs_them(tmp_path):
    files = {**DJANGO, "pytest.ini": "[pytest]\nDJANGO_SETTINGS_MODULE = a\n"}
    step = detected(tmp_path, files, installed=("Django", "pytest_django"))
    assert isinstance(step, TestStep)
    assert step.tool == "pytest"


def test_nose2_runs_where_it_is_configured(tmp_path):
    step = detected(tmp_path, {"unittest.cfg": "[unittest]\n", "tests/test_a.py": UNITTEST}, installed=("nose2",))
    assert isinstance(step, TestStep)
    assert step.tool == "nose2"
    only = step.only(("tests.test_a.T.test_a",))
    assert only is not None
    assert only.argv[-1] == "tests.test_a.T.test_a"


def test_test_files_of_installed_packages_are_not_the_projects(tmp_path):
    files = {"a.py": "", "node_modules/x/test_a.py": PLAIN, "venv/pyvenv.cfg": "", "venv/lib/test_a.py": PLAIN}
    step = detected(tmp_path, files)
    assert isinstance(step, Absent)
    assert step.needless
