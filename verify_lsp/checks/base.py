"""The shape of a check, and what a check is given."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

import attrs

from verify_lsp.model.change import Change
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.finding import CheckKind, Problem
from verify_lsp.model.outcome import CheckOutcome
from verify_lsp.settings.settings import Settings
from verify_lsp.toolchains.base import Project, Toolchain

Runner = Callable[[Command, Path], Awaitable[CommandResult]]
"""Runs one command in a place (absolute folder)."""

DiagnosticsSource = Callable[[tuple[str, ...]], Awaitable[Mapping[str, tuple[Problem, ...]]]]
"""Asks the editor's other language servers: workspace-relative paths to the problems of each path."""


@attrs.frozen
class ProjectOf:
    """A project together with its toolchain."""

    toolchain: Toolchain
    project: Project


@attrs.frozen
class BaseTree:
    """The content before the change, laid out for commands to run in.

    Attributes:
        place: Absolute folder that stands for the workspace at the base commit.
    """

    place: Path


@attrs.frozen
class CheckContext:
    """All that a check may use.

    Attributes:
        workspace: Absolute folder of the user's workspace.
        place: Absolute folder commands run in: the workspace, or a shadow copy with the verified content.
        projects: The language projects that the change touches, in the order of their roots.
        run: Runs a command; never raises for what the command does.
        base_tree: Lays out the base commit when first entered; None where there is no base.
        base_cache: Private folder for what was measured at this base commit; None without a base.
        collect_diagnostics: The editor's other language servers; None outside an editor.
        trusted: False when nothing of the repository may be executed.
        offline: True when no network may be used.
    """

    workspace: Path
    place: Path
    change: Change
    projects: tuple[ProjectOf, ...]
    settings: Settings
    run: Runner
    trusted: bool
    offline: bool
    base_tree: Callable[[], AbstractAsyncContextManager[BaseTree]] | None = None
    base_cache: Path | None = None
    collect_diagnostics: DiagnosticsSource | None = None


class CheckModule(Protocol):
    """A check is a module with these two names."""

    @property
    def KIND(self) -> CheckKind:  # noqa: N802  # a module's constant
        """Which check this is."""

    async def check(self, context: CheckContext) -> CheckOutcome:
        """Look, and say what was seen. Raises nothing that the user could have caused."""
