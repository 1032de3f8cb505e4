from tests.harness.python_projects import python_project
from tests.harness.tool_runs import run, there
from verify_lsp.toolchains.base import TestStep
from verify_lsp.toolchains.python.tools import TOOLS


def test_every_facet_is_there(tmp_path):
    project = python_project(
        tmp_path, {"pyproject.toml": "", "a.py": "x = 1\n", "test_a.py": "def test_a(): pass\n"}, "a.py"
    )
    assert TOOLS.root_of(project.workspace, "a.py") == "."
    step = there(TOOLS.tests(project, 60.0))
    assert isinstance(step, TestStep)
    assert step.parse(run(step.command, project.place)).passed == 1
    assert TOOLS.parse_tests(run(step.command, project.place)) is not None
    assert step.version is not None
    assert run(step.version, project.place).stdout.startswith("pytest 9.")
    assert there(TOOLS.project_check(project, 60.0)).command.cwd == "."
