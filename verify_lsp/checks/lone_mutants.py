"""Mutants that need a process of their own: code that runs when it is loaded, tests that cannot be forked."""

import attrs

from verify_lsp.checks.base import CheckContext, RanTrial
from verify_lsp.checks.trial_time import TrialTime
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.mutant import MutantResult, MutationRun
from verify_lsp.model.testrun import TestRun
from verify_lsp.mutation.alone import fate_alone

_NO_MUTANT = -1


async def decided_alone(context: CheckContext, ran: RanTrial, told: MutationRun) -> MutationRun:
    """Return `told` with the mutants decided that were left to processes of their own, as far as time allows."""
    if not told.alone:
        return told
    lone = _Lone(context, ran)
    for position in told.alone:
        await lone.decide(position)
    await lone.sing()
    stopped = told.stopped
    if lone.undecided:
        stopped = f"the time limit left no room for {lone.undecided} of {len(ran.trial.order.mutants)} mutants"
    return attrs.evolve(
        told,
        results={**told.results, **lone.results},
        stopped=stopped,
        unreached={**told.unreached, **lone.unreached},
    )


class _Lone:
    """The runs of one project's tests with one mutant on each. All of them together take one time limit at most."""

    def __init__(self, context: CheckContext, ran: RanTrial) -> None:
        self._context = context
        self._ran = ran
        self._time = TrialTime(context.timeout_s)
        self._time.liken(ran.result)
        self._control: str | None = None
        self.results: dict[int, MutantResult] = {}
        self.unreached: dict[str, str] = {}
        self.undecided = 0

    async def decide(self, position: int) -> None:
        """Run the tests with one mutant on; where they fail, once without any in the same surroundings."""
        mutant = self._ran.trial.order.mutants[position]
        answer = await self._run(self._ran.trial.step.alone(position))
        if answer is None:
            self.undecided += 1
            return
        result = fate_alone(mutant, *answer)
        if result.status in {"killed", "timeout"} and (why := await self._unsteady()) is not None:
            result = MutantResult(mutant, "error", reason=why)
        self.results[position] = result

    async def sing(self) -> None:
        """Where no mutant of a file was noticed, see whether an error in the place of the whole file would be."""
        mutants = self._ran.trial.order.mutants
        for path in {mutants[position].path for position in self.results}:
            results = {n: result for n, result in self.results.items() if mutants[n].path == path}
            statuses = {result.status for result in results.values()}
            if "survived" not in statuses or "killed" in statuses:
                continue
            answer = await self._run(self._ran.trial.step.canary(next(iter(results))))
            if answer is not None and answer[0].verdict == "passed":
                self.unreached[path] = "the tests pass as well with an error in the place of the whole file"

    async def _unsteady(self) -> str | None:
        """Say why a failure says nothing here, because the tests fail without any mutant as well; "" when they pass."""
        if self._control is None:
            answer = await self._run(self._ran.trial.step.alone(_NO_MUTANT))
            if answer is None:
                self._control = "the time limit left no room for a run without it to compare with"
            elif answer[0].verdict != "passed":
                self._control = "the tests fail without it as well when they run with a home folder of their own"
            else:
                self._control = ""
        return self._control or None

    async def _run(self, command: Command) -> tuple[TestRun, CommandResult] | None:
        """Return None where the time that is left is too short for an answer."""
        result = await self._time.run(self._context.run, command, self._ran.place)
        return None if result is None else (self._ran.parse(result), result)
