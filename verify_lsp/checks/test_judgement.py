"""What a test run, with its failures told apart, says about the change."""

from verify_lsp.checks.parts import output_of
from verify_lsp.checks.test_failures import Failures
from verify_lsp.checks.test_run import Suite
from verify_lsp.checks.tooling import evidence, named
from verify_lsp.checks.wording import count, listed
from verify_lsp.judgement.raised import finding_of
from verify_lsp.model.command import CommandResult
from verify_lsp.model.finding import Finding, Problem, Severity
from verify_lsp.model.outcome import Broke, CheckOutcome, Proof, Ran, Skipped, ToolInfo, Verdict
from verify_lsp.model.testrun import TestCase, TestRun
from verify_lsp.toolchains.output import head


def judge(suite: Suite, run: TestRun, failures: Failures, result: CommandResult, tool: ToolInfo) -> CheckOutcome:
    """Return the outcome of one suite."""
    command, output = suite.step.command.shown(), output_of(result)
    metrics = _metrics(run)
    if run.verdict == "unusable":
        reason = run.reason or f"the output of {named(tool)} cannot be read"
        return Broke(reason, command=command, output=output, tools=(tool,))
    if run.verdict == "none-ran":
        reason = run.reason or f"{named(tool)} ran no tests"
        return Skipped(reason, command=command, output=output, metrics=metrics, tools=(tool,))
    verdict = _verdict(run, failures)
    text = _sentence(suite, run, failures, result, tool)
    return Ran(
        verdict=verdict,
        summary=text,
        findings=_findings(suite, failures),
        metrics={**metrics, "failed_new": _known(run, len(failures.new)), "flaky": _known(run, len(failures.flaky))},
        proofs=(Proof(text, evidence(tool, suite.step.command, result, metrics), "tests", run.verdict == "passed"),),
        unverified=_unverified(failures),
        asides=run.notes,
        command=command,
        output=None if verdict == "pass" else output,
        tools=(tool,),
    )


def _metrics(run: TestRun) -> dict[str, float | None]:
    return {"passed": run.passed, "failed": run.failed, "skipped": run.skipped, "total": run.total}


def _known(run: TestRun, number: int) -> float | None:
    return number if run.verdict == "passed" or run.failures() else None


def _verdict(run: TestRun, failures: Failures) -> Verdict:
    if run.verdict == "passed":
        return "pass"
    if failures.new or run.contradiction:
        return "fail"
    told = bool(failures.old or failures.flaky) and not run.reason
    return "warn" if told or failures.same_count_before else "fail"


def _sentence(suite: Suite, run: TestRun, failures: Failures, result: CommandResult, tool: ToolInfo) -> str:
    by = f"({_ran(suite, tool)}, exit {result.exit_code})"
    if run.contradiction:
        return f"the tests contradict themselves: {run.contradiction} {by}"
    if run.verdict == "passed":
        return _passed(run, by)
    parts = _new(run, failures, by)
    if failures.old:
        parts.append(f"{count(len(failures.old), 'test fails', 'tests fail')} as before the change")
    if failures.flaky:
        flaky = count(len(failures.flaky), "test is flaky", "tests are flaky")
        parts.append(f"{flaky} (failed, then passed on the same content)")
    if run.reason and not failures.new:
        same = ", as before the change" if failures.same_count_before else ""
        parts.append(f"{run.reason}{same} {by}")
    return "; ".join(parts) or _unnamed(run, failures, by)


def _ran(suite: Suite, tool: ToolInfo) -> str:
    """Name the tool; a command of the settings is shown itself, since nobody else vouches for it."""
    return named(tool) if suite.owner else f"{tool.name}: {head(suite.step.command.shown(), 80)}"


def _new(run: TestRun, failures: Failures, by: str) -> list[str]:
    """Say what fails because of the change: tests, and apart from them what could not even be built."""
    unbuilt = [case for case in failures.new if _is_unbuilt(case, run)]
    tests = [case for case in failures.new if case not in unbuilt]
    said = ((tests, "test fails", "tests fail"), (unbuilt, "part does not build", "parts do not build"))
    return [
        f"{count(len(cases), one, many)} {by}: {listed([_short(case) for case in cases])}"
        for cases, one, many in said
        if cases
    ]


def _is_unbuilt(case: TestCase, run: TestRun) -> bool:
    return any(case.id == name or case.id.startswith(f"{name} [") for name in run.unbuilt)


def _passed(run: TestRun, by: str) -> str:
    if run.passed is None:
        return f"the test command succeeds {by}; its output names no counts"
    skipped = f", {run.skipped} skipped" if run.skipped else ""
    return f"{count(run.passed, 'test passes', 'tests pass')}{skipped} {by}"


def _unnamed(run: TestRun, failures: Failures, by: str) -> str:
    what = "the test command fails" if run.failed is None else count(run.failed, "test fails", "tests fail")
    same = ", as many as before the change" if failures.same_count_before else ""
    return f"{what}{same} {by}"


def _unverified(failures: Failures) -> tuple[str, ...]:
    if failures.unknown:
        return (f"which failures are new, because {failures.unknown}",)
    if failures.same_count_before:
        return ("whether the same tests failed before: the output names none",)
    return ()


def _findings(suite: Suite, failures: Failures) -> tuple[Finding, ...]:
    return (
        *(_finding(suite, case, "high", "test-failed") for case in failures.new),
        *(_finding(suite, case, "low", "test-flaky") for case in failures.flaky),
        *(_finding(suite, case, "low", "test-failed", preexisting=True) for case in failures.old),
    )


def _finding(suite: Suite, case: TestCase, severity: Severity, rule: str, *, preexisting: bool = False) -> Finding:
    root = suite.owner.project.root if suite.owner else "."
    path = case.path or ""
    if path and root != ".":
        path = f"{root}/{path}"
    message = f"{_short(case)}: {head(case.message)}" if case.message else f"{_short(case)} failed"
    return finding_of("tests", Problem(path, case.line or 1, severity, rule, message), preexisting=preexisting)


def _short(case: TestCase) -> str:
    return head(case.id, 120).replace("\n", " ")
