import json

import attrs
import pytest

from tests.harness.node_projects import path_of
from tests.harness.tool_runs import laid_out, project_in
from verify_lsp.toolchains.node.package_manager import QUIET, package_manager

ALL = ("npm", "pnpm", "yarn", "bun")


@pytest.fixture
def every_manager(tmp_path):
    """Programs of these names; a package manager that is chosen is looked up, not run."""
    folder = tmp_path / "programs"
    laid_out(folder, dict.fromkeys(ALL, "#!/bin/sh\nexit 99\n"))
    for name in ALL:
        (folder / name).chmod(0o755)
    return str(folder)


@pytest.mark.parametrize(
    ("files", "chosen"),
    [
        ({}, "npm"),
        ({"package-lock.json": ""}, "npm"),
        ({"npm-shrinkwrap.json": ""}, "npm"),
        ({"pnpm-lock.yaml": ""}, "pnpm"),
        ({"yarn.lock": ""}, "yarn"),
        ({"bun.lock": ""}, "bun"),
        ({"bun.lockb": ""}, "bun"),
        ({"package.json": '{"packageManager": "pnpm@9.1.0+sha512.abc"}', "package-lock.json": ""}, "pnpm"),
        ({"package.json": '{"packageManager": "unheard-of@1"}', "yarn.lock": ""}, "yarn"),
        ({"package.json": '{"packageManager": 7}', "yarn.lock": ""}, "yarn"),
        ({"package.json": '{"devEngines": {"packageManager": {"name": "bun"}}}', "yarn.lock": ""}, "bun"),
    ],
)
def test_the_field_beats_a_stray_lock_file(files, chosen, tmp_path, every_manager):
    project = project_in(laid_out(tmp_path / "work", {"a.js": "", **files}), path=every_manager)
    assert package_manager(project).run("test") == (chosen, "run", "test")


def test_a_package_follows_the_workspace_above_it(tmp_path, every_manager):
    files = {"pnpm-lock.yaml": "", "packages/a/package.json": "{}"}
    project = project_in(laid_out(tmp_path / "work", files), root="packages/a", path=every_manager)
    assert package_manager(project).chosen == "pnpm"
    field = {"package.json": json.dumps({"packageManager": "yarn@4.1.0"}), "packages/a/package-lock.json": ""}
    laid_out(tmp_path / "work", field)
    assert package_manager(project).chosen == "yarn"


def test_nothing_above_the_workspace_counts(tmp_path, every_manager):
    laid_out(tmp_path, {"yarn.lock": ""})
    project = project_in(laid_out(tmp_path / "work", {"a.js": ""}), path=every_manager)
    assert package_manager(project).chosen == "npm"


def test_npm_runs_the_scripts_of_a_manager_that_is_not_installed(tmp_path):
    project = project_in(
        laid_out(tmp_path / "work", {"pnpm-lock.yaml": ""}), path=path_of("npm", folder=tmp_path / "bin")
    )
    manager = package_manager(project)
    assert manager.run("test") == ("npm", "run", "test")
    assert manager.note == "pnpm is not installed, so npm ran the script"


def test_npm_cannot_stand_in_for_yarn_without_node_modules(tmp_path):
    files = {"yarn.lock": "", ".pnp.cjs": ""}
    project = project_in(laid_out(tmp_path / "work", files), path=path_of("npm", folder=tmp_path / "bin"))
    assert package_manager(project).runs is None


def test_modern_yarn_runs_no_script_before_a_script(tmp_path, every_manager):
    project = project_in(laid_out(tmp_path / "work", {"yarn.lock": ""}), path=every_manager)
    assert package_manager(project).hooks
    laid_out(project.place, {".yarnrc.yml": ""})
    assert not package_manager(project).hooks
    other = laid_out(tmp_path / "other", {"package.json": '{"packageManager": "yarn@4.1.0"}'})
    assert not package_manager(attrs.evolve(project, place=other, workspace=other)).hooks


def test_nothing_is_asked_or_fetched():
    assert QUIET["COREPACK_ENABLE_NETWORK"] == "0"
    assert QUIET["npm_config_yes"] == "false"
    assert QUIET["CI"] == "1"
