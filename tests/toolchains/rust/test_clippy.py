from pathlib import Path

from tests.harness.tool_runs import laid_out, project_in, run, there
from verify_lsp.model.command import CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.base import Absent, ProblemStep, Project, Unreadable
from verify_lsp.toolchains.rust.clippy import read_clippy
from verify_lsp.toolchains.rust.tools import TOOLS

MANIFEST = '[package]\nname = "m"\nversion = "0.1.0"\nedition = "2021"\n'


def linted(project: Project) -> tuple[Problem, ...] | Unreadable:
    step = there(TOOLS.lint(project, 60))
    assert isinstance(step, ProblemStep)
    assert not step.whole_project
    return step.parse(run(step.command, project.place))


def test_only_clippys_own_lints_in_changed_files_count(tmp_path: Path, cache: Path) -> None:
    text = "pub fn {name}(é: bool) -> bool {{\n    let unused = 1;\n    return é == true;\n}}\n"
    files = {"src/lib.rs": "mod other;\n" + text.format(name="f"), "src/other.rs": text.format(name="g")}
    laid_out(tmp_path, {"Cargo.toml": MANIFEST, **files})
    found = linted(project_in(tmp_path, "src/lib.rs", copy=True, cache=cache))
    assert isinstance(found, tuple)
    assert [(problem.path, problem.line, problem.column, problem.rule, problem.severity) for problem in found] == [
        ("src/lib.rs", 4, 5, "clippy::needless_return", "low"),
        ("src/lib.rs", 4, 12, "clippy::bool_comparison", "low"),
    ]
    assert found[0].suggestion == "remove `return`: `é == true`"
    assert found[0].url is not None
    assert found[0].url.endswith("#needless_return")


def test_a_denied_lint_is_a_warning_of_more_weight(tmp_path: Path, cache: Path) -> None:
    laid_out(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": "pub fn f(x: i32) -> bool {\n    x == x\n}\n"})
    found = linted(project_in(tmp_path, "src/lib.rs", copy=True, cache=cache))
    assert isinstance(found, tuple)
    assert ("clippy::eq_op", "medium") in [(problem.rule, problem.severity) for problem in found]


def test_code_that_does_not_compile_is_not_linted(tmp_path: Path, cache: Path) -> None:
    laid_out(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": "pub fn f() { undefined() }\n"})
    found = linted(project_in(tmp_path, "src/lib.rs", copy=True, cache=cache))
    assert found == Unreadable("the code does not compile, so that clippy could not look", broke=False)


def test_only_changed_crates_are_looked_at(tmp_path: Path) -> None:
    laid_out(
        tmp_path,
        {
            "Cargo.toml": '[workspace]\nmembers = ["a", "b"]\n',
            "a/Cargo.toml": MANIFEST.replace('"m"', '"alpha"'),
            "b/Cargo.toml": MANIFEST.replace('"m"', '"beta"'),
        },
    )
    step = there(TOOLS.lint(project_in(tmp_path, "b/src/lib.rs", "a/README.md", copy=True), 60))
    chosen = step.command.argv[step.command.argv.index("--package") : step.command.argv.index("--")]
    assert chosen == ("--package", "beta@0.1.0")
    none = Absent("no crate of the workspace has changed Rust files", needless=True)
    assert TOOLS.lint(project_in(tmp_path, "a/README.md", copy=True), 60) == none


def test_a_linter_that_fails_is_not_a_clean_one(tmp_path: Path) -> None:
    failed = read_clippy(project_in(tmp_path), CommandResult(101, "", "error: no such command: `clippy`\n"))
    assert failed == Unreadable("clippy failed (exit 101): error: no such command: `clippy`")


def test_a_crate_is_told_from_an_older_release_of_itself(tmp_path: Path, cache: Path) -> None:
    own = '[package]\nname = "m"\nversion.workspace = true\nedition = "2021"\n[dependencies]\nolder = { path = "older", package = "m" }\n'
    laid_out(
        tmp_path,
        {
            "Cargo.toml": own + '[workspace]\nexclude = ["older"]\n[workspace.package]\nversion = "2.0.0"\n',
            "src/lib.rs": "pub fn f(x: i32) -> bool {\n    return x == 1;\n}\n",
            "older/Cargo.toml": MANIFEST,
            "older/src/lib.rs": "pub fn g(x: i32) -> bool {\n    return x == 1;\n}\n",
        },
    )
    found = linted(project_in(tmp_path, "src/lib.rs", copy=True, cache=cache))
    assert isinstance(found, tuple)
    assert [(problem.path, problem.rule) for problem in found] == [("src/lib.rs", "clippy::needless_return")]
