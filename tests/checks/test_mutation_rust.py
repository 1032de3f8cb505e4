"""Mutants of Rust code, tried by cargo's real tests."""

from pathlib import Path

import anyio
import pytest

from tests.harness.mutation import added, ran
from tests.harness.tool_runs import laid_out
from verify_lsp.checks import mutation
from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.model.change import Change
from verify_lsp.model.outcome import CheckOutcome, Skipped
from verify_lsp.settings.settings import Settings
from verify_lsp.system.environment import child_environment
from verify_lsp.system.process import run_command
from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.rust.toolchain import TOOLCHAIN


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def mutated(place: Path, cache: Path, files: dict[str, str], *changed: str, most: int = 30) -> CheckOutcome:
    """Lay a workspace out whose `changed` files are new, and return the outcome of the mutation check."""
    laid_out(place, files)
    for name, text in files.items():
        (place / name).write_bytes(text.encode())
    variables = child_environment(offline=True)

    async def run(command, folder):
        return await run_command(command, folder, environment=variables)

    project = Project(place, place, ".", tuple(sorted(changed)), variables["PATH"], cache)
    change = Change(tuple(added(name, files[name]) for name in sorted(changed)))
    settings = Settings(timeout_secs=120, mutation_max_mutants=most)
    context = CheckContext(place, place, change, (ProjectOf(TOOLCHAIN, project),), settings, run)
    before = picture(place)
    outcome = anyio.run(mutation.check, context)
    assert picture(place) == before
    return outcome


def picture(place: Path) -> dict[str, tuple[int, bytes]]:
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in place.rglob("*") if path.is_file()}


def fates(outcome: CheckOutcome) -> dict[str, str]:
    """Return what became of each mutant, by the text of its place."""
    return {f"{each.path}:{each.line} {each.original}": each.status for each in ran(outcome).mutants or ()}


def package(name: str, edition: str = "2021", rest: str = "") -> str:
    return f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "{edition}"\n{rest}'


def lock(*names: str) -> str:
    return "version = 4\n" + "".join(f'\n[[package]]\nname = "{name}"\nversion = "0.1.0"\n' for name in names)


LOW = """\
#![no_std]
#![forbid(unsafe_code)]
#![deny(warnings)]
extern crate alloc;

pub fn is_near(a: i32, b: i32) -> bool {
    a - b <= 3 && b - a <= 3
}

pub const fn doubled(a: i32) -> i32 {
    a * 2
}

pub fn until(mut left: u64) -> u64 {
    while left > 0 {
        left -= 1;
    }
    left
}

/// ```
/// assert_eq!(low::shown(7), 8);
/// ```
pub fn shown(a: i32) -> i32 {
    a + 1
}

pub fn nobody(a: i32) -> bool {
    a < 0
}

pub fn later(at: core::time::Duration, by: u32) -> core::time::Duration {
    at * by
}

#[cfg(test)]
mod tests {
    #[test]
    fn near() {
        assert!(super::is_near(1, 2));
        assert!(!super::is_near(9, 2));
        assert_eq!(super::doubled(3), 6);
    }
    #[test]
    fn goes_down() {
        assert_eq!(super::until(3), 0);
    }
    #[test]
    fn waits() {
        assert_eq!(super::later(core::time::Duration::new(2, 0), 2).as_secs(), 4);
    }
}
"""
HIGH = "// ü — été\r\nfn main() {\r\n\tlet given: i32 = std::env::args().nth(1).unwrap().parse().unwrap();\r\n\tif given > 5 {\r\n\t\tstd::process::exit(3);\r\n\t}\r\n}\r\n"
WORKSPACE = {
    "Cargo.toml": '[workspace]\nresolver = "2"\nmembers = ["low", "high"]\n',
    "Cargo.lock": lock("high", "low"),
    "low/Cargo.toml": package("low", "2015"),
    "low/src/lib.rs": LOW,
    "high/Cargo.toml": package("high", "2024"),
    "high/src/main.rs": HIGH,
    "high/tests/whole.rs": '#[test]\nfn ends_badly() {\n    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_high"));\n'
    '    assert_eq!(program.arg("6").status().unwrap().code(), Some(3));\n}\n#[test]\nfn other() {}\n',
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> CheckOutcome:
    place = tmp_path_factory.mktemp("whole") / "w"
    place.mkdir()
    return mutated(place, cache, WORKSPACE, "low/src/lib.rs", "high/src/main.rs")


def test_each_mutant_of_a_workspace_gets_its_fate(whole: CheckOutcome) -> None:
    assert fates(whole) == {
        "low/src/lib.rs:7 <=": "survived",
        "low/src/lib.rs:11 *": "killed",
        "low/src/lib.rs:15 >": "killed",
        "low/src/lib.rs:16 -=": "timeout",
        "low/src/lib.rs:18 left": "survived",
        "low/src/lib.rs:25 +": "killed",
        "low/src/lib.rs:29 <": "no-coverage",
        "low/src/lib.rs:33 *": "killed",
        "high/src/main.rs:3 1": "killed",
        "high/src/main.rs:4 >": "survived",
        "high/src/main.rs:5 3": "killed",
    }


def test_a_kill_names_its_test_and_a_survivor_those_that_run_it(whole: CheckOutcome) -> None:
    told = {(each.path, each.line): each for each in ran(whole).mutants or ()}
    assert told["low/src/lib.rs", 11].killed_by == "low tests::near"
    assert told["low/src/lib.rs", 7].covered_by == ("low tests::near",)
    assert told["low/src/lib.rs", 25].covered_by == ("low example 1",)
    assert set(told["high/src/main.rs", 4].covered_by) == {"high::whole ends_badly", "high::whole other"}


HARD = {
    "Cargo.toml": '[workspace]\nresolver = "2"\nmembers = ["made", "used"]\n',
    "Cargo.lock": lock("made") + '\n[[package]]\nname = "used"\nversion = "0.1.0"\ndependencies = [\n "made",\n]\n',
    "made/Cargo.toml": package("made", rest="[lib]\nproc-macro = true\n"),
    "made/src/lib.rs": """\
extern crate proc_macro;

#[proc_macro]
pub fn thrice(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let n: i32 = item.to_string().parse().unwrap();
    (n * 3).to_string().parse().unwrap()
}
""",
    "used/Cargo.toml": package(
        "used", rest='[dependencies]\nmade = { path = "../made" }\n[[test]]\nname = "bare"\nharness = false\n'
    ),
    "used/src/lib.rs": """\
use std::sync::OnceLock;
use std::time::{Duration, Instant};

static RATE: OnceLock<u32> = OnceLock::new();

pub fn rate() -> u32 {
    *RATE.get_or_init(|| made::thrice!(2) + made_up(2))
}

fn made_up(n: u32) -> u32 {
    n * 3
}

pub fn since(then: Instant, now: Instant) -> Duration {
    now - then
}

pub fn bare(n: u32) -> u32 {
    n / 2
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_warms_up() {
        super::rate();
    }
    #[test]
    fn b_is_right() {
        // Whoever comes first works it out; here that is always the other.
        while super::RATE.get().is_none() {
            std::thread::yield_now();
        }
        assert_eq!(super::rate(), 12);
    }
    #[test]
    fn no_time_has_passed() {
        let now = std::time::Instant::now();
        assert_eq!(super::since(now, now).as_secs(), 0);
    }
}
""",
    "used/tests/bare.rs": "fn main() {\n    assert_eq!(used::bare(8), 4);\n}\n",
}


def test_what_cannot_be_switched_is_tried_by_itself_and_what_cannot_be_compiled_is_no_kill(
    tmp_path: Path, cache: Path
) -> None:
    outcome = mutated(tmp_path / "w", cache, HARD, "made/src/lib.rs", "used/src/lib.rs")
    assert fates(outcome) == {
        "made/src/lib.rs:6 *": "killed",
        "used/src/lib.rs:7 +": "killed",
        "used/src/lib.rs:11 *": "killed",
        "used/src/lib.rs:15 -": "invalid",
        "used/src/lib.rs:19 /": "killed",
    }
    told = {(each.path, each.line): each for each in ran(outcome).mutants or ()}
    assert told["used/src/lib.rs", 11].killed_by == "used tests::b_is_right"
    assert told["used/src/lib.rs", 19].killed_by == "used::bare"


SMALL = {
    "Cargo.toml": package("small"),
    "Cargo.lock": lock("small"),
    "src/lib.rs": "pub fn least(a: u8, b: u8) -> u8 {\n    if a < b { a } else { b }\n}\n",
    "tests/t.rs": "#[test]\nfn least() {\n    assert_eq!(small::least(1, 2), 1);\n}\n",
}


def test_no_score_is_made_of_tests_that_fail_by_themselves(tmp_path: Path, cache: Path) -> None:
    files = {**SMALL, "tests/t.rs": SMALL["tests/t.rs"].replace(", 1)", ", 2)")}
    outcome = mutated(tmp_path / "w", cache, files, "src/lib.rs")
    assert isinstance(outcome, Skipped)
    assert "do not pass" in outcome.reason
    assert not outcome.needless


def test_a_file_that_is_part_of_no_crate_is_not_reached(tmp_path: Path, cache: Path) -> None:
    files = {**SMALL, "src/lost.rs": SMALL["src/lib.rs"]}
    outcome = mutated(tmp_path / "w", cache, files, "src/lost.rs")
    assert isinstance(outcome, Skipped)
    assert "do not reach the tests: src/lost.rs" in outcome.reason


def test_where_nothing_can_be_put_in_there_is_nothing_to_verify(tmp_path: Path, cache: Path) -> None:
    files = {
        **SMALL,
        "src/lib.rs": 'pub const A: u8 = 1;\npub fn say() {\n    println!("{}", 1 + 2);\n}\n',
        "tests/t.rs": "",
    }
    outcome = mutated(tmp_path / "w", cache, files, "src/lib.rs")
    assert outcome == Skipped(mutation.NOTHING, needless=True)
