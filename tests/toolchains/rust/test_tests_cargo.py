import json
from pathlib import Path

import pytest

from tests.harness.tool_runs import laid_out, project_in, run, there, tree
from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import TestCase, TestRun
from verify_lsp.toolchains.base import Project, TestStep
from verify_lsp.toolchains.rust.cargo_run import read_test_run
from verify_lsp.toolchains.rust.selection import filters
from verify_lsp.toolchains.rust.tools import TOOLS

MANIFEST = '[package]\nname = "m"\nversion = "0.1.0"\nedition = "2021"\n'
LOCK = 'version = 4\n\n[[package]]\nname = "m"\nversion = "0.1.0"\n'
DONE = '{"reason":"build-finished","success":true}\n'


def step_of(project: Project) -> TestStep:
    step = there(TOOLS.tests(project, 120))
    assert isinstance(step, TestStep)
    return step


def ran(project: Project, **variables: str) -> TestRun:
    step = step_of(project)
    return step.parse(run(step.command, project.place, **variables))


def counts(run: TestRun) -> tuple[int | None, int | None, int | None, int | None]:
    return run.passed, run.failed, run.skipped, run.total


LIBRARY = """\
/// ```
/// assert_eq!(two_names::add(1, 1), 2);
/// ```
///
/// ```
/// assert_eq!(two_names::add(1, 1), 3);
/// ```
pub fn add(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preserves_failed_lines() { assert_eq!(add(1, 2), 3); }

    #[test]
    fn wrong() { assert_eq!(add(1, 2), 4, "é is wrong"); }

    #[test]
    #[ignore = "slow"]
    fn later() {}

    #[test]
    #[should_panic(expected = "x")]
    fn does_not_panic() {}

    #[test]
    fn says_no() -> Result<(), String> { Err("no".into()) }
}
"""
INTEGRATION = """\
#[test]
fn prints_what_looks_like_a_result() {
    println!("test result: ok. 99 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s");
    println!("failures:\\n    ghost\\nrunning 5 tests");
    std::thread::spawn(|| panic!("in a thread")).join().unwrap();
}

#[test]
fn fine() {}
"""
SUITE = {
    "Cargo.toml": '[workspace]\nresolver = "2"\nmembers = ["lib", "app"]\n',
    "lib/Cargo.toml": MANIFEST.replace('"m"', '"two-names"'),
    "lib/src/lib.rs": LIBRARY,
    "lib/tests/it.rs": INTEGRATION,
    "app/Cargo.toml": MANIFEST.replace('"m"', '"app"') + '[[test]]\nname = "own"\nharness = false\n',
    "app/src/main.rs": "fn main() {}\n\n#[test]\nfn fine() {}\n",
    "app/tests/own.rs": 'fn main() { println!("ran in its own way"); }\n',
}


def test_every_program_of_a_workspace_is_counted_and_every_failure_named(tmp_path: Path, cache: Path) -> None:
    laid_out(tmp_path, SUITE)
    project = project_in(tmp_path, copy=True, cache=cache)
    found = ran(project)
    assert found.verdict == "failed"
    assert found.notes == ("app::own has no test harness, so that its tests are not counted",)
    assert {case.id: (case.path, case.line, case.message) for case in found.failures()} == {
        "two-names tests::does_not_panic": (
            "lib/src/lib.rs",
            26,
            "note: test did not panic as expected at lib/src/lib.rs:26:8",
        ),
        "two-names tests::says_no": (None, None, 'Error: "no"'),
        "two-names tests::wrong": (
            "lib/src/lib.rs",
            18,
            "assertion `left == right` failed: é is wrong\n  left: 3\n right: 4",
        ),
        "two-names::it prints_what_looks_like_a_result": ("lib/tests/it.rs", 5, "in a thread"),
        "doc lib/src/lib.rs - add #2": (
            "lib/src/lib.rs",
            5,
            "assertion `left == right` failed\n  left: 2\n right: 3",
        ),
    }
    # One program's tests nobody can count, so that no sum is known.
    assert counts(found) == (None, 5, None, None)
    passed = {case.id for case in found.cases if case.outcome == "passed"}
    assert passed == {
        "app::bin/app fine",
        "two-names tests::preserves_failed_lines",
        "two-names::it fine",
        "doc lib/src/lib.rs - add",
    }


def test_failures_can_be_run_again_alone(tmp_path: Path, cache: Path) -> None:
    laid_out(tmp_path, SUITE)
    project = project_in(tmp_path, copy=True, cache=cache)
    step = step_of(project)
    ids = ("two-names tests::wrong", "two-names::it fine")
    again = step.only(ids)
    assert again is not None
    found = step.parse(run(again, project.place))
    assert {case.id: case.outcome for case in found.cases} == {
        "two-names tests::wrong": "failed",
        "two-names::it fine": "passed",
        "app::bin/app fine": "passed",
    }


@pytest.fixture
def crate(tmp_path: Path) -> Path:
    return laid_out(tmp_path, {"Cargo.toml": MANIFEST, "Cargo.lock": LOCK, "src/lib.rs": "#[test]\nfn t() {}\n"})


def test_sums_are_of_all_programs_and_the_tree_is_left_alone(crate: Path, cache: Path) -> None:
    laid_out(crate, {"tests/a.rs": "#[test]\nfn a() {}\n\n#[test]\n#[ignore]\nfn b() {}\n"})
    before = tree(crate)
    found = ran(project_in(crate, cache=cache))
    assert (found.verdict, counts(found)) == ("passed", (2, 0, 1, 3))
    assert tree(crate) == before


def test_tests_that_do_not_compile_are_failures_of_their_own_kind(crate: Path, cache: Path) -> None:
    laid_out(crate, {"tests/new.rs": '#[test]\nfn n() { let _x: i32 = "no"; }\n'})
    project = project_in(crate, cache=cache)
    found = ran(project)
    assert found.unbuilt == ("m::new",)
    case = TestCase(
        "m::new [build failed]", "failed", "tests/new.rs", 2, "mismatched types: expected `i32`, found `&str`"
    )
    assert found.cases == (case,)
    assert (found.verdict, counts(found)) == ("failed", (None, 1, None, None))
    assert step_of(project).only((case.id,)) is None


def test_a_program_that_dies_in_the_middle_is_a_failure(crate: Path, cache: Path) -> None:
    laid_out(crate, {"tests/dies.rs": "#[test]\nfn d() { std::process::abort() }\n\n#[test]\nfn e() {}\n"})
    found = ran(project_in(crate, cache=cache))
    assert found.verdict == "failed"
    assert [case.id for case in found.failures()] == ["m::dies [did not end]"]
    assert "SIGABRT" in found.failures()[0].message
    assert (found.passed, found.total) == (None, None)


def test_a_test_that_ends_the_program_with_success_does_not_pass(crate: Path, cache: Path) -> None:
    laid_out(crate, {"tests/quits.rs": "#[test]\nfn q() { std::process::exit(0) }\n"})
    found = ran(project_in(crate, cache=cache))
    assert found.verdict == "failed"
    assert [case.id for case in found.failures()] == ["m::quits [did not end]"]
    assert found.contradiction == "1 failed, but cargo test exited with 0"


def test_a_program_of_its_own_kind_that_fails_is_a_failure(crate: Path, cache: Path) -> None:
    laid_out(
        crate,
        {
            "Cargo.toml": MANIFEST + '[[test]]\nname = "own"\nharness = false\n',
            "tests/own.rs": "fn main() { std::process::exit(3) }\n",
        },
    )
    found = ran(project_in(crate, cache=cache))
    assert [(case.id, case.message) for case in found.failures()] == [("m::own [failed]", "exit status: 3")]


def test_a_crate_without_tests_does_not_pass(crate: Path, cache: Path) -> None:
    laid_out(crate, {"src/lib.rs": "pub fn f() {}\n"})
    found = ran(project_in(crate, cache=cache))
    assert (found.verdict, found.reason) == ("none-ran", "the workspace has no tests to run")
    laid_out(crate, {"src/lib.rs": "#[test]\n#[ignore]\nfn later() {}\n"})
    found = ran(project_in(crate, cache=cache))
    assert (found.verdict, found.reason) == ("none-ran", "all tests are ignored (1)")


def test_a_dependency_that_is_not_here_is_no_failure_of_the_tests(tmp_path: Path, cache: Path) -> None:
    laid_out(tmp_path, {"Cargo.toml": MANIFEST + '[dependencies]\nno-such-crate-here = "1"\n', "src/lib.rs": ""})
    found = ran(project_in(tmp_path, copy=True, cache=cache), CARGO_HOME=str(cache / "empty-home"))
    assert (found.verdict, found.unbuilt) == ("none-ran", ())
    assert found.reason is not None
    assert "no-such-crate-here" in found.reason


def block(passed: int, failed: int = 0, names: tuple[str, ...] = ()) -> str:
    word = "FAILED" if failed else "ok"
    listed = "".join(f"test {name} ... FAILED\n" for name in names)
    result = f"test result: {word}. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
    return f"\nrunning {passed + failed} test{'s' * (passed + failed != 1)}\n{listed}\n{result}\n"


def running(*programs: str) -> str:
    return "".join(f"     Running unittests src/lib.rs (target/debug/deps/{program})\n" for program in programs)


def test_programs_that_do_not_fit_their_output_keep_their_names_to_themselves(tmp_path: Path) -> None:
    """Two programs failed by cargo's word, in another order than by their output: nobody can say whose test it was."""
    stderr = running("a-1") + "error: test failed, to rerun pass `-p a`\n" + running("b-1")
    found = read_test_run(project_in(tmp_path), CommandResult(101, DONE + block(1) + block(0, 1, ("x",)), stderr))
    assert (found.verdict, counts(found)) == ("failed", (1, 1, 0, 2))
    assert [case.id for case in found.failures()] == ["x"]


def test_a_program_that_cargo_calls_failed_is_never_lost(tmp_path: Path) -> None:
    stderr = running("a-1") + "error: test failed, to rerun pass `-p a`\n"
    found = read_test_run(project_in(tmp_path), CommandResult(101, DONE + block(1), stderr))
    assert found.verdict == "failed"
    assert [case.id for case in found.failures()] == ["src/lib.rs [failed]"]


def test_an_exit_code_that_disagrees_is_a_contradiction(tmp_path: Path) -> None:
    found = read_test_run(project_in(tmp_path), CommandResult(101, DONE + block(2)))
    assert (found.verdict, found.contradiction) == ("failed", "no test failed, but cargo test exited with 101")
    found = read_test_run(project_in(tmp_path), CommandResult(0, DONE + block(1, 1, ("x",))))
    assert (found.verdict, found.contradiction) == ("failed", "1 failed, but cargo test exited with 0")


def test_output_with_a_gap_gives_a_verdict_without_counts(tmp_path: Path) -> None:
    found = read_test_run(project_in(tmp_path), CommandResult(0, DONE + block(3) + "running 9 tests\n", truncated=True))
    assert (found.verdict, counts(found)) == ("passed", (None, None, None, None))


def test_a_run_that_was_ended_is_not_a_pass(tmp_path: Path) -> None:
    project = project_in(tmp_path)
    compiling = read_test_run(project, CommandResult(None, "", "   Compiling m\n", timed_out=True))
    assert (compiling.verdict, compiling.reason) == ("unusable", "the tests did not compile in time")
    testing = read_test_run(project, CommandResult(None, DONE + block(1) + "running 2 tests\n", timed_out=True))
    assert (testing.verdict, testing.reason) == ("unusable", "the tests did not end in time")
    assert counts(testing)[0] is None


def test_silence_is_unusable(tmp_path: Path) -> None:
    found = read_test_run(project_in(tmp_path), CommandResult(1, "", "error: unexpected argument '--frob' found\n"))
    assert found.verdict == "unusable"
    assert found.reason is not None
    assert "unexpected argument" in found.reason


def test_a_linker_error_is_a_build_failure_without_a_place(tmp_path: Path) -> None:
    said = {
        "level": "error",
        "message": "linking with `cc` failed: exit status: 1",
        "code": None,
        "spans": [],
        "children": [],
    }
    about = {"package_id": "path+file:///w/m#0.1.0", "target": {"kind": ["lib"], "name": "m"}}
    line = json.dumps({"reason": "compiler-message", **about, "message": said}, separators=(",", ":"))
    found = read_test_run(
        project_in(tmp_path), CommandResult(101, line + '\n{"reason":"build-finished","success":false}\n')
    )
    assert found.cases == (
        TestCase("m [build failed]", "failed", None, None, "linking with `cc` failed: exit status: 1"),
    )


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        (("m tests::a", "m::it b", "m tests::a"), ("--exact", "tests::a", "b")),
        (("loose",), ("--exact", "loose")),
        (("doc src/lib.rs - add #2", "m tests::a"), ("src/lib.rs - add", "tests::a")),
        (("m::it [did not end]",), None),
        (("m tests::a", "m::it [build failed]"), None),
        (("m --exec",), None),
        ((), None),
    ],
)
def test_ids_become_words_that_choose_tests(ids: tuple[str, ...], words: tuple[str, ...] | None) -> None:
    assert filters(ids) == words
