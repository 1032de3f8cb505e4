"""How mutants are tried on Rust's tests: built in once, in a copy of the project, and tried by the built programs."""

import functools
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs

from verify_lsp.model.command import RESULTS, Command, CommandResult
from verify_lsp.model.testrun import TestCase, TestRun
from verify_lsp.toolchains.base import BuiltIn, Project, Try
from verify_lsp.toolchains.rust.cargo import cargo_environment
from verify_lsp.toolchains.rust.cargo_run import read_test_run
from verify_lsp.toolchains.rust.copies import has_own_wrapper, is_configured
from verify_lsp.toolchains.rust.manifests import has_unlisted_crates, members, read_manifest, table
from verify_lsp.toolchains.rust.messages import error_places
from verify_lsp.toolchains.rust.selection import DID_NOT_END

_INJECTED = Path(__file__).parent / "injected"
_TRIES, _TRIED = "tries.json", "tried.jsonl"
_EXAMPLES = "examples"
_SUITE = ("cargo", "test", "--workspace", "--message-format=json")
_MakeCommand = Callable[..., Command]
LENIENT = ("--cap-lints", "allow")
"""Half of a mutated line is code that nothing reaches: warnings, which a project may have made errors, say nothing."""


def built_in(project: Project, timeout_s: float, folder: Path) -> BuiltIn:
    """Return how mutants are tried in a copy of a Cargo workspace.

    Args:
        folder: Absolute and private; it stands until all mutants were tried.
    """
    command = functools.partial(_command, project, timeout_s, folder)
    # A program that starts test programs, and is set up by the project, cannot be put behind ours.
    is_run_by_another = is_configured(project, r"\brunner\s*=")
    return BuiltIn(
        files=lambda texts: {project.folder / path: text for path, text in texts.items()},
        build=(
            command(*_python("verify_lsp_rustc"), str(folder), str(project.cache / "mutants-built")),
            command(*_suite(), "--no-run"),
        ),
        blamed=lambda result: error_places(result.stdout, project.folder),
        survey=command(*_suite()) if is_run_by_another else command(*_survey(folder), *_suite()),
        shown=command(*_SUITE[:3]),
        reached=_reached,
        counted=lambda result: frozenset(json.loads(result.files.get("counted.json", "[]"))),
        trial=lambda number, names: _trial(command, folder, number, names),
        parse=lambda result: _read(project, result),
        together=lambda tries: _tries(command, folder, tries),
        read_together=_read_together,
        apart=lambda path: is_run_by_another or _expands_macros(project, path),
    )


def _command(project: Project, timeout_s: float, folder: Path, *words: str) -> Command:
    return Command(words, project.root, _environment(project, folder), timeout_s)


def _environment(project: Project, folder: Path) -> dict[str, str]:
    """Return the variables of cargo in the copy, which keep what it builds there apart from all else."""
    home = Path.home()
    environment = {
        **cargo_environment(project),
        "CARGO_HOME": os.environ.get("CARGO_HOME") or str(home / ".cargo"),
        "RUSTUP_HOME": os.environ.get("RUSTUP_HOME") or str(home / ".rustup"),
        "CARGO_INCREMENTAL": "0",
        "VERIFY_LSP_MUTANT": "",
    }
    if given := _given_flags():
        environment["RUSTDOCFLAGS"] = " ".join([given, *LENIENT])
    if has_own_wrapper(project):
        return {**environment, "CARGO_TARGET_DIR": str(folder / "target")}
    if has_unlisted_crates(project.folder):
        environment["CARGO_TARGET_DIR"] = str(folder / "target")
    else:
        environment["CARGO_TARGET_DIR"] = str(project.cache / "target")
    return {**environment, "RUSTC_WORKSPACE_WRAPPER": str(folder / "rustc")}


def _suite() -> tuple[str, ...]:
    """Return cargo's command. Where the user gives rustdoc flags by the environment, cargo reads no others."""
    return _SUITE if _given_flags() else (*_SUITE, "--config", f"build.rustdocflags={json.dumps(LENIENT)}")


def _given_flags() -> str:
    return os.environ.get("RUSTDOCFLAGS", "")


def _python(name: str) -> tuple[str, ...]:
    return (sys.executable, "-E", "-s", "-S", "-B", str(_INJECTED / f"{name}.py"))


def _survey(folder: Path) -> tuple[str, ...]:
    return (*_python("verify_lsp_survey"), str(folder), RESULTS, str(_INJECTED / "verify_lsp_program.py"), "--")


def _reached(result: CommandResult) -> Mapping[int, tuple[str, ...]]:
    told = json.loads(result.files.get("reached.json", "{}"))
    return {int(number): tuple(names) for number, names in told.items()}


def _trial(command: _MakeCommand, folder: Path, number: int, names: tuple[str, ...]) -> tuple[Command, ...]:
    """Examples in comments come last: where their programs could not be kept, rustdoc compiles them anew."""

    def suite(*words: str) -> Command:
        asked = command(*_suite(), *words)
        return attrs.evolve(asked, env={**asked.env, "VERIFY_LSP_MUTANT": str(number)})

    if not names:
        return (suite(),)
    programs = tuple(name for name in names if name != _EXAMPLES)
    commands = [_tries(command, folder, ((number, programs),))] if programs else []
    return (*commands, suite("--doc")) if _EXAMPLES in names else tuple(commands)


def _tries(command: _MakeCommand, folder: Path, tries: tuple[Try, ...]) -> Command:
    asked = command(*_python("verify_lsp_tries"), str(folder), RESULTS)
    return attrs.evolve(asked, support={_TRIES: json.dumps([each for each in tries if _EXAMPLES not in each[1]])})


def _read(project: Project, result: CommandResult) -> TestRun:
    tried = list(_tried(result))
    if not tried and "reached.json" not in result.files and not result.stdout:
        return TestRun("unusable", reason="the tests with a mutant came to no result")
    if tried:
        return tried[0][1] or TestRun("unusable", reason="the tests did not end in time")
    return without_quitters(read_test_run(project, result), result)


def without_quitters(run: TestRun, result: CommandResult) -> TestRun:
    """Return the run; an unusable one where all that fails are programs that ended with success before their tests.

    Whoever looks at the exit code alone sees tests that pass: nobody has noticed anything.
    """
    quits = result.exit_code == 0 and run.verdict == "failed"
    return TestRun("unusable", reason=_QUIT) if quits and all(map(_did_not_end, run.failures())) else run


_QUIT = "the test program ended with success before its tests did"


def _did_not_end(case: TestCase) -> bool:
    return case.id.endswith(DID_NOT_END)


def _read_together(result: CommandResult) -> Mapping[Try, TestRun | None]:
    return dict(_tried(result))


def _tried(result: CommandResult) -> list[tuple[Try, TestRun | None]]:
    found: list[tuple[Try, TestRun | None]] = []
    for line in result.files.get(_TRIED, "").split("\n"):
        try:
            told = json.loads(line)
        except ValueError:
            continue
        found.append(((told["number"], tuple(told["names"])), _run(told["outcome"], told["by"])))
    return found


def _run(outcome: str, by: str) -> TestRun | None:
    match outcome:
        case "passed":
            return TestRun("passed")
        case "failed":
            return TestRun("failed", failed=1, cases=(TestCase(by, "failed"),))
        case "timeout":
            return None
        case "quit":
            return TestRun("unusable", reason=_QUIT)
        case _:
            return TestRun("unusable", reason=f"{by} could not be run by itself")


def _expands_macros(project: Project, path: str) -> bool:
    """Return whether the code of a file runs while others are compiled, where nothing notes what it reaches."""
    file = project.folder / path
    crates = [crate for crate in members(project.folder) or (project.folder,) if file.resolve().is_relative_to(crate)]
    if not crates:
        return False
    library = table(read_manifest(max(crates, key=lambda crate: len(crate.parts))), "lib")
    return library.get("proc-macro") is True or library.get("proc_macro") is True
