"""Running the tests of a JavaScript or TypeScript project with mutants built in, in a copy of it."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.model.command import RESULTS, Command, CommandResult
from verify_lsp.model.testrun import TestCase, TestRun
from verify_lsp.toolchains.base import BuiltIn, Project
from verify_lsp.toolchains.node.testing.together import Driver, read_together, together
from verify_lsp.toolchains.node.testing.trials import TrialArgv
from verify_lsp.toolchains.output import plain, relative_path

_HERE = Path(__file__).parent
_FILES = {
    "mutants.cjs": "",
    "over.cjs": "",
    "relink.cjs": "",
    "shares.cjs": "",
    "watchdog.cjs": "",
    "vitest_mutants.mjs": "",
    "vitest_waves.mjs": "",
    "jest_mutants.cjs": "",
    # What lies below such a folder, vitest leaves to Node.
    "vitest_turns.mjs": "node_modules/verify-lsp",
}
REACHED = "reach/reached.ndjson"
"""What processes noted of the mutants that they reach, below the private folder of a run."""

_QUIT = "quit"
_PLACE = re.compile(r"((?:[A-Za-z]:)?[^\s():'\"]+\.(?:[cm]?[jt]sx?))(?:\((\d+),\d+\)|:(\d+)(?::\d+)?)")


@attrs.frozen
class Suite:
    """The tests as they run without mutants.

    Attributes:
        project: Its root is what paths of changed files are relative to.
        owner: The project of the package whose script runs the tests.
        command: Of the whole suite.
        parse: Reads what such a command came to.
        prepare: Commands that make what the tests read.
        argv: From a private folder (absolute) to the words of runs with mutants.
        driver: What tries many mutants in one process, likewise; None where each takes a process.
    """

    project: Project
    owner: Project
    command: Command
    parse: Callable[[CommandResult], TestRun]
    prepare: tuple[Command, ...]
    argv: Callable[[Path], TrialArgv]
    driver: Callable[[Path], Driver | None] = lambda _folder: None


def built_in(suite: Suite, folder: Path) -> BuiltIn:
    """Return how the suite is tried; `folder` is private, absolute, and stands until all mutants were tried."""
    argv, driver = suite.argv(folder), suite.driver(folder)

    def trial(number: int, tests: tuple[str, ...]) -> tuple[Command, ...]:
        files = tuple(str(suite.owner.folder / test) for test in tests)
        switch = {"VERIFY_LSP_MUTANT": str(number), "VERIFY_LSP_QUIT": f"{RESULTS}/{_QUIT}"}
        environment = {**loaded_first(suite, folder), **switch}
        return tuple(attrs.evolve(suite.command, argv=words, env=environment) for words in argv.of(files))

    loaded = attrs.evolve(suite.command, env={**loaded_first(suite, folder), "VERIFY_LSP_TURNS": "1"})
    reaching = {**loaded_first(suite, folder), "VERIFY_LSP_MUTANT": "0", "VERIFY_LSP_REACH": f"{RESULTS}/reach"}
    support = {**suite.command.support, "reach/.verify-lsp": ""}
    return BuiltIn(
        files=lambda texts: {**_beside(folder), **{suite.project.folder / path: text for path, text in texts.items()}},
        build=(_relinked(suite, folder), *suite.prepare),
        blamed=lambda result: tuple(_blamed(suite, result)),
        survey=attrs.evolve(suite.command, argv=argv.whole, env=reaching, support=support),
        reached=lambda result: reached_by(result.files.get(REACHED, ""), suite.owner.folder),
        trial=trial,
        parse=lambda result: _read(suite, result),
        together=(lambda tries: together(driver, loaded, tries, suite.owner.folder, folder)) if driver else None,
        blind=lambda result: not result.files.get(REACHED),
        read_together=lambda result: read_together(result, suite.owner.folder),
    )


def reached_by(log: str, folder: Path) -> dict[int, tuple[str, ...]]:
    """Return the test files (relative to `folder`) that reach each mutant; none named is all of them.

    Args:
        log: A line for each first time: number, test file ("" where it is not known), and whose memory it was.
    """
    notes = [note for line in log.splitlines() if (note := _note(line)) is not None]
    files_of: dict[str, set[str]] = {}
    for _, file, world in notes:
        files_of.setdefault(world, set()).add(file)
    found: dict[int, set[str]] = {}
    for number, file, world in notes:
        # What one file has loaded or computed, the next one in the same memory may find ready.
        inside = relative_path(file, folder) if file and len(files_of[world]) == 1 else None
        found.setdefault(number, set()).add(inside or "")
    return {number: () if "" in files else tuple(sorted(files)) for number, files in found.items() if number > 0}


def _note(line: str) -> tuple[int, str, str] | None:
    try:
        note: Any = json.loads(line)
    except ValueError:
        return None
    match note:
        case [int(number), str(file), str(world)]:
            return number, file, world
        case _:
            return None


def loaded_first(suite: Suite, folder: Path) -> dict[str, str]:
    """Return the suite's variables under which each node process first loads what knows of the mutants."""
    given = suite.command.env.get("NODE_OPTIONS", "")
    first = json.dumps(str(folder / "mutants.cjs"), ensure_ascii=False)
    return {**suite.command.env, "NODE_OPTIONS": f"--require {first} {given}".strip()}


def _beside(folder: Path) -> dict[Path, str]:
    return {folder / inside / name: (_HERE / name).read_text(encoding="utf-8") for name, inside in _FILES.items()}


def _relinked(suite: Suite, folder: Path) -> Command:
    project = suite.project
    argv = ("node", str(folder / "relink.cjs"), str(project.place), str(project.workspace), project.root)
    return Command(argv=argv, env={"NODE_OPTIONS": ""}, timeout_s=suite.command.timeout_s)


def _read(suite: Suite, result: CommandResult) -> TestRun:
    """Read a run; mocha, which loads all files before the first test, reports nothing when one does not load."""
    run = suite.parse(result)
    if run.verdict == "passed" and _QUIT in result.files:
        return TestRun("unusable", reason="a test file ended its process with success before its tests had ended")
    lost = run.verdict == "failed" and not run.failures() and result.exit_code == 1
    if lost and (told := _NOT_LOADED.search(plain(result.stderr))):
        case = TestCase("the loading of the test files", "failed", message=told[1].strip())
        return attrs.evolve(run, failed=1, cases=(case,))
    return run


_NOT_LOADED = re.compile(r"^\s*Exception during run: ?(.*)", re.MULTILINE)


def _blamed(suite: Suite, result: CommandResult) -> Iterator[tuple[str, int]]:
    for path, line, other in _PLACE.findall(plain(result.stdout + "\n" + result.stderr)):
        for base in (suite.project.folder, suite.owner.folder):
            inside = relative_path(str(base / path), suite.project.folder)
            if inside is not None and (base / path).is_file() and "node_modules" not in Path(inside).parts:
                yield inside, int(line or other)
                break
