"""Running the checks of one run; nothing that a check raises gets past here."""

import logging
import time
from collections.abc import Callable, Sequence

import anyio
import attrs

from verify_lsp.checks.base import CheckContext, CheckModule
from verify_lsp.model.errors import VerifyError
from verify_lsp.model.finding import CheckKind
from verify_lsp.model.outcome import Broke, CheckOutcome, Skipped

log = logging.getLogger(__name__)

# Tests take long and leave the processor idle at times; the other checks go beside them, one after another.
_LANES: tuple[frozenset[CheckKind], ...] = (frozenset({"tests", "mutation"}),)


@attrs.frozen
class Timed:
    """An outcome and how long it took."""

    outcome: CheckOutcome
    duration_ms: int


Started = Callable[[CheckKind], None]
Ended = Callable[[CheckKind, Timed], None]


async def run_checks(
    context: CheckContext, checks: Sequence[CheckModule], *, trusted: bool, started: Started, ended: Ended
) -> dict[CheckKind, Timed]:
    """Run the checks, two at a time at most; return their outcomes in the order of `checks`."""
    outcomes: dict[CheckKind, Timed] = {}

    async def lane(members: Sequence[CheckModule]) -> None:
        for module in members:
            started(module.KIND)
            begun = time.monotonic()
            outcome = await _guarded(context, module, trusted=trusted)
            timed = Timed(outcome, round((time.monotonic() - begun) * 1000))
            outcomes[module.KIND] = timed
            ended(module.KIND, timed)

    slow = [module for module in checks if any(module.KIND in kinds for kinds in _LANES)]
    quick = [module for module in checks if module not in slow]
    async with anyio.create_task_group() as group:
        group.start_soon(lane, quick)
        group.start_soon(lane, slow)
    return {module.KIND: outcomes[module.KIND] for module in checks}


async def _guarded(context: CheckContext, module: CheckModule, *, trusted: bool) -> CheckOutcome:
    if module.EXECUTES and not trusted:
        return Skipped("the workspace is not trusted, so nothing of it was run (see: verify-lsp trust)")
    try:
        return await module.check(context)
    except VerifyError as error:
        return Broke(str(error))
    except Exception as error:
        log.exception("check %s has a bug", module.KIND)
        return Broke(f"internal error, please report it: {type(error).__name__}")
