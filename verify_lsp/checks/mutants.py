"""Which mutants of a change are tried on which project's tests."""

import anyio

from verify_lsp.checks.base import CheckContext, ProjectOf, Trial
from verify_lsp.checks.mutant_memory import known_fates
from verify_lsp.model.mutant import Mutant, MutationOrder
from verify_lsp.toolchains.base import TestStep

_SHARE, _SPARE_S = 0.8, 8.0
"""Mutants must have been tried by this part of a run's time limit less these seconds, so that they never are the reason
why the tests do not end in time."""


async def trial_of(context: CheckContext, owner: ProjectOf, step: TestStep, *, apart: bool = False) -> Trial | None:
    """Return a project's tests with the mutants of the change in them; None where there is nothing to try.

    Args:
        apart: For a run that is made for the mutants alone, see `TestStep.mutation`.
    """
    settings = context.settings
    if step.mutation is None or not settings.mutation_testing or settings.test_command:
        return None
    order = await order_of(context, owner)
    return None if order is None else Trial(step.mutation(order, apart), order)


async def order_of(context: CheckContext, owner: ProjectOf) -> MutationOrder | None:
    """Return the mutants to try in a project, with all that must be known for it; None where there is none."""
    mutants = await mutants_in(context, owner)
    root = owner.project.prefix
    paths = {root + mutant.path for mutant in mutants}
    texts = {
        file.path.removeprefix(root): file.after
        for file in context.change.files
        if file.after is not None and file.path in paths
    }
    limit_s = context.timeout_s * _SHARE - _SPARE_S
    return MutationOrder(mutants, texts, limit_s, known_fates(owner)) if mutants else None


async def mutants_in(context: CheckContext, owner: ProjectOf) -> tuple[Mutant, ...]:
    """Return the mutants to try in a project, paths relative to its root; `mutationMaxMutants` is for all projects."""
    import attrs

    mutants = await _planned(context, {path for each in context.projects for path in _paths(each)})
    own, root = set(_paths(owner)), owner.project.prefix
    return tuple(attrs.evolve(mutant, path=mutant.path.removeprefix(root)) for mutant in mutants if mutant.path in own)


async def left_out(context: CheckContext, owner: ProjectOf) -> bool:
    """Whether a project without a mutant to try would have one, had other projects not taken them all."""
    return len(await _planned(context, set(_paths(owner)))) > 0


async def _planned(context: CheckContext, changed: set[str]) -> tuple[Mutant, ...]:
    from verify_lsp.mutation.plan import planned

    limit = context.settings.mutation_max_mutants

    # A large change takes a while to be read, in which a run must stay cancellable.
    return await anyio.to_thread.run_sync(lambda: planned(context.change, limit, changed))


def _paths(owner: ProjectOf) -> list[str]:
    return [owner.project.prefix + path for path in owner.project.changed]
