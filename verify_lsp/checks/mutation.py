"""Would the tests notice if the added lines were wrong?"""

from typing import Final

import attrs

from verify_lsp.checks.base import CheckContext, ProjectOf, RanTrial, Trial
from verify_lsp.checks.before import in_workspace
from verify_lsp.checks.lone_mutants import decided_alone
from verify_lsp.checks.mutant_memory import remember
from verify_lsp.checks.mutants import mutants_in, order_of, trial_of
from verify_lsp.checks.parts import combine, homeless_parts, output_of
from verify_lsp.checks.test_run import Suite, custom_suite, run_suite
from verify_lsp.checks.wording import count, listed
from verify_lsp.judgement.raised import finding_of
from verify_lsp.model.fact import Evidence
from verify_lsp.model.finding import CheckKind, Finding
from verify_lsp.model.mutant import MutantResult, MutationRun
from verify_lsp.model.outcome import CheckOutcome, Proof, Ran, Skipped
from verify_lsp.mutation.judgement import Judged, judge
from verify_lsp.mutation.sentences import problem_of
from verify_lsp.toolchains.base import Absent
from verify_lsp.toolchains.python.testing.mutants import custom_mutation

KIND: Final[CheckKind] = "mutation"
EXECUTES: Final = True

NOTHING = "no line was added that a fault could be put into"


async def check(context: CheckContext) -> CheckOutcome:
    """Try faults in the added lines of each touched project on its own tests."""
    if not context.settings.mutation_testing:
        return Skipped("mutation testing is switched off (mutationTesting)")
    if not context.settings.run_tests:
        return Skipped("running tests is switched off (runTests)")
    parts = [(owner.title, await _check(context, owner)) for owner in context.projects if owner.project.changed]
    return combine(_with_other_languages(parts) + homeless_parts(context.homeless), NOTHING)


def _with_other_languages(parts: list[tuple[str, CheckOutcome]]) -> list[tuple[str, CheckOutcome]]:
    """A language that we make no mutants for keeps a check from running, but no other language's check from passing."""
    if not any(isinstance(part, Ran) for _, part in parts):
        return parts
    return [
        (title, attrs.evolve(part, needless=True) if isinstance(part, Skipped) and part.reason == _UNKNOWN else part)
        for title, part in parts
    ]


_UNKNOWN = "mutants are made for Python only"


async def _check(context: CheckContext, owner: ProjectOf) -> CheckOutcome:
    if owner.toolchain.language != "python":
        return Skipped(_UNKNOWN)
    if not await mutants_in(context, owner):
        return Skipped(NOTHING, needless=True)
    if line := context.settings.test_command:
        ran: RanTrial | CheckOutcome = await _ran_custom(context, owner, line)
    else:
        ran = context.trials.get(owner.title) or await _ran(context, owner)
    return await _judged(context, owner, ran) if isinstance(ran, RanTrial) else ran


async def _ran(context: CheckContext, owner: ProjectOf, *, apart: bool = False) -> RanTrial | CheckOutcome:
    """Run the project's tests for the mutants' sake, where the tests check has not done so."""
    step = owner.toolchain.tests(owner.project, context.timeout_s)
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


async def _ran_custom(context: CheckContext, owner: ProjectOf, line: str) -> RanTrial | CheckOutcome:
    """Run the user's own command; of it we know only which mutants its processes reach, and how it ends."""
    suite = custom_suite(context, line)
    order = await order_of(context, owner)
    if order is None:
        return Skipped(NOTHING, needless=True)
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
    told = await decided_alone(context, ran, told)
    remember(owner, ran.trial.order, told)
    return _outcome(owner, ran, told, command)


def _no_measure(ran: RanTrial, told: MutationRun) -> str | None:
    """Say why nothing can be told of mutants on these tests, or return None."""
    match ran.run.verdict:
        case "failed":
            return "the tests fail without any mutant, so that a failure with one would show nothing"
        case "none-ran" | "unusable":
            return f"no mutant was tried: {ran.run.reason or 'no test ran'}"
        case "passed":
            undecided = not told.results and not told.alone and not told.unreached
            return f"no mutant was tried: {told.stopped or 'the tests left no word'}" if undecided else None


def _outcome(owner: ProjectOf, ran: RanTrial, told: MutationRun, command: str) -> CheckOutcome:
    results = tuple(
        result for position, result in sorted(told.results.items()) if result.mutant.path not in told.unreached
    )
    unreached = tuple(f"{path}, because {why}" for path, why in told.unreached.items())
    if not results:
        missed = "; ".join(unreached) or told.stopped or "nothing is known"
        return Skipped(f"mutants do not reach the tests: {missed}", command=command)
    judged = judge(results, uncertain=bool(told.uncertain))
    gaps = [*unreached, *([told.stopped] if told.stopped else []), *_gaps(judged, told, results)]
    text = _sentence(judged, results)
    evidence = Evidence(command=command, exit_code=ran.result.exit_code, metrics=judged.metrics())
    return Ran(
        verdict=judged.verdict,
        summary=text,
        findings=_findings(owner, results),
        metrics=judged.metrics(),
        proofs=(Proof(text, evidence, "mutation", holds=judged.verdict == "pass"),),
        unverified=tuple(gaps),
        command=command,
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
    parts = [f"the tests notice {counts['killed']} of {count(told, 'fault')} put into added lines"]
    if counts["no-coverage"]:
        lines = "is on a line" if counts["no-coverage"] == 1 else "are on lines"
        parts.append(f"{counts['no-coverage']} {lines} that no test runs")
    for status, words in (
        ("timeout", "ran into the time limit"),
        ("invalid", "could not be compiled"),
        ("error", "could not be tried"),
    ):
        if counts[status]:
            parts.append(f"{counts[status]} more {words}")
    return "; ".join(parts) if results else NOTHING


def _findings(owner: ProjectOf, results: tuple[MutantResult, ...]) -> tuple[Finding, ...]:
    problems = (problem_of(result) for result in results)
    return tuple(
        finding_of(KIND, in_workspace(problem, owner.project.root), preexisting=False)
        for problem in problems
        if problem is not None
    )
