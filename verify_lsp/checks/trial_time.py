"""How long tests with mutants on may run: each likened to a run without any, and all together one time limit of the run."""

import time
from pathlib import Path

import attrs

from verify_lsp.checks.base import Runner
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.mutant import TRIAL_FACTOR, TRIAL_LEAST_S

_SHORTEST_S = 1.0


class TrialTime:
    """The time of one project's mutants, from now on.

    Args:
        whole_s: For all of them together.
    """

    def __init__(self, whole_s: float) -> None:
        self._ends = time.monotonic() + whole_s
        self.limit_s = TRIAL_LEAST_S

    def liken(self, plain: CommandResult) -> None:
        """Let each take a multiple of what the tests took without any."""
        self.limit_s = max(TRIAL_FACTOR * plain.duration_ms / 1000, TRIAL_LEAST_S)

    @property
    def left_s(self) -> float:
        """Seconds that are left for all."""
        return self._ends - time.monotonic()

    @property
    def is_up(self) -> bool:
        """Whether too little is left for anything to be tried."""
        return self.left_s < _SHORTEST_S

    async def run(self, run: Runner, command: Command, place: Path) -> CommandResult | None:
        """Run the tests with one mutant on; None where the time that is left is too short for an answer."""
        left = self.left_s
        if left < min(_SHORTEST_S, self.limit_s):
            return None
        result = await run(attrs.evolve(command, timeout_s=min(self.limit_s, left)), place)
        return None if result.timed_out and left < self.limit_s else result
