import json
from pathlib import Path

import pytest

from tests.harness.tool_runs import laid_out, project_in, run, there, tree
from verify_lsp.model.command import CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.base import ProblemStep, Project, Unreadable
from verify_lsp.toolchains.rust.check import read_check
from verify_lsp.toolchains.rust.messages import package_name
from verify_lsp.toolchains.rust.tools import TOOLS

MANIFEST = '[package]\nname = "m"\nversion = "0.1.0"\nedition = "2021"\n'
LOCK = 'version = 4\n\n[[package]]\nname = "m"\nversion = "0.1.0"\n'


def checked(project: Project, **variables: str) -> tuple[tuple[Problem, ...] | Unreadable, tuple[str, ...]]:
    step = there(TOOLS.project_check(project, 120))
    assert isinstance(step, ProblemStep)
    result = run(step.command, project.place, **variables)
    return step.parse(result), step.unseen(result)


def places(problems: tuple[Problem, ...] | Unreadable) -> list[tuple[str, int, int | None, str, str]]:
    assert not isinstance(problems, Unreadable), problems.reason
    return [(problem.path, problem.line, problem.column, problem.severity, problem.rule) for problem in problems]


def test_a_clean_crate_leaves_the_users_tree_as_it_was(tmp_path: Path, cache: Path) -> None:
    laid_out(tmp_path, {"Cargo.toml": MANIFEST, "Cargo.lock": LOCK, "src/lib.rs": "pub fn f() {}\n"})
    before = tree(tmp_path)
    assert checked(project_in(tmp_path, "src/lib.rs", cache=cache)) == ((), ())
    assert tree(tmp_path) == before


LIBRARY = """\
pub fn f() -> i32 { /* é😀 */ "no" }

macro_rules! text { ($value:expr) => { let _text: String = $value; } }
pub fn g() { text!(5); }

#[cfg(test)]
mod tests {
    #[test]
    fn t() { let é = undefined; }
}
"""


def test_errors_stand_at_their_characters_and_are_told_once(tmp_path: Path, cache: Path) -> None:
    """The library is compiled a second time for its tests."""
    laid_out(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": LIBRARY})
    problems, _ = checked(project_in(tmp_path, "src/lib.rs", copy=True, cache=cache))
    assert places(problems) == [
        ("src/lib.rs", 1, 30, "high", "E0308"),
        ("src/lib.rs", 4, 20, "high", "E0308"),
        ("src/lib.rs", 9, 22, "high", "E0425"),
    ]
    assert LIBRARY[29:33] == '"no"'
    assert isinstance(problems, tuple)
    assert problems[0].message == "mismatched types: expected `i32`, found `&str`"
    assert (problems[0].end_line, problems[0].end_column) == (1, 34)
    assert problems[1].suggestion == "try using a conversion method: `.to_string()`"


def test_a_macro_of_a_dependency_is_reported_where_it_is_called(tmp_path: Path, cache: Path) -> None:
    laid_out(
        tmp_path,
        {
            "m/Cargo.toml": MANIFEST + '[dependencies]\ndep = { path = "../dep" }\n[workspace]\n',
            "m/src/lib.rs": "pub fn f() {\n    dep::text!();\n}\n",
            "dep/Cargo.toml": MANIFEST.replace('"m"', '"dep"'),
            "dep/src/lib.rs": '#[macro_export]\nmacro_rules! text { () => { let _number: i32 = "no"; } }\n',
        },
    )
    problems, _ = checked(project_in(tmp_path / "m", "src/lib.rs", copy=True, cache=cache))
    assert places(problems) == [("src/lib.rs", 2, 5, "high", "E0308")]


def test_warnings_do_not_fail_a_check(tmp_path: Path, cache: Path) -> None:
    laid_out(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": "pub fn f() { let unused = 1; }\n"})
    problems, _ = checked(project_in(tmp_path, "src/lib.rs", copy=True, cache=cache))
    assert places(problems) == [("src/lib.rs", 1, 18, "medium", "unused_variables")]
    assert isinstance(problems, tuple)
    assert problems[0].suggestion == "if this is intentional, prefix it with an underscore: `_unused`"


def test_warnings_of_an_earlier_run_are_told_again(tmp_path: Path, cache: Path) -> None:
    laid_out(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": "pub fn f() { let unused = 1; }\n"})
    project = project_in(tmp_path, "src/lib.rs", copy=True, cache=cache)
    assert checked(project) == checked(project)


def test_a_file_that_no_module_declares_is_said_not_to_be_seen(tmp_path: Path, cache: Path) -> None:
    files = {
        "src/lib.rs": "mod part;\n#[cfg(windows)]\nmod pipes;\npub fn f() { part::g() }\n",
        "src/part.rs": "pub fn g() {}\n",
        "src/pipes.rs": "this is no Rust",
        "src/forgotten file.rs": "this is no Rust",
        "tests/it.rs": "#[test]\nfn t() {}\n",
        "examples/e.rs": "fn main() {}\n",
        "build.rs": "fn main() {}\n",
    }
    laid_out(tmp_path, {"Cargo.toml": MANIFEST, **files})
    problems, unseen = checked(project_in(tmp_path, *files, copy=True, cache=cache))
    assert (problems, unseen) == ((), ("src/pipes.rs", "src/forgotten file.rs"))


WORKSPACE = {
    "Cargo.toml": '[workspace]\nresolver = "2"\nmembers = ["low", "high", "other"]\n',
    "low/Cargo.toml": MANIFEST.replace('"m"', '"low"'),
    "low/src/lib.rs": "pub fn f() { undefined() }\n",
    "high/Cargo.toml": MANIFEST.replace('"m"', '"high"') + '[dependencies]\nlow = { path = "../low" }\n',
    "high/src/lib.rs": "pub fn f() { low::f() }\n",
    "other/Cargo.toml": MANIFEST.replace('"m"', '"other"'),
    "other/src/main.rs": "fn main() { undefined() }\n",
}


def test_one_broken_crate_does_not_hide_another_and_names_what_stands_behind_it(tmp_path: Path, cache: Path) -> None:
    laid_out(tmp_path, WORKSPACE)
    changed = ("low/src/lib.rs", "high/src/lib.rs", "other/src/main.rs")
    problems, unseen = checked(project_in(tmp_path, *changed, copy=True, cache=cache))
    assert places(problems) == [
        ("low/src/lib.rs", 1, 14, "high", "E0425"),
        ("other/src/main.rs", 1, 13, "high", "E0425"),
    ]
    assert unseen == ("high/src/lib.rs",)


def test_a_build_script_that_panics_is_an_error_at_its_line(tmp_path: Path, cache: Path) -> None:
    script = 'fn main() {\n    panic!("no such thing: é");\n}\n'
    laid_out(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": "", "build.rs": script})
    problems, _ = checked(project_in(tmp_path, "build.rs", copy=True, cache=cache))
    assert problems == (Problem("build.rs", 2, "high", "cargo", "the build script of m failed: no such thing: é", 5),)


@pytest.mark.parametrize(
    ("manifest", "place", "said"),
    [
        (MANIFEST + "[dependencies\n", (5, 14), "unclosed table"),
        (MANIFEST.replace("2021", "2099"), (1, None), "`2099` is unknown"),
        (MANIFEST + '[dependencies]\nfirst = { path = "." }\nnope = { path = "nope" }\n', (7, None), "`nope`"),
        ('[package]\nname = "m"\n[lib]\npath = "nowhere.rs"\n', (1, None), "nowhere.rs"),
    ],
)
def test_a_broken_manifest_is_an_error_of_the_manifest(
    tmp_path: Path, cache: Path, manifest: str, place: tuple[int, int | None], said: str
) -> None:
    laid_out(tmp_path, {"Cargo.toml": manifest, "src/lib.rs": ""})
    problems, unseen = checked(project_in(tmp_path, "src/lib.rs", copy=True, cache=cache))
    assert places(problems) == [("Cargo.toml", *place, "high", "cargo")]
    assert isinstance(problems, tuple)
    assert said in problems[0].message
    assert unseen == ("src/lib.rs",)


def test_a_crate_that_its_workspace_does_not_list_says_so(tmp_path: Path, cache: Path) -> None:
    laid_out(tmp_path, {"Cargo.toml": "[workspace]\nmembers = []\n", "in/Cargo.toml": MANIFEST, "in/src/lib.rs": ""})
    problems, _ = checked(project_in(tmp_path, "src/lib.rs", root="in", copy=True, cache=cache))
    assert problems == (
        Problem("Cargo.toml", 1, "high", "cargo", "current package believes it's in a workspace when it's not"),
    )


def test_a_dependency_that_is_not_here_is_unverified_not_an_error(tmp_path: Path, cache: Path) -> None:
    laid_out(tmp_path, {"Cargo.toml": MANIFEST + '[dependencies]\nno-such-crate-here = "1"\n', "src/lib.rs": ""})
    problems, unseen = checked(
        project_in(tmp_path, "src/lib.rs", copy=True, cache=cache), CARGO_HOME=str(cache / "empty-home")
    )
    assert isinstance(problems, Unreadable)
    assert not problems.broke
    assert "no-such-crate-here" in problems.reason
    assert problems.reason.endswith("(cargo is offline)")
    assert unseen == ("src/lib.rs",)


def test_a_newer_rust_that_the_crate_asks_for_is_unverified(tmp_path: Path, cache: Path) -> None:
    laid_out(tmp_path, {"Cargo.toml": MANIFEST + 'rust-version = "1.999"\n', "src/lib.rs": ""})
    problems, _ = checked(project_in(tmp_path, "src/lib.rs", copy=True, cache=cache))
    assert isinstance(problems, Unreadable)
    assert not problems.broke
    assert "requires rustc 1.999" in problems.reason


def test_a_target_that_is_not_installed_is_unverified(tmp_path: Path, cache: Path) -> None:
    laid_out(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": "pub fn f() {}\n"})
    laid_out(tmp_path, {".cargo/config.toml": '[build]\ntarget = "riscv64gc-unknown-linux-musl"\n'})
    problems, _ = checked(project_in(tmp_path, "src/lib.rs", copy=True, cache=cache))
    assert problems == Unreadable("the `riscv64gc-unknown-linux-musl` target is not installed", broke=False)


def test_a_lock_file_that_only_cargo_sees_to_be_stale_is_left_alone(tmp_path: Path, cache: Path) -> None:
    dependency = '[dependencies]\ndep = { path = "dep", version = "0.1" }\n'
    lock = LOCK + 'dependencies = [\n "dep",\n]\n\n[[package]]\nname = "dep"\nversion = "0.1.0"\n'
    laid_out(tmp_path, {"Cargo.toml": MANIFEST + dependency, "Cargo.lock": lock, "src/lib.rs": ""})
    laid_out(
        tmp_path,
        {"dep/Cargo.toml": MANIFEST.replace('"m"', '"dep"') + '[dependencies]\ndeep = { path = "/nowhere" }\n'},
    )
    laid_out(tmp_path, {"dep/src/lib.rs": ""})
    before = tree(tmp_path)
    answer = read_check(
        project_in(tmp_path, cache=cache),
        CommandResult(
            101, "", "error: cannot update the lock file /w/Cargo.lock because --locked was passed to prevent this\n"
        ),
    )
    assert answer == Unreadable("Cargo.lock does not fit Cargo.toml, and cargo would rewrite it", broke=False)
    assert tree(tmp_path) == before


def test_cargo_that_fails_without_an_error_of_the_code_is_not_a_pass(tmp_path: Path) -> None:
    project = project_in(tmp_path)
    killed = read_check(project, CommandResult(101, "", "error: could not compile `m` (lib)\n\nCaused by:\n  killed\n"))
    assert isinstance(killed, Unreadable)
    assert killed.broke
    assert isinstance(read_check(project, CommandResult(0)), Unreadable)
    strange = read_check(project, CommandResult(101, "", "error: unexpected argument '--keep-going' found\n"))
    assert isinstance(strange, Unreadable)
    assert "unexpected argument" in strange.reason


def message(level: str, file: str, text: str = "said") -> str:
    span = {"file_name": file, "line_start": 1, "line_end": 1, "column_start": 2, "column_end": 3, "is_primary": True}
    said = {"level": level, "message": text, "code": None, "spans": [span], "children": []}
    about = {"package_id": "path+file:///w/m#0.1.0", "target": {"kind": ["lib"], "name": "m"}}
    return json.dumps({"reason": "compiler-message", **about, "message": said}, separators=(",", ":"))


def test_what_stands_outside_of_the_project_counts_only_as_an_error(tmp_path: Path) -> None:
    end = '{"reason":"build-finished","success":false}'
    lines = [
        message("error", "/elsewhere/lib.rs", "broken"),
        message("warning", "/elsewhere/lib.rs"),
        message("error", "<::std::x>"),
        end,
    ]
    problems = read_check(project_in(tmp_path), CommandResult(101, "\n".join(lines)))
    assert problems == (
        Problem("", 0, "high", "rustc", "broken"),
        Problem("", 0, "high", "rustc", "said"),
    )


@pytest.mark.parametrize(
    ("package_id", "name"),
    [
        ("path+file:///w/crates/b#0.1.0", "b"),
        ("path+file:///w/crates/a#alpha-beta@0.1.0", "alpha-beta"),
        ("registry+https://index.test/x#serde@1.0.1", "serde"),
        ("old-form 0.1.0 (path+file:///w)", "old-form"),
    ],
)
def test_package_ids_of_all_ages_are_names(package_id: str, name: str) -> None:
    assert package_name(package_id) == name
