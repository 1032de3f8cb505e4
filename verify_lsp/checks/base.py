"""The shape of a check, and what a check is given."""

import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

import attrs

from verify_lsp.model.change import Change
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.finding import CheckKind, Problem
from verify_lsp.model.mutant import MutationOrder
from verify_lsp.model.outcome import CheckOutcome
from verify_lsp.model.testrun import TestRun
from verify_lsp.settings.settings import Settings
from verify_lsp.toolchains.base import MutationStep, Project, Toolchain

Runner = Callable[[Command, Path], Awaitable[CommandResult]]
"""Runs one command in a place (absolute folder); raises nothing for what the command does."""

DiagnosticsSource = Callable[[tuple[str, ...]], Awaitable[Mapping[str, tuple[Problem, ...]]]]
"""Asks the editor's other language servers: workspace-relative paths to the problems of each path."""

BaseTree = Callable[[], AbstractAsyncContextManager[Path]]
"""Lays out the content before the change; gives the folder that stands for the workspace."""


@attrs.frozen
class ProjectOf:
    """A project together with its toolchain."""

    toolchain: Toolchain
    project: Project

    @property
    def title(self) -> str:
        """How people call it: "Python", or "Python in services/api"."""
        name = self.toolchain.title
        return name if self.project.root == "." else f"{name} in {self.project.root}"


@attrs.frozen
class Trial:
    """A project's own tests with mutants in the code that they run, and which mutants these are."""

    step: MutationStep
    order: MutationOrder


@attrs.frozen
class RanTrial:
    """What the tests showed with every mutant off, and what came back, with what was left about the mutants.

    Attributes:
        parse: Reads a run of the same tests with a mutant on.
        place: Absolute folder that they run in.
    """

    trial: Trial
    run: TestRun
    result: CommandResult
    parse: Callable[[CommandResult], TestRun]
    place: Path


@attrs.frozen
class CheckContext:
    """All that a check may use.

    Attributes:
        workspace: Absolute folder of the user's workspace.
        place: Absolute folder commands run in: the workspace, or a shadow copy with the verified content.
        projects: The language projects that the change touches, in the order of their roots.
        homeless: Sentence parts on changed files of known languages that belong to no project.
        offline: True when no network may be used.
        base_tree: None where there is nothing before the change.
        base_cache: Private folder for what was measured at this base commit; None without one.
        collect_diagnostics: The editor's other language servers; None outside an editor.
        wanted: All checks of this run, so that one can leave for another what takes long to get.
        trials: What the tests check leaves for the mutation check, by the title of the project.
        test_runs: How each project's own tests ended in this run, by the title of the project; how the user's own
            command did, by "testCommand".
        begun: When the run began, in seconds since the epoch.
    """

    workspace: Path
    place: Path
    change: Change
    projects: tuple[ProjectOf, ...]
    settings: Settings
    run: Runner
    homeless: tuple[str, ...] = ()
    offline: bool = False
    base_tree: BaseTree | None = None
    base_cache: Path | None = None
    collect_diagnostics: DiagnosticsSource | None = None
    wanted: frozenset[CheckKind] = frozenset()
    trials: dict[str, RanTrial] = attrs.field(factory=dict)
    test_runs: dict[str, TestRun] = attrs.field(factory=dict)
    begun: float = attrs.field(factory=time.time, eq=False)

    @property
    def timeout_s(self) -> float:
        """Seconds that one command may take."""
        return float(self.settings.timeout_secs)


class CheckModule(Protocol):
    """A check is a module with these names."""

    @property
    def KIND(self) -> CheckKind:  # noqa: N802  # a module's constant
        """Which check this is."""

    @property
    def EXECUTES(self) -> bool:  # noqa: N802  # a module's constant
        """True when it runs what a repository carries, and so needs trust."""

    async def check(self, context: CheckContext) -> CheckOutcome:
        """Look, and say what was seen. Raises nothing that the user could have caused."""
