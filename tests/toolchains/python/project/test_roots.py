import pytest

from tests.harness.tool_runs import laid_out
from verify_lsp.toolchains.python.project.roots import python_files, root_of


@pytest.mark.parametrize(
    "manifest",
    [
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
        "pytest.ini",
        ".pytest.ini",
        "tox.ini",
        "requirements.txt",
        "requirements-dev.txt",
        "Pipfile",
    ],
)
def test_the_nearest_manifest_makes_a_root(tmp_path, manifest):
    laid_out(tmp_path, {"pyproject.toml": "", f"services/api/{manifest}": "", "services/api/src/a.py": ""})
    assert root_of(tmp_path, "services/api/src/a.py") == "services/api"
    assert root_of(tmp_path, "services/other.py") == "."


def test_a_loose_file_belongs_to_the_workspace(tmp_path):
    assert root_of(tmp_path, "deep/down/a.py") == "."
    assert root_of(tmp_path, "a.py") == "."


@pytest.mark.parametrize("folder", ["tests", "docs", "requirements", "examples"])
def test_a_part_of_a_project_is_no_project(tmp_path, folder):
    laid_out(tmp_path, {"setup.py": "", f"{folder}/requirements.txt": "", f"{folder}/pyproject.toml": "[tool.ruff]\n"})
    assert root_of(tmp_path, f"{folder}/a.py") == "."


def test_a_part_that_declares_a_package_is_a_project(tmp_path):
    laid_out(tmp_path, {"pyproject.toml": "", "examples/pyproject.toml": "[project]\nname = 'x'\n"})
    assert root_of(tmp_path, "examples/a.py") == "examples"


def test_folders_above_the_workspace_do_not_count(tmp_path):
    laid_out(tmp_path, {"pyproject.toml": "", "inner/a.py": ""})
    assert root_of(tmp_path / "inner", "a.py") == "."


def test_a_manifest_that_cannot_be_read_is_one_all_the_same(tmp_path):
    laid_out(tmp_path, {"a/pyproject.toml": "[[[", "a/b.py": ""})
    assert root_of(tmp_path, "a/b.py") == "a"


def test_only_files_that_people_wrote_are_listed(tmp_path):
    files = ("a.py", "pkg/b.py", "pkg/c.pyw", "ünï/d.py")
    others = (
        ".hidden/x.py",
        ".venv/x.py",
        "venv/x.py",
        "node_modules/x.py",
        "build/x.py",
        "a.egg-info/x.py",
        "other/pyvenv.cfg",
        "other/lib/x.py",
        "pkg/__pycache__/x.py",
        "readme.md",
    )
    laid_out(tmp_path, dict.fromkeys((*files, *others), ""))
    assert set(python_files(tmp_path)) == set(files)
