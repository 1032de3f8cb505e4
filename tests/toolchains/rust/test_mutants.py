"""How mutants are tried on cargo's tests: commands, what they run through, and how their answers read."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.harness.tool_runs import laid_out, project_in
from verify_lsp.model.command import CommandResult
from verify_lsp.toolchains.base import BuiltIn, Project
from verify_lsp.toolchains.rust import mutants
from verify_lsp.toolchains.rust.messages import error_places

INJECTED = Path(mutants.__file__).parent / "injected"
CRATE = {"Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\n', "src/lib.rs": ""}


def step_in(tmp_path: Path, files: dict[str, str]) -> tuple[BuiltIn, Project]:
    project = project_in(laid_out(tmp_path / "w", files), "src/lib.rs", copy=True)
    return mutants.built_in(project, 60, tmp_path / "room"), project


def test_texts_go_into_the_copy_and_nowhere_else(tmp_path: Path) -> None:
    step, project = step_in(tmp_path, CRATE)
    assert step.files({"src/lib.rs": "x"}) == {project.place / "src/lib.rs": "x"}


def test_every_command_finds_cargo_without_a_home(tmp_path: Path) -> None:
    step, _ = step_in(tmp_path, CRATE)
    for command in (*step.build, step.survey, *step.trial(1, ()), *step.trial(1, ("a t",))):
        assert Path(command.env["CARGO_HOME"]).is_absolute()
        assert Path(command.env["RUSTUP_HOME"]).is_absolute()


def test_dependencies_are_shared_and_the_copys_own_crates_are_kept_apart(tmp_path: Path) -> None:
    step, project = step_in(tmp_path, CRATE)
    environment = step.build[-1].env
    assert environment["CARGO_TARGET_DIR"] == str(project.cache / "target")
    assert environment["RUSTC_WORKSPACE_WRAPPER"] == str(tmp_path / "room" / "rustc")


@pytest.mark.parametrize(
    "extra",
    [
        {".cargo/config.toml": '[build]\nrustc-workspace-wrapper = "mine"\n'},
        {"Cargo.toml": CRATE["Cargo.toml"] + '[patch.crates-io]\nx = { path = "patched" }\n', "patched/Cargo.toml": ""},
    ],
)
def test_where_that_cannot_be_the_copy_has_a_target_folder_of_its_own(tmp_path: Path, extra: dict[str, str]) -> None:
    step, _ = step_in(tmp_path, {**CRATE, **extra})
    assert step.build[-1].env["CARGO_TARGET_DIR"] == str(tmp_path / "room" / "target")


def test_a_runner_of_the_projects_own_is_left_in_place_and_each_mutant_is_built_by_itself(tmp_path: Path) -> None:
    step, _ = step_in(tmp_path, {**CRATE, ".cargo/config.toml": "[target.'cfg(all())']\nrunner = 'sudo'\n"})
    assert step.apart("src/lib.rs")
    assert step.survey.argv[:2] == ("cargo", "test")


def test_what_expands_macros_is_built_by_itself(tmp_path: Path) -> None:
    members = {"Cargo.toml": '[workspace]\nmembers = ["m", "m/n"]\n', "m/n/Cargo.toml": CRATE["Cargo.toml"]}
    macros = CRATE["Cargo.toml"].replace('"a"', '"m"') + "[lib]\nproc-macro = true\n"
    step, _ = step_in(tmp_path, {**members, "m/Cargo.toml": macros, "m/src/lib.rs": "", "m/n/src/lib.rs": ""})
    assert step.apart("m/src/lib.rs")
    assert not step.apart("m/n/src/lib.rs")


def test_the_switch_is_set_for_the_whole_suite(tmp_path: Path) -> None:
    step, _ = step_in(tmp_path, CRATE)
    (command,) = step.trial(7, ())
    assert command.env["VERIFY_LSP_MUTANT"] == "7"


def test_examples_whose_programs_were_not_kept_are_compiled_anew_and_come_last(tmp_path: Path) -> None:
    step, _ = step_in(tmp_path, CRATE)
    first, last = step.trial(7, ("a t", "examples"))
    assert json.loads(first.support["tries.json"]) == [[7, ["a t"]]]
    assert last.argv[-1] == "--doc"
    assert step.together is not None
    assert json.loads(step.together(((7, ("examples",)),)).support["tries.json"]) == []


def test_what_was_told_of_each_is_read_up_to_where_it_broke_off(tmp_path: Path) -> None:
    step, _ = step_in(tmp_path, CRATE)
    told = [("passed", ""), ("failed", "a t"), ("timeout", "a"), ("broken", "a"), ("quit", "a")]
    rows = [json.dumps({"number": n, "names": ["a t"], "outcome": o, "by": by}) for n, (o, by) in enumerate(told, 1)]
    found = step.read_together(CommandResult(None, files={"tried.jsonl": "\n".join(rows) + '\n{"number": 6, "na'}))
    assert {number: run and run.verdict for (number, _), run in found.items()} == {
        1: "passed",
        2: "failed",
        3: None,
        4: "unusable",
        5: "unusable",
    }
    killed = found[2, ("a t",)]
    assert killed is not None
    assert killed.failures()[0].id == "a t"


def test_errors_are_told_with_all_their_places() -> None:
    def message(level: str, *spans: tuple[str, int]) -> str:
        placed = [{"file_name": name, "line_start": line, "is_primary": True} for name, line in spans]
        return json.dumps({"reason": "compiler-message", "message": {"level": level, "message": "m", "spans": placed}})

    lines = [
        message("error", ("src/a.rs", 3), ("/other/b.rs", 1), ("src/a.rs", 9)),
        message("warning", ("src/a.rs", 4)),
        message("error"),
    ]
    assert error_places("\n".join(lines), Path("/w")) == (("src/a.rs", 3), ("src/a.rs", 9), ("", 0))


def python(name: str, *arguments: object, **variables: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-E", "-s", "-S", "-B", str(INJECTED / name), *map(str, arguments)]
    environment = {**os.environ, **variables}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o700)
    return str(path)


ENDED = "echo 'test result: ok. 1 passed; 0 failed'"


def tried(tmp_path: Path, text: str, *names: str, **more: Any) -> dict[str, Any]:
    """Try mutant 3 on a program that is a shell script; return what is told of it."""
    program = {
        "program": script(tmp_path / "program", text),
        "was": "/nowhere",
        "arguments": [],
        "folder": str(tmp_path),
        "environment": {"PATH": os.environ["PATH"]},
        "tests": ["one", "two"],
        "title": "a",
        "harness": True,
        "docs": False,
        "succeeds": True,
        "seconds": 0.1,
        "cpu_seconds": 0.1,
        **more,
    }
    (tmp_path / "programs.json").write_text(json.dumps([program]))
    (tmp_path / "tries.json").write_text(json.dumps([[3, names]]))
    done = python("verify_lsp_tries.py", tmp_path, tmp_path)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads((tmp_path / "tried.jsonl").read_text())
    return found


def test_a_try_ends_with_the_first_failure_and_takes_the_program_along(tmp_path: Path) -> None:
    told = tried(
        tmp_path, "echo $$ >pid; echo 'test one ... FAILED'; while :; do read x </dev/zero; done", "a one", "a two"
    )
    assert (told["number"], told["outcome"], told["by"]) == (3, "failed", "a one")
    assert not Path("/proc", (tmp_path / "pid").read_text().strip()).exists()


def test_only_the_named_tests_run_first_and_then_the_program_as_a_whole(tmp_path: Path) -> None:
    text = f'echo "$VERIFY_LSP_MUTANT $*" >>ran\n[ "$1" = --exact ] || {{ echo "test two ... FAILED"; exit 101; }}\n{ENDED}'
    told = tried(tmp_path, text, "a one")
    assert (told["outcome"], told["by"]) == ("failed", "a two")
    assert (tmp_path / "ran").read_text() == "3 --exact one\n3 \n"


def test_a_slow_program_is_not_run_as_a_whole(tmp_path: Path) -> None:
    assert tried(tmp_path, f'echo "$*" >>ran; {ENDED}', "a one", seconds=60)["outcome"] == "passed"
    assert (tmp_path / "ran").read_text() == "--exact one\n"


def test_a_line_that_a_test_prints_about_no_test_is_no_failure(tmp_path: Path) -> None:
    text = f"echo 'test of the weather ... FAILED'; echo 'test other ... FAILED'; {ENDED}"
    assert tried(tmp_path, text, "a one")["outcome"] == "passed"


@pytest.mark.parametrize(
    ("text", "more", "outcome", "by"),
    [
        ("kill -ABRT $$", {}, "failed", "a [did not end]"),
        ("echo 'test result: ok. 0 passed; 0 failed'", {}, "broken", "a"),
        ("exit 0", {}, "quit", "a"),
        ("exit 1", {"harness": False, "tests": []}, "failed", "a"),
        ("exit 0", {"harness": False, "tests": [], "succeeds": False}, "failed", "a"),
        ("exit 1", {"harness": False, "tests": [], "succeeds": False}, "passed", ""),
    ],
)
def test_how_a_program_ends_is_its_answer(
    tmp_path: Path, text: str, more: dict[str, Any], outcome: str, by: str
) -> None:
    told = tried(tmp_path, text, *(["a one"] if more == {} else ["a"]), **more)
    assert (told["outcome"], told["by"]) == (outcome, by)


def test_a_name_that_is_not_known_is_told(tmp_path: Path) -> None:
    assert tried(tmp_path, "exit 0", "b one")["outcome"] == "broken"


def test_each_try_has_a_home_of_its_own_that_is_gone_afterwards(tmp_path: Path) -> None:
    tried(tmp_path, f'touch "$HOME/x" "$TMPDIR/y" && echo "$HOME" >>homes; {ENDED}', "a one", "a two")
    home = Path((tmp_path / "homes").read_text().strip())
    assert home.name == "home"
    assert not home.exists()


def started(
    tmp_path: Path, text: str, name: str = "program"
) -> tuple["subprocess.CompletedProcess[str]", dict[str, Any]]:
    (tmp_path / "survey").mkdir()
    done = python("verify_lsp_program.py", tmp_path, script(tmp_path / name, text), "x", RUSTC_WORKSPACE_WRAPPER="w")
    (told,) = (tmp_path / "survey").glob("*/program.json")
    about: dict[str, Any] = json.loads(told.read_text())
    return done, about


def test_a_program_is_started_as_it_would_be_and_described(tmp_path: Path) -> None:
    text = "echo 'running 2 tests'; echo 'test one ... ok'; echo 'test two - should panic ... ok'; echo \"$1\"; exit 4"
    done, told = started(tmp_path, text)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (4, "x")
    assert (told["tests"], told["harness"], told["succeeds"], told["arguments"]) == (["one", "two"], True, False, ["x"])
    assert "RUSTC_WORKSPACE_WRAPPER" not in told["environment"]


def test_a_signal_that_ends_a_program_is_passed_on(tmp_path: Path) -> None:
    assert started(tmp_path, "kill -SEGV $$")[0].returncode == -signal.SIGSEGV


def test_what_a_program_leaves_running_keeps_nobody_waiting(tmp_path: Path) -> None:
    done, _ = started(tmp_path, 'echo \'running 0 tests\'\nsleep 60 2>&- &\necho $! >"$(dirname "$0")/pid"')
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
    assert done.stdout == "running 0 tests\n"


def test_the_program_of_an_example_is_kept_where_it_reached_a_mutant(tmp_path: Path) -> None:
    _, told = started(tmp_path, 'echo "4 main" >"$VERIFY_LSP_REACH/$$"', "rust_out")
    assert told["docs"]
    assert Path(told["program"]).parent.parent == tmp_path / "survey"
    assert Path(told["program"]).read_text() == (tmp_path / "rust_out").read_text()


def test_what_ended_runs_had_built_is_removed_and_what_others_use_is_not(tmp_path: Path) -> None:
    room, running, lists = tmp_path / "room", tmp_path / "running", tmp_path / "lists"
    target = laid_out(
        tmp_path / "target",
        {
            "deps/a-0123456789abcdef.d": "",
            "deps/liba-0123456789abcdef.rlib": "",
            "deps/liba-fedcba9876543210.rlib": "",
            ".fingerprint/a-0123456789abcdef/x": "",
            "deps/libb-1111111111111111.rlib": "",
        },
    )
    room.mkdir()
    running.mkdir()
    laid_out(lists, {"gone": f"{target}/deps\t-0123456789abcdef\n", "running": f"{target}/deps\t-1111111111111111\n"})
    assert python("verify_lsp_rustc.py", room, lists).returncode == 0
    left = sorted(str(path.relative_to(target)) for path in target.rglob("*") if path.is_file())
    assert left == ["deps/liba-fedcba9876543210.rlib", "deps/libb-1111111111111111.rlib"]
    assert [path.name for path in lists.iterdir()] == ["running"]


def test_the_compiler_is_called_leniently_and_what_it_makes_is_listed(tmp_path: Path) -> None:
    room, lists = tmp_path / "it's a room", tmp_path / "lists"
    room.mkdir()
    python("verify_lsp_rustc.py", room, lists)
    asked = ["echo", "--out-dir", "/t/deps", "-C", "extra-filename=-00112233", "a b.rs"]
    done = subprocess.run([room / "rustc", *asked], capture_output=True, text=True, check=True)
    assert done.stdout == "--out-dir /t/deps -C extra-filename=-00112233 a b.rs --cap-lints allow -C debuginfo=0\n"
    assert (lists / room.name).read_text() == "/t/deps\t-00112233\n"
    assert subprocess.run([room / "rustc", "echo", "-vV"], capture_output=True, text=True, check=True).stdout == "-vV\n"
