"""JavaScript projects that use the real tools of tests/tools/node."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.harness.tool_runs import laid_out, run, there
from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import TestRun
from verify_lsp.toolchains.base import Project, TestStep
from verify_lsp.toolchains.node.testing.step import find_tests

NODE_MODULES = Path(__file__).parents[1] / "tools" / "node" / "node_modules"


def node_project(folder: Path, files: Mapping[str, str], **package: Any) -> Path:
    """Write a project with its `package.json`, and give it the tools as its dependencies."""
    (folder / "node_modules").parent.mkdir(parents=True, exist_ok=True)
    (folder / "node_modules").symlink_to(NODE_MODULES)
    return laid_out(folder, {"package.json": json.dumps({"name": "sample", **package}), **files})


def step_of(project: Project) -> TestStep:
    """Return the step that tests a project."""
    step = there(find_tests(project, 60.0))
    assert isinstance(step, TestStep)
    return step


def run_tests(project: Project) -> tuple[TestRun, CommandResult]:
    """Run a project's tests, with what they prepare, and read the result."""
    step = step_of(project)
    for command in step.prepare:
        assert run(command, project.place).exit_code == 0
    result = run(step.command, project.place)
    return step.parse(result), result


def counts(test_run: TestRun) -> tuple[int | None, int | None, int | None]:
    """Return passed, failed and skipped."""
    return test_run.passed, test_run.failed, test_run.skipped


def path_of(*programs: str, folder: Path) -> str:
    """Return a PATH on which nothing but these programs of the machine is found."""
    folder.mkdir(parents=True, exist_ok=True)
    for program in programs:
        found = shutil.which(program)
        assert found is not None, program
        (folder / program).symlink_to(found)
    return str(folder)
