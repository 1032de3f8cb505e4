import os
from pathlib import Path

import pytest

from tests.harness.tool_runs import laid_out, project_in, run, there
from verify_lsp.toolchains.base import ProblemStep, Project, TestStep
from verify_lsp.toolchains.rust.cargo import cargo_environment
from verify_lsp.toolchains.rust.copies import copy_environment
from verify_lsp.toolchains.rust.manifests import has_unlisted_crates
from verify_lsp.toolchains.rust.tools import TOOLS


def package(name: str, rest: str = "") -> str:
    return f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n{rest}'


WORKSPACE = {
    "Cargo.toml": '[workspace]\nresolver = "2"\nmembers = ["low", "high"]\n',
    "low/Cargo.toml": package("low"),
    "high/Cargo.toml": package("high", '[dependencies]\nlow = { path = "../low" }\n'),
    "high/src/lib.rs": "#[test]\nfn t() { assert_eq!(low::v(), 1); }\n",
}
GOOD, WRONG, BROKEN = "pub fn v() -> i32 { 1 }\n", "pub fn v() -> i32 { return 2; }\n", 'pub fn v() -> i32 { "3" }\n'


def copies(tmp_path: Path, cache: Path, *texts: str) -> list[Project]:
    """Lay out copies of one workspace, all of the same old age."""
    projects = []
    for number, text in enumerate(texts):
        place = laid_out(tmp_path / str(number) / "w", {**WORKSPACE, "low/src/lib.rs": text})
        for path in place.rglob("*"):
            os.utime(path, (1_500_000_000, 1_500_000_000))
        projects.append(project_in(place, "low/src/lib.rs", copy=True, cache=cache))
    return projects


def test_no_copy_runs_the_tests_of_another_on_its_own_code(tmp_path: Path, cache: Path) -> None:
    verdicts = []
    good, wrong = copies(tmp_path, cache, GOOD, WRONG)
    for project in (good, wrong, good):
        step = there(TOOLS.tests(project, 120))
        assert isinstance(step, TestStep)
        verdicts.append(step.parse(run(step.command, project.place)).verdict)
    assert verdicts == ["passed", "failed", "passed"]


def test_no_copy_is_checked_or_linted_by_what_was_found_in_another(tmp_path: Path, cache: Path) -> None:
    good, wrong, broken = copies(tmp_path, cache, GOOD, WRONG, BROKEN)
    found = []
    for facet, project in (
        (TOOLS.project_check, good),
        (TOOLS.project_check, broken),
        (TOOLS.lint, good),
        (TOOLS.lint, wrong),
        (TOOLS.lint, good),
    ):
        step = there(facet(project, 120))
        assert isinstance(step, ProblemStep)
        problems = step.parse(run(step.command, project.place))
        assert isinstance(problems, tuple)
        found.append([problem.rule for problem in problems])
    assert found == [[], ["E0308"], [], ["clippy::needless_return"], []]


def test_a_copy_and_the_users_own_tree_share_dependencies_only(tmp_path: Path, cache: Path) -> None:
    (project,) = copies(tmp_path, cache, GOOD)
    own = project_in(project.place, cache=cache)
    step = there(TOOLS.project_check(project, 60))
    assert step.command.env["CARGO_TARGET_DIR"] == str(cache / "target")
    wrapper = Path(step.command.env["RUSTC_WORKSPACE_WRAPPER"])
    assert wrapper.resolve() == Path("/usr/bin/env").resolve()
    assert str(wrapper).startswith(str(project.place.resolve()))
    assert cargo_environment(own) == {
        "CARGO_TARGET_DIR": str(cache / "target"),
        "RUSTUP_AUTO_INSTALL": "0",
        "CARGO_TERM_COLOR": "never",
    }


@pytest.mark.parametrize(
    "extra",
    [
        {".cargo/config.toml": '[build]\nrustc-workspace-wrapper = "mine"\n'},
        {"Cargo.toml": '[workspace]\nmembers = ["high"]\nexclude = ["low"]\n'},
        {"Cargo.toml": '[workspace]\nmembers = ["low", "high"]\n[patch.crates-io]\nx = { path = "patched" }\n'},
    ],
)
def test_where_the_wrapper_would_not_do_the_copy_gets_a_folder_of_its_own(
    tmp_path: Path, cache: Path, extra: dict[str, str]
) -> None:
    (project,) = copies(tmp_path, cache, GOOD)
    laid_out(project.place, extra)
    environment = copy_environment(project)
    assert "RUSTC_WORKSPACE_WRAPPER" not in environment
    assert environment["CARGO_TARGET_DIR"].startswith(str(cache / "target-"))


def test_only_crates_within_the_workspace_count_as_unlisted(tmp_path: Path) -> None:
    laid_out(
        tmp_path,
        {"w/Cargo.toml": package("w", '[dependencies]\nout = { path = "../out" }\n'), "out/Cargo.toml": package("out")},
    )
    assert not has_unlisted_crates(tmp_path / "w")
