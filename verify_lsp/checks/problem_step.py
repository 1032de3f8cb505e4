"""Running a type check or a linter over one project, now and at the base."""

from collections.abc import Callable

import attrs

from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.checks.before import ToldApart, tell_apart
from verify_lsp.checks.parts import output_of
from verify_lsp.checks.places import in_workspace
from verify_lsp.checks.tooling import evidence, named, tool_info, unanswered
from verify_lsp.model.command import CommandResult
from verify_lsp.model.fact import Evidence
from verify_lsp.model.finding import Problem
from verify_lsp.model.outcome import Broke, Skipped, ToolInfo
from verify_lsp.toolchains.base import Absent, ProblemStep, Project, Unreadable

Facet = Callable[[Project, float], ProblemStep | Absent]


@attrs.frozen
class Looked:
    """A step that gave an answer.

    Attributes:
        told: Its problems, told apart, with paths relative to the workspace.
    """

    step: ProblemStep
    tool: ToolInfo
    result: CommandResult
    told: ToldApart

    @property
    def command(self) -> str:
        """The command as a person would type it."""
        return self.step.command.shown()

    @property
    def output(self) -> str | None:
        """The end of what it printed."""
        return output_of(self.result)

    def unknown_before(self, what: str) -> tuple[str, ...]:
        """Return a sentence part on why it is not known which of `what` are new; () where it is."""
        why = self.told.unknown
        return (f"which {what} are new, because at the base {why}",) if why else ()

    @property
    def unseen(self) -> tuple[str, ...]:
        """Sentence parts on changed files of its kind that the tool did not look at."""
        return tuple(f"{self.step.tool} did not look at {name}" for name in self.step.unseen(self.result))

    @property
    def named(self) -> str:
        """The tool with its version."""
        return named(self.tool)

    def evidence(self, metrics: dict[str, float | None]) -> Evidence:
        """Return what stands behind a fact about this look."""
        return evidence(self.tool, self.step.command, self.result, metrics)


async def look(
    context: CheckContext, owner: ProjectOf, facet: Facet, timeout_s: float, *, keep: Callable[[Problem], bool]
) -> Looked | Skipped | Broke:
    """Run the facet's step in the project, and at the base where there is something to tell apart.

    Args:
        keep: Which problems, with paths relative to the workspace, are of interest.
    """
    project = owner.project
    step = facet(project, timeout_s)
    if isinstance(step, Absent):
        return Skipped(step.reason, needless=step.needless)
    result = await context.run(step.command, project.place)
    if why := unanswered(step.tool, result, timeout_s):
        return Skipped(why, command=step.command.shown(), output=output_of(result))
    tool = await tool_info(context, project, step.tool, step.command, step.version)
    parsed = step.parse(result)
    if isinstance(parsed, Unreadable):
        return _unreadable(parsed, step, result, tool)
    problems = tuple(p for p in (in_workspace(problem, project.root) for problem in parsed) if keep(p))

    async def measure(base: Project) -> tuple[Problem, ...] | Unreadable:
        return await _measure(context, base, facet, timeout_s)

    key = f"{step.tool} {tool.version} {step.command.argv}"
    told = await tell_apart(context, owner, key, problems, measure)
    return Looked(step, tool, result, told)


async def _measure(
    context: CheckContext, base: Project, facet: Facet, timeout_s: float
) -> tuple[Problem, ...] | Unreadable:
    step = facet(base, timeout_s)
    if isinstance(step, Absent):
        # The tool was not configured before, so that nothing it says now was there for the user to see.
        return Unreadable(step.reason) if not step.needless else ()
    result = await context.run(step.command, base.place)
    if why := unanswered(step.tool, result, timeout_s):
        return Unreadable(why)
    return step.parse(result)


def _unreadable(parsed: Unreadable, step: ProblemStep, result: CommandResult, tool: ToolInfo) -> Skipped | Broke:
    command, output = step.command.shown(), output_of(result)
    if parsed.broke:
        return Broke(parsed.reason, command=command, output=output, tools=(tool,))
    return Skipped(parsed.reason, command=command, output=output, tools=(tool,))
