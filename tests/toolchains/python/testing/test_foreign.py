"""Tests that did not run the code that is verified: found in real runs."""

import os
import sysconfig

import pytest

from tests.harness.python_projects import copy_of, python_project
from tests.harness.tool_runs import laid_out, run, there
from verify_lsp.model.testrun import TestRun
from verify_lsp.toolchains.base import Project, TestStep
from verify_lsp.toolchains.python.testing import detection
from verify_lsp.toolchains.python.testing.request import module_name

TEST = "from pkg.mod import answer\n\ndef test_answer():\n    assert answer() == 42\n"
WRONG, RIGHT = "def answer():\n    return 41\n", "def answer():\n    return 42\n"

# Some build systems install a finder that goes before the module path.
FINDER = """
import importlib.util, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        files = {{"pkg": "{root}/src/pkg/__init__.py", "pkg.mod": "{root}/src/pkg/mod.py"}}
        return importlib.util.spec_from_file_location(name, files[name]) if name in files else None

sys.meta_path.insert(0, Finder())
"""


def tree(module: str, options: str = "", test: str = TEST) -> dict[str, str]:
    return {
        "pytest.ini": f"[pytest]\naddopts = {options}\n",
        "src/pkg/__init__.py": "",
        "src/pkg/mod.py": module,
        "tests/test_mod.py": test,
    }


def run_tests(project: Project) -> TestRun:
    step = there(detection.tests(project, 60.0))
    assert isinstance(step, TestStep)
    return step.parse(run(step.command, project.place))


@pytest.mark.parametrize("options", ["", "-n 1"])
def test_a_copy_runs_its_own_code_although_the_workspace_is_installed(tmp_path, options):
    project = python_project(tmp_path, tree(WRONG, options))
    site = next(project.workspace.glob(".venv/lib/*/site-packages"))
    (site / "__editable__.pkg.pth").write_text(f"{project.workspace}/src\n")
    assert run_tests(project).failed == 1
    copied = run_tests(copy_of(project, tree(RIGHT, options), "src/pkg/mod.py"))
    assert (copied.verdict, copied.passed) == ("passed", 1), copied.reason


def test_a_copy_runs_its_own_code_wherever_the_package_stands(tmp_path):
    def moved(module: str) -> dict[str, str]:
        return {name.replace("src/", "lib/python/"): text for name, text in tree(module).items()}

    project = python_project(tmp_path, moved(WRONG))
    site = next(project.workspace.glob(".venv/lib/*/site-packages"))
    (site / "pkg.pth").write_text(f"{project.workspace}/lib/python\n")
    copied = run_tests(copy_of(project, moved(RIGHT)))
    assert (copied.verdict, copied.passed) == ("passed", 1), copied.reason


@pytest.mark.parametrize("options", ["", "-n 1"])
@pytest.mark.parametrize("changed", [(), ("src/pkg/mod.py",)])
def test_a_copy_whose_tests_run_the_workspaces_code_is_not_believed(tmp_path, options, changed):
    project = python_project(tmp_path, tree(RIGHT, options))
    site = next(project.workspace.glob(".venv/lib/*/site-packages"))
    laid_out(site, {"a_finder.py": FINDER.format(root=project.workspace), "a_finder.pth": "import a_finder\n"})
    copied = run_tests(copy_of(project, tree(WRONG, options), *changed))
    assert copied.verdict == "unusable"
    assert copied.reason is not None
    assert f"{project.workspace}/src/pkg/" in copied.reason


@pytest.mark.parametrize("options", ["", "-n 1"])
def test_an_installed_copy_of_a_changed_module_is_not_believed(tmp_path, options):
    project = python_project(tmp_path, tree(WRONG, options), "src/pkg/mod.py")
    site = next(project.workspace.glob(".venv/lib/*/site-packages"))
    laid_out(site, {"pkg/__init__.py": "", "pkg/mod.py": RIGHT})
    seen = run_tests(project)
    assert seen.verdict == "unusable"
    assert seen.reason is not None
    assert "the tests imported pkg.mod from" in seen.reason
    assert "editable" in seen.reason


def test_unittest_is_not_believed_either(tmp_path):
    test = "import unittest\nfrom pkg.mod import answer\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(answer(), 42)\n"
    files = tree(WRONG, test=test)
    del files["pytest.ini"]
    project = python_project(tmp_path, files, "src/pkg/mod.py")
    site = next(project.workspace.glob(".venv/lib/*/site-packages"))
    laid_out(site, {"pkg/__init__.py": "", "pkg/mod.py": RIGHT})
    (site / "pytest").unlink()
    for path in site.glob("pytest-*.dist-info"):
        path.unlink()
    assert run_tests(project).verdict == "unusable"


def test_an_installed_module_that_was_not_changed_is_no_matter(tmp_path):
    project = python_project(tmp_path, tree(WRONG), "tests/test_mod.py")
    site = next(project.workspace.glob(".venv/lib/*/site-packages"))
    laid_out(site, {"pkg/__init__.py": "", "pkg/mod.py": RIGHT})
    assert run_tests(project).verdict == "passed"


def test_an_editable_install_is_the_code_that_is_verified(tmp_path):
    project = python_project(tmp_path, tree(RIGHT), "src/pkg/mod.py", "src/pkg/__init__.py")
    site = next(project.workspace.glob(".venv/lib/*/site-packages"))
    (site / "pkg.pth").write_text(f"{project.workspace}/src\n")
    assert run_tests(project).verdict == "passed"


def test_a_source_folder_that_nobody_installed_is_found(tmp_path):
    files = {**tree(RIGHT), "pyproject.toml": '[project]\nname = "pkg"\nversion = "1"\n'}
    assert run_tests(python_project(tmp_path, files)).verdict == "passed"


def test_an_old_build_beside_its_source_is_not_believed(tmp_path):
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    # The stand-in for a build: a module that says it was loaded from the file beside the source.
    test = f"""
import pathlib, sys, types

def test_answer():
    folder = pathlib.Path("src/pkg").resolve()
    module = types.ModuleType("pkg.mod")
    module.__file__ = str(folder / "mod{suffix}")
    sys.modules["pkg.mod"] = module
"""
    project = python_project(tmp_path, {**tree(RIGHT, test=test), f"src/pkg/mod{suffix}": ""}, "src/pkg/mod.py")
    build, source = project.folder / f"src/pkg/mod{suffix}", project.folder / "src/pkg/mod.py"
    os.utime(build, (1, 1))
    assert run_tests(project).verdict == "unusable"
    os.utime(build, (source.stat().st_mtime + 1,) * 2)
    assert run_tests(project).verdict == "passed"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("src/pkg/mod.py", "pkg.mod"),
        ("src/pkg/__init__.py", "pkg"),
        ("tests/test_mod.py", None),
        ("top.py", "top"),
        ("setup.py", None),
        ("conftest.py", None),
        ("docs/conf.py", None),
        ("src/pkg/data.txt", None),
        ("src/pkg/not-a-module.py", None),
    ],
)
def test_a_module_has_a_name_only_where_that_is_certain(tmp_path, path, name):
    project = python_project(tmp_path, tree(RIGHT))
    assert module_name(project, path) == name


def test_a_copy_shares_the_environment_of_the_workspace(tmp_path):
    project = python_project(tmp_path, tree(RIGHT))
    step = there(detection.tests(copy_of(project, tree(RIGHT)), 60.0))
    assert step.command.argv[0] == f"{project.workspace}/.venv/bin/python"
