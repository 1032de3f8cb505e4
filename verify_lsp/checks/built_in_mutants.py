"""Mutants that are built into the code all at once, and switched on one at a time."""

from collections.abc import Mapping, Sequence

import attrs

from verify_lsp.checks.base import CheckContext
from verify_lsp.checks.mutant_builds import MutantBuilds
from verify_lsp.checks.mutant_room import MutantRoom
from verify_lsp.checks.trial_time import TrialTime
from verify_lsp.checks.user_line import shell_command
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.mutant import Mutant, MutantResult, MutationOrder, MutationRun
from verify_lsp.model.testrun import TestRun
from verify_lsp.mutation.alone import fate_alone
from verify_lsp.toolchains.base import BuiltIn, Try
from verify_lsp.toolchains.own_home import in_own_home


async def tried_built_in(
    context: CheckContext, room: MutantRoom, order: MutationOrder, recalled: MutationRun
) -> MutationRun:
    """Return what became of the mutants of `order`: as `recalled` says, else each tried on the tests that reach it."""
    fresh = {number + 1: mutant for number, mutant in enumerate(order.mutants) if number not in recalled.results}
    told = await _Trials(context, room, order.texts, fresh).run()
    return attrs.evolve(told, results={**recalled.results, **told.results}, keys=recalled.keys)


class _Trials:
    """The mutants of one project. All of them together take one time limit at most."""

    def __init__(
        self, context: CheckContext, room: MutantRoom, texts: Mapping[str, str], mutants: Mapping[int, Mutant]
    ) -> None:
        self._context = context
        self._place, self._is_copy = room.project.place, room.project.place != context.place
        self._builds = MutantBuilds(context, room, texts, mutants)
        self._mutants = mutants
        self._time = TrialTime(context.timeout_s)
        self._counted: frozenset[int] = frozenset()
        self._steady: dict[tuple[str, ...], str] = {}
        self._results: dict[int, MutantResult] = {}
        self._uncertain: dict[str, None] = {}
        self._blind = False
        self._instead: BuiltIn | None = None
        self._plain: str | None = None
        self._silent = False

    async def run(self) -> MutationRun:
        """Build all in, see which tests reach what, try each; then those that could not be built in beside others."""
        if (why := await self._prepared()) is not None:
            return MutationRun(stopped=why)
        inside, reached = await self._surely_built_in()
        if isinstance(reached, str) and inside and not self._time.is_up:
            inside = await self._builds.all_of(frozenset())
            reached = await self._survey()
        if isinstance(reached, str) or self._builds.is_broken:
            return MutationRun(stopped=_BROKEN if self._builds.is_broken else str(reached))
        for number in inside.difference(reached):
            self._results[number] = MutantResult(self._mutants[number], "no-coverage", tests=0)
        await self._try_all({number: reached[number] for number in sorted(inside.intersection(reached))})
        for number in sorted(self._mutants.keys() - inside):
            await self._try_apart(number)
        unreached = await self._unreached()
        left = len(self._mutants) - len(self._results)
        return MutationRun(
            results={number - 1: result for number, result in self._results.items()},
            stopped=f"the time limit left no room for {left} of {len(self._mutants)} mutants" if left else None,
            uncertain=tuple(self._uncertain),
            unreached=unreached,
        )

    @property
    def _step(self) -> BuiltIn:
        return self._builds.step

    async def _surely_built_in(self) -> tuple[frozenset[int], Mapping[int, tuple[str, ...]] | str]:
        """Build all in and survey, in the step's other ways where it is not shown that the tests run what was built in."""
        while True:
            inside = await self._builds.all_of(self._builds.switchable())
            reached = await self._survey()
            if self._instead is None:
                return inside, reached
            self._builds.step = self._instead

    async def _prepared(self) -> str | None:
        """Run `preTestCommand` where the tests run in a copy, which has nothing of what it made at home."""
        line = self._context.settings.pre_test_command
        if line is None or self._step.prepares or not self._is_copy:
            return None
        result = await self._context.run(shell_command(line, self._context.timeout_s), self._place)
        return None if result.exit_code == 0 else "preTestCommand fails in the copy that mutants are built in"

    async def _survey(self) -> Mapping[int, tuple[str, ...]] | str:
        """Run the whole suite with no mutant on; returns what reaches each, or why nothing can be told."""
        result = await self._context.run(self._step.survey, self._place)
        run = self._step.parse(result)
        self._instead = self._step.instead(result, self._builds.texts)
        if run.verdict != "passed":
            failed = f"{failures[0].id} fails" if (failures := run.failures()) else (run.reason or "they do not pass")
            return f"the tests do not pass in the place that mutants are tried in, with none of them on: {failed}"
        if self._instead is not None:
            return "it is not known whether the tests run the faults"
        self._time.liken(result)
        self._blind = self._step.blind(result)
        self._silent = not self._step.tells(run)
        self._counted = self._step.counted(result)
        return self._step.reached(result)

    async def _try_all(self, reached: Mapping[int, tuple[str, ...]]) -> None:
        """Try each built-in mutant. One that is noticed is believed when its tests pass without it, run likewise."""
        known = await self._together([(number, tests) for number, tests in reached.items()])
        self._note_steady(known)
        noticed = {tests for (_, tests), run in known.items() if run is None or run.verdict == "failed"}
        if controls := noticed.difference(self._steady):
            self._note_steady(await self._together([(0, tests) for tests in sorted(controls)]))
        for number, tests in reached.items():
            mutant = self._mutants[number]
            if (number, tests) in known:
                run = known[number, tests]
                result: MutantResult | None = (
                    fate_alone(mutant, run, _ENDED) if run else MutantResult(mutant, "timeout")
                )
            else:
                result = await self._tried(mutant, number, tests)
            if result is None:
                continue
            if result.status in {"killed", "timeout"} and (why := await self._unsteady(self._before(result, tests))):
                result = MutantResult(mutant, "error", reason=why)
            count = len(tests) if number in self._counted else None
            self._results[number] = attrs.evolve(result, tests=count, covered_by=tests)

    def _before(self, result: MutantResult, tests: tuple[str, ...]) -> tuple[str, ...]:
        """Return what must pass without a mutant for its fate to be believed."""
        known = tests in self._steady or result.killed_by is None
        return tests if known else self._step.before(result.killed_by or "", tests)

    async def _together(self, tries: Sequence[Try]) -> dict[Try, TestRun | None]:
        """Try these in one command. One that was ended is asked again for the rest, without what it stopped at."""
        known: dict[Try, TestRun | None] = {}
        waiting = list(tries)
        while self._step.together is not None and waiting and not self._time.is_up:
            command = in_own_home(self._step.together(tuple(waiting)))
            limits = {**command.env, "VERIFY_LSP_LIMIT_S": str(round(self._time.limit_s))}
            limited = attrs.evolve(command, env=limits, timeout_s=self._time.left_s)
            result = await self._context.run(limited, self._place)
            told = self._step.read_together(result)
            known.update(told)
            if result.exit_code == 0 or not told:
                break
            waiting = [each for each in waiting if each not in known]
            if None not in told.values():
                waiting = waiting[1:]
        return known

    def _note_steady(self, runs: Mapping[Try, TestRun | None]) -> None:
        for (number, tests), run in runs.items():
            if number != 0:
                continue
            if run is None:
                self._steady[tests] = "the tests that run it do not end in time without it either"
            else:
                self._steady[tests] = "" if run.verdict == "passed" else self._wavering(run)

    async def _unsteady(self, tests: tuple[str, ...]) -> str:
        """Say why a failure of these tests says nothing; empty when they pass without any mutant."""
        if tests not in self._steady:
            answer = await self._answer(0, tests)
            if answer is None:
                return "the time limit left no room for a run without it to compare with"
            self._steady[tests] = "" if answer[0].verdict == "passed" else self._wavering(answer[0])
        return self._steady[tests]

    def _wavering(self, run: TestRun) -> str:
        self._uncertain.update((case.id, None) for case in run.failures()[:3])
        return "the tests that run it fail without it as well when they run apart from the others"

    async def _tried(self, mutant: Mutant, number: int, tests: tuple[str, ...]) -> MutantResult | None:
        answer = await self._answer(number, tests)
        if answer is None:
            return None
        result = fate_alone(mutant, *answer)
        if result.status == "survived" and not self._step.asked(answer[1]):
            return MutantResult(mutant, "error", reason=_UNASKED)
        return result

    async def _answer(self, number: int, tests: tuple[str, ...]) -> tuple[TestRun, CommandResult] | None:
        """Run the commands of one trial up to the first that does not pass; None where the time left is too short."""
        answer = None
        for command in self._step.trial(number, tests):
            answer = await self._run(command)
            if answer is None or answer[0].verdict not in {"passed", "none-ran"}:
                return answer
        return answer

    async def _run(self, command: Command) -> tuple[TestRun, CommandResult] | None:
        result = await self._time.run(self._context.run, in_own_home(command), self._place)
        if result is None:
            return None
        ended = attrs.evolve(result, timed_out=True, exit_code=None) if self._step.spent(result) else result
        return self._step.parse(ended), ended

    async def _try_apart(self, number: int) -> None:
        """Build one mutant in the place of the original, and run the whole suite."""
        if self._time.is_up:
            return
        mutant = self._mutants[number]
        if self._silent:
            self._results[number] = MutantResult(mutant, "error", reason=_SILENT)
            return
        failed = await self._builds.only(mutant)
        if failed is not None:
            reason = "the build with it did not end in time" if failed.timed_out else None
            self._results[number] = MutantResult(mutant, "error" if failed.timed_out else "invalid", reason=reason)
            return
        answer = await self._answer(0, ())
        if answer is None:
            return
        result = fate_alone(mutant, self._step.written(answer[0]), answer[1])
        if result.status in {"killed", "timeout"} and (why := await self._unsteady_plain()):
            result = MutantResult(mutant, "error", reason=why)
        self._results[number] = result

    async def _unsteady_plain(self) -> str:
        """Say why a failure with a mutant in the text itself says nothing; empty when all passes without any."""
        if self._plain is None:
            if await self._builds.none() is not None:
                return "what the tests need cannot be built without it either"
            if (answer := await self._answer(0, ())) is None:
                return "the time limit left no room for a run without it to compare with"
            self._plain = "" if answer[0].verdict == "passed" else self._wavering(answer[0])
        return self._plain

    async def _unreached(self) -> dict[str, str]:
        """For a file none of whose mutants any test reaches, see whether its text matters to the tests at all."""
        unreached, blind = {}, self._blind
        for path in self._builds.texts:
            statuses = {result.status for result in self._results.values() if result.mutant.path == path}
            if statuses != {"no-coverage"}:
                continue
            if self._time.left_s >= self._time.limit_s and await self._passes_spoiled(path):
                unreached[path] = "the tests pass as well with an error in the place of the whole file"
            elif blind:
                self._results.update(
                    (number, attrs.evolve(result, status="error", reason=_BLIND))
                    for number, result in self._results.items()
                    if result.mutant.path == path
                )
        return unreached

    async def _passes_spoiled(self, path: str) -> bool:
        return await self._builds.spoiled(path) is None and isinstance(await self._survey(), Mapping)


_BLIND = "it cannot be seen whether the tests run it: they may do so in a browser or in a process without our variables"
_BROKEN = "what the tests need cannot be built in the place that mutants are tried in, without any of them"
_SILENT = (
    "it cannot be switched there, and of a command that names no tests it is not known what in it fails with a text"
)
_UNASKED = "the tests pass without asking for it, as if what they say was kept from an earlier run"


_ENDED = CommandResult(exit_code=0)
"""Stands for the end of one mutant's tests in a command that tried many."""
