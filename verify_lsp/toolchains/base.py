"""The shape of a toolchain. It says what to run and reads what came back; it runs nothing.

A facet is a function from a `Project` to a step or to `Absent`. A step carries its command and the
parser for its answer, so that adding a language means adding one folder.
"""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Literal

import attrs

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.model.mutant import MutationOrder, MutationRun
from verify_lsp.model.testrun import TestRun

Language = Literal["python", "node", "go", "rust"]


@attrs.frozen
class Project:
    """One root of one language inside the workspace, with the files of the change that belong to it.

    Attributes:
        place: Absolute folder that commands run under: the workspace or a shadow copy of it.
        workspace: Absolute folder of the user's workspace; differs from `place` for a shadow copy.
        root: The project's folder relative to `place`, POSIX style; "." is the workspace itself.
        changed: Files of the change below `root` that exist after it, relative to `root`.
        deleted: Files of the change below `root` that are gone, relative to `root`.
        path: The PATH that programs are searched on.
        cache: Absolute private folder for the tools' own caches, kept from run to run.
    """

    place: Path
    workspace: Path
    root: str
    changed: tuple[str, ...]
    path: str
    cache: Path
    deleted: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """The project's absolute folder."""
        return self.place / self.root

    @property
    def prefix(self) -> str:
        """What stands before the project's paths in the workspace's: empty, or ending in "/"."""
        return "" if self.root == "." else self.root + "/"

    @property
    def home(self) -> Path:
        """The project's absolute folder in the user's workspace (where `.venv` and `node_modules` are)."""
        return self.workspace / self.root


@attrs.frozen
class Absent:
    """The facet has nothing to run here.

    Attributes:
        reason: A sentence part: "no tests are configured in web".
        needless: True when nothing is configured; False when something should run but cannot
            (its tool is not installed), so that it stays unverified.
    """

    reason: str
    needless: bool


@attrs.frozen
class Unreadable:
    """The tool ran, but its answer cannot be used. Never the same as "no problems".

    Attributes:
        broke: True when the tool itself failed; False when there was nothing to look at.
    """

    reason: str
    broke: bool = True


@attrs.frozen
class ProblemStep:
    """A type check, a compile check or a linter.

    Attributes:
        tool: Its name, as people know it.
        parse: Problems with paths relative to the project's root.
        whole_project: False when only the changed files were looked at.
        version: A command that prints the tool's version on its first line.
        unseen: Changed files, relative to the project's root, that the tool did not look at although
            they are of its kind (left out by its configuration); empty where the tool does not say.
        unseen_by_choice: True where the project's configuration leaves files out, as its people want it; False
            where nothing asks for them, which nobody wants (a Rust file without its `mod`).
        proves: `compile` for a tool that only parses or compiles, and knows nothing of types.
        unverified: What stays open because this tool stands in for a better one, in plain words ("types,
            because mypy is configured, but not installed").
    """

    tool: str
    command: Command
    parse: Callable[[CommandResult], tuple[Problem, ...] | Unreadable]
    whole_project: bool = True
    version: Command | None = None
    unseen: Callable[[CommandResult], tuple[str, ...]] = lambda _result: ()
    unseen_by_choice: bool = True
    proves: Literal["types", "compile"] = "types"
    unverified: tuple[str, ...] = ()


@attrs.frozen
class MutationStep:
    """How a suite runs with mutants in it. No file is written with one.

    Attributes:
        command: The suite's own run, none of the mutants on, in which they are tried when the tests have ended;
            what it leaves reads as the suite's own run does.
        read: What became of the mutants in it.
        alone: The whole suite up to its first failure, with one mutant on, named by its position in the order.
        canary: Likewise, with an error in the place of that mutant's whole file.
    """

    command: Command
    read: Callable[[CommandResult], MutationRun]
    alone: Callable[[int], Command]
    canary: Callable[[int], Command]


Try = tuple[int, tuple[str, ...]]
"""The number of a mutant, and the names of what runs over it."""


@attrs.frozen
class BuiltIn:
    """How a suite is tried with mutants that the code has in it all at once, behind a switch in the environment.

    Numbers of mutants are their places in the order, from 1; 0 is none of them. Paths are relative to the project's root.

    Attributes:
        files: From the texts of changed files, by path, to all that must stand on disk, by absolute path: below the
            private folder that the step was made for, or below the project's place where that is a copy.
        build: Commands that make what the tests run of these files, once; none where nothing is built.
        blamed: The places (path, line) in these texts that a build which failed complains about; a path that is not
            among the texts, or no place at all, says that the reason is not known.
        survey: The whole suite with no mutant on, its processes noting which mutants they reach.
        shown: The survey's command as people know it, for reports; None where it is just that.
        reached: What runs over each mutant that is reached at all, by number: names as `trial` takes them.
        counted: Numbers of the mutants for which each name of `reached` is a single test that surely reaches it: not a
            file or a program, nor one that only ran at the time.
        trial: Commands, run in turn until one fails, by which the things named run with one mutant on, up to their
            first failure; none named is the whole suite.
        parse: Reads what `survey` or a command of `trial` came to.
        together: Tries many (a number, and what runs over that mutant) in one command; None where each takes its own.
        read_together: How the tests ended for each of these, None where they ran past their time; what it leaves
            out is tried by `trial`.
        apart: Whether the mutants of a file (its path) cannot be switched, although its language could: its code runs
            while others are compiled.
        before: From the test that noticed a mutant, as it is printed, and what was run, to what of it must run without
            the mutant to see that test pass likewise: itself and what came before it.
        instead: From a survey and the paths of the files to the step to go on with, where that survey does not show
            that the tests ran the texts which this step gave out; None where it does.
        spent: Whether a trial was ended for the processor time that it took.
        needed: What of `build` the tests cannot do without, where the rest only says which mutants compile; None where
            they need all of it.
        prepares: Whether `build` runs the user's `preTestCommand`.
        asked: Whether the mutant that was on in a trial was asked for by any process of it, as far as that is looked at.
        tells: Whether tests that passed said so much of themselves that those which fail with a mutant would be named.
        written: What a run says of a mutant that stands in the text itself: who builds or checks texts may have failed.
    """

    files: Callable[[Mapping[str, str]], Mapping[Path, str]]
    build: tuple[Command, ...]
    blamed: Callable[[CommandResult], tuple[tuple[str, int], ...]]
    survey: Command
    reached: Callable[[CommandResult], Mapping[int, tuple[str, ...]]]
    trial: Callable[[int, tuple[str, ...]], tuple[Command, ...]]
    parse: Callable[[CommandResult], TestRun]
    shown: Command | None = None
    counted: Callable[[CommandResult], frozenset[int]] = lambda _result: frozenset()
    together: Callable[[tuple[Try, ...]], Command] | None = None
    read_together: Callable[[CommandResult], Mapping[Try, TestRun | None]] = lambda _result: {}
    apart: Callable[[str], bool] = lambda _path: False
    blind: Callable[[CommandResult], bool] = lambda _result: False
    before: Callable[[str, tuple[str, ...]], tuple[str, ...]] = lambda _noticed, names: names
    instead: Callable[[CommandResult, Collection[str]], "BuiltIn | None"] = lambda _result, _paths: None
    spent: Callable[[CommandResult], bool] = lambda _result: False
    needed: tuple[Command, ...] | None = None
    prepares: bool = False
    asked: Callable[[CommandResult], bool] = lambda _result: True
    tells: Callable[[TestRun], bool] = lambda _run: True
    written: Callable[[TestRun], TestRun] = lambda run: run


@attrs.frozen
class TestStep:
    """A test command.

    Attributes:
        prepare: Commands that must succeed first, such as a build that the tests import.
        parse: Reads the structured report where the tool wrote one, else its anchored summary.
        only: The command that runs just these test ids, or None where the tool cannot.
        mutation: How mutants are tried; None for a tool that we cannot do this with. A second run, asked for by
            `apart`, is one process where the suite's own run would be spread over several.
        built_in: How mutants are tried that must be built in, in a private folder (absolute) that stands until all
            were; None for a tool that we cannot do this with.
        in_copy: Whether `built_in` may write texts with mutants into the project, which then must be a copy.
    """

    __test__ = False

    tool: str
    command: Command
    parse: Callable[[CommandResult], TestRun]
    prepare: tuple[Command, ...] = ()
    only: Callable[[tuple[str, ...]], Command | None] = lambda _ids: None
    version: Command | None = None
    mutation: Callable[[MutationOrder, bool], MutationStep] | None = None
    built_in: Callable[[Path], BuiltIn] | None = None
    in_copy: bool = False


@attrs.frozen
class LanguageServer:
    """A language server installed on this machine.

    Attributes:
        languages: File extension, with the dot, to LSP language id.
        settings: Answer to `workspace/configuration`, by section ("" is the whole).
        settles_by: What proves that it has looked at everything it was shown: answers to pulled diagnostics
            (`pull`), a push for each opened document (`push`), or either of them after its own word that it
            is idle, `experimental/serverStatus` or the end of all its progress (`progress`).
        barrier: For servers that push in several steps: an absolute path to a command of the server's (name
            and arguments) whose answer comes only when that file was looked at.
    """

    tool: str
    command: Command
    languages: Mapping[str, str]
    initialization_options: Mapping[str, object] = attrs.field(factory=dict)
    settings: Mapping[str, object] = attrs.field(factory=dict)
    settles_by: Literal["pull", "push", "progress"] = "push"
    barrier: Callable[[str], tuple[str, list[object]]] | None = None


@attrs.frozen
class Tools:
    """What is done with a project of a language.

    Attributes:
        root_of: Path of a changed file, and the workspace's folder, to the root (relative, "." for
            the workspace) that owns the file; None when no root does.
        parse_tests: Reads the output of a custom `testCommand`; None when it is not this tool's.
        tests_by: From a project and the user's own command, as a step that runs in the workspace's folder, to that step with
            what is needed to try mutants by it: `built_in` is None where they cannot be. Where the command is just the
            project's own tests, the step of these.
        copy_because: Why commands must run in a shadow copy even where the verified content is what is on
            disk: what the tools would write into the user's tree ("cargo would create Cargo.lock").
            None where they write nothing there.
    """

    root_of: Callable[[Path, str], str | None]
    project_check: Callable[[Project, float], ProblemStep | Absent]
    tests: Callable[[Project, float], TestStep | Absent]
    lint: Callable[[Project, float], ProblemStep | Absent]
    language_server: Callable[[Project], LanguageServer | Absent]
    parse_tests: Callable[[CommandResult], TestRun | None]
    tests_by: Callable[[Project, TestStep], TestStep | Absent] = lambda _project, step: step
    copy_because: Callable[[Project], str | None] = lambda _project: None


@attrs.frozen
class Toolchain:
    """A language, and how to come by its tools: a change meets few of the languages, and each takes a while to load.

    Attributes:
        extensions: With the leading dot, lower case.
        manifests: File names that make a folder a root, strongest first.
        load: Returns the tools, the same ones each time.
        heavy: Folders that a shadow copy links instead of copying.
    """

    language: Language
    title: str
    extensions: frozenset[str]
    manifests: tuple[str, ...]
    load: Callable[[], Tools]
    heavy: frozenset[str] = frozenset()

    @property
    def tools(self) -> Tools:
        """The tools of the language."""
        return self.load()
