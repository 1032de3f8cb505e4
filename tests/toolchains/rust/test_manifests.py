from pathlib import Path

import pytest

from tests.harness.tool_runs import laid_out, project_in
from verify_lsp.toolchains.base import Absent
from verify_lsp.toolchains.rust.manifests import lock_trouble, members
from verify_lsp.toolchains.rust.tools import TOOLS


def package(name: str, rest: str = "") -> str:
    return f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n{rest}'


WORKSPACE = {
    "Cargo.toml": '[workspace]\nmembers = ["crates/*", "tool"]\nexclude = ["crates/out"]\n',
    "crates/a/Cargo.toml": package("a", '[dependencies]\nby-path = { path = "../../by-path" }\n'),
    "crates/out/Cargo.toml": package("out"),
    "tool/Cargo.toml": package("tool"),
    "by-path/Cargo.toml": package("by-path"),
    "fixtures/stray/Cargo.toml": package("stray"),
    "own/Cargo.toml": "[workspace]\n" + package("own"),
    "own/sub/Cargo.toml": package("sub", 'workspace = "../.."\n'),
    "vendor/dep/Cargo.toml": package("dep"),
    "vendor/dep/.cargo-checksum.json": "{}",
}


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("Cargo.toml", "."),
        ("crates/a/src/lib.rs", "."),
        ("tool/src/main.rs", "."),
        ("by-path/src/lib.rs", "."),
        ("vendor/dep/src/lib.rs", "."),
        ("crates/out/src/lib.rs", "crates/out"),
        ("fixtures/stray/src/lib.rs", "fixtures/stray"),
        ("own/src/lib.rs", "own"),
        ("own/sub/src/lib.rs", "."),
    ],
)
def test_a_member_is_checked_with_its_workspace_and_a_stranger_alone(tmp_path: Path, path: str, root: str) -> None:
    laid_out(tmp_path, WORKSPACE)
    assert TOOLS.root_of(tmp_path, path) == root


def test_a_file_outside_of_every_crate_has_no_root(tmp_path: Path) -> None:
    laid_out(tmp_path, {"a/Cargo.toml": package("a"), "scripts/x.rs": ""})
    assert TOOLS.root_of(tmp_path, "scripts/x.rs") is None
    assert TOOLS.root_of(tmp_path / "a", "src/lib.rs") == "."


def test_a_manifest_that_cannot_be_read_is_still_a_root(tmp_path: Path) -> None:
    laid_out(tmp_path, {"Cargo.toml": "[package\n"})
    assert TOOLS.root_of(tmp_path, "src/lib.rs") == "."


def test_members_inherit_paths_from_the_workspace_and_may_depend_in_circles(tmp_path: Path) -> None:
    laid_out(
        tmp_path,
        {
            "Cargo.toml": package(
                "top", '[workspace]\n[workspace.dependencies]\nb = { path = "b" }\n[dependencies]\nb.workspace = true\n'
            ),
            "b/Cargo.toml": package(
                "b",
                '[dev-dependencies]\ntop = { path = ".." }\n[target."cfg(unix)".dependencies]\nc = { path = "../c" }\n',
            ),
            "c/Cargo.toml": package("c"),
        },
    )
    assert members(tmp_path) == {tmp_path.resolve(), (tmp_path / "b").resolve(), (tmp_path / "c").resolve()}


LOCK = 'version = 4\n\n[[package]]\nname = "m"\nversion = "0.1.0"\ndependencies = [\n "dev",\n "real 1.2.3",\n]\n\n[[package]]\nname = "real"\nversion = "1.2.3"\nsource = "registry"\n'
DEPENDENCIES = '[dependencies]\nrenamed = { package = "real", version = "1" }\n[dev-dependencies]\ndev = "1"\n'


def test_a_lock_file_that_fits_is_no_trouble(tmp_path: Path) -> None:
    laid_out(tmp_path, {"Cargo.toml": package("m", DEPENDENCIES), "Cargo.lock": LOCK})
    assert lock_trouble(tmp_path) is None


@pytest.mark.parametrize(
    "manifest",
    [
        package("m", DEPENDENCIES + 'new = "1"\n'),
        package("m", DEPENDENCIES).replace("0.1.0", "0.2.0"),
        package("m"),
        package("n", DEPENDENCIES),
    ],
)
def test_a_lock_file_out_of_step_is_seen_without_running_cargo(tmp_path: Path, manifest: str) -> None:
    laid_out(tmp_path, {"Cargo.toml": manifest, "Cargo.lock": LOCK})
    assert lock_trouble(tmp_path) == "cargo would rewrite Cargo.lock, which does not fit Cargo.toml"


def test_versions_may_be_inherited(tmp_path: Path) -> None:
    inherits = '[package]\nname = "m"\nversion.workspace = true\n' + DEPENDENCIES.replace('"1" }', '"1" }')
    laid_out(tmp_path, {"Cargo.toml": inherits + '[workspace.package]\nversion = "0.1.0"\n', "Cargo.lock": LOCK})
    assert lock_trouble(tmp_path) is None


def test_without_a_fitting_lock_file_cargo_runs_in_a_copy_only(tmp_path: Path) -> None:
    laid_out(tmp_path, {"Cargo.toml": package("m")})
    own, copy = project_in(tmp_path), project_in(tmp_path, copy=True)
    assert TOOLS.copy_because(own) == "cargo would create Cargo.lock"
    why = Absent("cargo would create Cargo.lock in the workspace", needless=False)
    for facet in (TOOLS.project_check, TOOLS.tests, TOOLS.lint):
        assert facet(own, 10) == why
    step = TOOLS.project_check(copy, 10)
    assert not isinstance(step, Absent)
    assert "--locked" not in step.command.argv


def test_with_a_lock_file_cargo_may_not_touch_it(tmp_path: Path) -> None:
    laid_out(tmp_path, {"Cargo.toml": package("m", DEPENDENCIES), "Cargo.lock": LOCK})
    project = project_in(tmp_path)
    assert TOOLS.copy_because(project) is None
    step = TOOLS.project_check(project, 10)
    assert not isinstance(step, Absent)
    assert step.command.argv[:3] == ("cargo", "check", "--locked")
    assert step.command.env["CARGO_TARGET_DIR"] == str(project.cache / "target")


def test_a_folder_without_a_manifest_needs_no_copy(tmp_path: Path) -> None:
    assert TOOLS.copy_because(project_in(tmp_path)) is None
