"""Would the tests notice if the added lines were wrong?"""

from collections.abc import Sequence
from typing import Final

import attrs

from verify_lsp.checks.base import CheckContext, ProjectOf, RanTrial, Trial
from verify_lsp.checks.changed_meanwhile import changed_meanwhile
from verify_lsp.checks.lone_mutants import decided_alone
from verify_lsp.checks.mutant_memory import recalled, remember
from verify_lsp.checks.mutant_room import FindTests, mutant_room
from verify_lsp.checks.mutants import left_out, order_of, trial_of
from verify_lsp.checks.parts import combine, homeless_parts, output_of
from verify_lsp.checks.places import in_workspace
from verify_lsp.checks.secret_mutants import without_secrets
from verify_lsp.checks.test_run import TEST_COMMAND, Suite, custom_suite, run_suite, tests_to_build_into
from verify_lsp.checks.tried_mutants import tried_mutants
from verify_lsp.checks.wording import count, listed
from verify_lsp.judgement.raised import finding_of
from verify_lsp.model.fact import Evidence
from verify_lsp.model.finding import CheckKind, Finding
from verify_lsp.model.mutant import MutantResult, MutationOrder, MutationRun
from verify_lsp.model.outcome import CheckOutcome, Proof, Ran, Skipped
from verify_lsp.model.testrun import TestRun
from verify_lsp.mutation.judgement import Judged, judge
from verify_lsp.mutation.sentences import problem_of
from verify_lsp.toolchains.base import Absent, TestStep
from verify_lsp.toolchains.python.testing.mutants import custom_mutation

KIND: Final[CheckKind] = "mutation"
EXECUTES: Final = True

NOTHING = "no line was added that a fault could be put into"
_CHANGED = "{} was changed while mutants were tried on the tests; run again"


async def check(context: CheckContext) -> CheckOutcome:
    """Try faults in the added lines of each touched project on its own tests."""
    if not context.settings.mutation_testing:
        return Skipped("mutation testing is switched off (mutationTesting)")
    if not context.settings.run_tests:
        return Skipped("running tests is switched off (runTests)")
    parts = [(owner.title, await _check(context, owner)) for owner in context.projects if owner.project.changed]
    outcome = combine(parts + homeless_parts(context.homeless), NOTHING)
    if isinstance(outcome, Ran) and len(parts) > 1:
        return attrs.evolve(outcome, metrics={**outcome.metrics, "score": _common_score(parts)})
    return outcome


def _common_score(parts: Sequence[tuple[str, CheckOutcome]]) -> float | None:
    """Return the score of several projects together; scores cannot be added up."""
    ran = [part.metrics for _, part in parts if isinstance(part, Ran)]
    if any(metrics.get("score") is None for metrics in ran):
        return None
    killed, survived, missed = (
        sum(metrics.get(name) or 0 for metrics in ran) for name in ("killed", "survived", "no_coverage")
    )
    return round(killed / (killed + survived + missed), 4)


async def _built_in(context: CheckContext, owner: ProjectOf, order: MutationOrder) -> CheckOutcome:
    """Try mutants that are built in, after the tests have passed without any."""
    from verify_lsp.checks.built_in_mutants import tried_built_in

    find = tests_to_build_into(context, owner)
    step = _suite_to_build(context, owner, find)
    if isinstance(step, Skipped):
        return step
    # What a command of the user's own looks at is not known, so that nothing of it is remembered.
    told = MutationRun() if step.tool == TEST_COMMAND else await recalled(context, owner, order)
    command = step.command.shown()
    if len(told.results) < len(order.mutants):
        async with mutant_room(context, owner, step, find) as room:
            if room is None:
                return Skipped(f"mutants cannot be tried on a copy of tests that {step.tool} runs")
            told = await tried_built_in(context, room, order, told)
            command = (room.step.shown or room.step.survey).shown()
    if (path := await changed_meanwhile(context, owner, order.texts)) is not None:
        return Skipped(_CHANGED.format(path), command=command)
    if not told.results and not told.unreached:
        return Skipped(f"no mutant was tried: {told.stopped or 'the tests left no word'}", command=command)
    remember(owner, order, told)
    return _outcome(owner, order, told, Evidence(command=command, exit_code=0))


def _suite_to_build(context: CheckContext, owner: ProjectOf, find: FindTests) -> TestStep | Skipped:
    """Return the suite that mutants are built into, or why none are."""
    step = find(owner.project)
    if isinstance(step, Absent):
        return Skipped(step.reason, needless=step.needless)
    if step.built_in is None:
        return Skipped(f"mutants cannot be tried on tests that {step.tool} runs")
    if "tests" not in context.wanted:
        return step
    run = context.test_runs.get(TEST_COMMAND if context.settings.test_command else owner.title)
    why = "no mutant was tried, because the tests came to no result" if run is None else _no_baseline(run)
    return step if why is None else Skipped(why)


async def _check(context: CheckContext, owner: ProjectOf) -> CheckOutcome:
    if kept := context.trials.get(owner.title):
        return await _judged(context, owner, kept)
    order = await order_of(context, owner)
    if order is None and await left_out(context, owner):
        return Skipped("other projects took all the mutants of this run (mutationMaxMutants)")
    if order is None:
        return Skipped(NOTHING, needless=True)
    if owner.toolchain.language != "python":
        return await _built_in(context, owner, order)
    if line := context.settings.test_command:
        ran: RanTrial | CheckOutcome = await _ran_custom(context, owner, line, order)
    else:
        ran = await _ran(context, owner)
    return await _judged(context, owner, ran) if isinstance(ran, RanTrial) else ran


async def _ran(context: CheckContext, owner: ProjectOf, *, apart: bool = False) -> RanTrial | CheckOutcome:
    """Run the project's tests for the mutants' sake, where the tests check has not done so."""
    step = owner.toolchain.tools.tests(owner.project, context.timeout_s)
    if isinstance(step, Absent):
        return Skipped(step.reason, needless=step.needless)
    trial = await trial_of(context, owner, step, apart=apart)
    if trial is None:
        return Skipped(f"mutants cannot be tried on tests that {step.tool} runs")
    if "tests" in context.wanted and not apart:
        # What did not end for the tests check would take as long again.
        return Skipped("no mutant was tried, because the tests came to no result")
    suite = Suite(owner, step, skip_prepare=bool(context.settings.pre_test_command), trial=trial)
    ran = await run_suite(context, suite)
    return RanTrial(trial, ran[0], ran[1], step.parse, suite.place(context)) if isinstance(ran, tuple) else ran


async def _ran_custom(
    context: CheckContext, owner: ProjectOf, line: str, order: MutationOrder
) -> RanTrial | CheckOutcome:
    """Run the user's own command; of it we know only which mutants its processes reach, and how it ends."""
    suite = custom_suite(context, line)
    trial = Trial(custom_mutation(owner.project, suite.step.command, order), order)
    ran = await run_suite(context, attrs.evolve(suite, trial=trial))
    if not isinstance(ran, tuple):
        return ran
    return RanTrial(trial, ran[0], ran[1], suite.step.parse, suite.place(context))


async def _judged(context: CheckContext, owner: ProjectOf, ran: RanTrial) -> CheckOutcome:
    told = ran.trial.step.read(ran.result)
    if ran.run.verdict == "passed" and told.spread and not told.results:
        again = await _ran(context, owner, apart=True)
        if not isinstance(again, RanTrial):
            return again
        ran, told = again, again.trial.step.read(again.result)
    command = ran.trial.step.command.shown()
    if (why := _no_measure(ran, told)) is not None:
        return Skipped(why, command=command, output=output_of(ran.result))
    at_once, told = told, await decided_alone(context, ran, told)
    anew = {*told.alone, *told.read_again}
    if anew and (path := await changed_meanwhile(context, owner, ran.trial.order.texts)) is not None:
        why = _CHANGED.format(path)
        sure = {position: result for position, result in at_once.results.items() if position not in anew}
        if not sure:
            return Skipped(why, command=command)
        told = attrs.evolve(at_once, results=sure, alone=(), stopped=why)
    remember(owner, ran.trial.order, told)
    return _outcome(owner, ran.trial.order, told, Evidence(command=command, exit_code=ran.result.exit_code))


def _no_measure(ran: RanTrial, told: MutationRun) -> str | None:
    """Say why nothing can be told of mutants on these tests, or return None."""
    if (why := _no_baseline(ran.run)) is not None:
        return why
    undecided = not told.results and not told.alone and not told.unreached
    return f"no mutant was tried: {told.stopped or 'the tests left no word'}" if undecided else None


def _no_baseline(run: TestRun) -> str | None:
    match run.verdict:
        case "failed":
            return "the tests fail without any mutant, so that a failure with one would show nothing"
        case "none-ran" | "unusable":
            return f"no mutant was tried: {run.reason or 'no test ran'}"
        case "passed":
            return None


def _outcome(owner: ProjectOf, order: MutationOrder, told: MutationRun, evidence: Evidence) -> CheckOutcome:
    reached = [result for _, result in sorted(told.results.items()) if result.mutant.path not in told.unreached]
    results = without_secrets(reached, order.texts)
    unreached = tuple(f"{path}, because {why}" for path, why in told.unreached.items())
    if not results:
        missed = "; ".join(unreached) or told.stopped or "nothing is known"
        return Skipped(f"mutants do not reach the tests: {missed}", command=evidence.command)
    judged = judge(results, uncertain=bool(told.uncertain))
    gaps = [*unreached, *([told.stopped] if told.stopped else []), *_gaps(judged, told, results)]
    text = _sentence(judged, results)
    evidence = attrs.evolve(evidence, metrics=judged.metrics())
    return Ran(
        verdict=judged.verdict,
        summary=text,
        findings=_findings(owner, results),
        metrics=judged.metrics(),
        proofs=(Proof(text, evidence, "mutation", holds=judged.verdict == "pass"),),
        unverified=tuple(gaps),
        command=evidence.command,
        mutants=tried_mutants(owner, results),
    )


def _gaps(judged: Judged, told: MutationRun, results: tuple[MutantResult, ...]) -> list[str]:
    gaps = []
    if told.uncertain:
        gaps.append(f"the score, because tests fail at times without any mutant: {listed(list(told.uncertain))}")
    elif judged.unknown:
        gaps.append(f"the score, because {judged.unknown}")
    reasons = dict.fromkeys(result.reason for result in results if result.status in {"error", "invalid"})
    gaps.extend(f"a mutant, because {reason}" for reason in list(reasons)[:3] if reason)
    return gaps


def _sentence(judged: Judged, results: tuple[MutantResult, ...]) -> str:
    counts = judged.counts
    told = counts["killed"] + counts["survived"] + counts["no-coverage"]
    parts = [f"the tests notice {counts['killed']} of {count(told, 'fault')} put into added lines"] if told else []
    if counts["no-coverage"]:
        lines = "is on a line" if counts["no-coverage"] == 1 else "are on lines"
        parts.append(f"{counts['no-coverage']} {lines} that no test runs")
    for status, words in (
        ("timeout", "ran into the time limit"),
        ("invalid", "could not be compiled"),
        ("error", "could not be tried"),
    ):
        if counts[status]:
            faults = f"{counts[status]} more" if parts else f"{count(counts[status], 'fault')} put into added lines"
            parts.append(f"{faults} {words}")
    return "; ".join(parts) if results else NOTHING


def _findings(owner: ProjectOf, results: tuple[MutantResult, ...]) -> tuple[Finding, ...]:
    problems = (problem_of(result) for result in results)
    return tuple(
        finding_of(KIND, in_workspace(problem, owner.project.root), preexisting=False)
        for problem in problems
        if problem is not None
    )
