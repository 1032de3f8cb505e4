"""Do the tests pass, and where they do not, is it the change's doing?"""

from typing import Final

from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.checks.mutants import trial_of
from verify_lsp.checks.parts import combine, homeless_parts, output_of
from verify_lsp.checks.test_failures import Failures, sort_failures
from verify_lsp.checks.test_judgement import judge
from verify_lsp.checks.test_run import Suite, custom_suite, run_suite
from verify_lsp.checks.user_line import shell_command
from verify_lsp.model.finding import CheckKind
from verify_lsp.model.outcome import Broke, CheckOutcome, Skipped
from verify_lsp.toolchains.base import Absent, TestStep

KIND: Final[CheckKind] = "tests"
EXECUTES: Final = True


async def check(context: CheckContext) -> CheckOutcome:
    """Run the user's test command, else each touched project's own tests."""
    if not context.settings.run_tests:
        return Skipped("running tests is switched off (runTests)")
    if blocked := await _prepare(context):
        return blocked
    if line := context.settings.test_command:
        return await _verify(context, custom_suite(context, line))
    parts: list[tuple[str, CheckOutcome]] = [
        (owner.title, await _verify_project(context, owner)) for owner in context.projects
    ]
    return combine(parts + homeless_parts(context.homeless), "no project of a known language was touched")


async def _prepare(context: CheckContext) -> CheckOutcome | None:
    """Run `preTestCommand`; tests on top of a failed build would prove nothing."""
    line = context.settings.pre_test_command
    if line is None:
        return None
    result = await context.run(shell_command(line, context.timeout_s), context.place)
    if result.exit_code == 0:
        return None
    why = "did not end in time" if result.timed_out else f"failed (exit {result.exit_code})"
    return Broke(f"preTestCommand {why}, so the tests were not run", command=line, output=output_of(result))


async def _verify_project(context: CheckContext, owner: ProjectOf) -> CheckOutcome:
    step = owner.toolchain.tools.tests(owner.project, context.timeout_s)
    match step:
        case Absent(reason=reason, needless=needless):
            return Skipped(reason, needless=needless)
        case TestStep():
            suite = Suite(
                owner,
                step,
                skip_prepare=bool(context.settings.pre_test_command),
                trial=await trial_of(context, owner, step) if "mutation" in context.wanted else None,
            )
            return await _verify(context, suite)


async def _verify(context: CheckContext, suite: Suite) -> CheckOutcome:
    outcome = await run_suite(context, suite)
    if not isinstance(outcome, tuple):
        return outcome
    run, result, tool = outcome
    failures = await sort_failures(context, suite, run) if run.verdict == "failed" else Failures()
    return judge(suite, run, failures, result, tool)
