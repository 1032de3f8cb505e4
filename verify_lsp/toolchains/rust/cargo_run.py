"""What a run of `cargo test` showed."""

from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import TestCase, TestRun, TestVerdict
from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.output import head, plain
from verify_lsp.toolchains.rust.cargo_errors import read_cargo_errors
from verify_lsp.toolchains.rust.libtest import Block, doc_places, read_blocks
from verify_lsp.toolchains.rust.messages import read_messages
from verify_lsp.toolchains.rust.panics import failure_message, failure_place
from verify_lsp.toolchains.rust.programs import Program, assign
from verify_lsp.toolchains.rust.selection import BUILD_FAILED, DID_NOT_END, DOC, FAILED

_DID_NOT_END = "the test program ended before its tests did"


def read_test_run(project: Project, result: CommandResult) -> TestRun:
    """Return what a cargo test run with JSON messages showed.

    Counts are the sums of all `test result:` lines; ignored tests are skipped ones. A program that does not
    come to its end, that fails without a test harness, or that does not compile is one failure.
    """
    messages = read_messages(result.stdout, project.folder)
    if messages.finished is not True:
        return _not_built(project, result)
    return _Run(project, result).judged()


def _not_built(project: Project, result: CommandResult) -> TestRun:
    messages = read_messages(result.stdout, project.folder)
    refused = read_cargo_errors(result.stderr, project.folder)
    cases: dict[str, TestCase] = {}
    for diagnostic in messages.diagnostics:
        problem = diagnostic.problem
        if problem.severity == "high":
            test_id = f"{diagnostic.target.id} {BUILD_FAILED}"
            case = TestCase(test_id, "failed", problem.path or None, problem.line or None, problem.message)
            cases.setdefault(test_id, case)
    for problem in refused.problems:
        test_id = f"{problem.path} {BUILD_FAILED}"
        cases.setdefault(test_id, TestCase(test_id, "failed", problem.path, problem.line, problem.message))
    if cases and not messages.unfit:
        unbuilt = tuple(test_id.removesuffix(f" {BUILD_FAILED}") for test_id in cases)
        return TestRun("failed", failed=len(cases), cases=tuple(cases.values()), unbuilt=unbuilt)
    if result.timed_out:
        return TestRun("unusable", reason="the tests did not compile in time")
    if unfit := messages.unfit or refused.unfit:
        return TestRun("none-ran", reason=unfit)
    said = refused.other or head(result.stderr[-600:], 300) or "it printed nothing"
    return TestRun("unusable", reason=f"cargo test did not come to the tests (exit {result.exit_code}): {said}")


class _Run:
    def __init__(self, project: Project, result: CommandResult) -> None:
        self._folder = project.folder
        self._result = result
        messages = read_messages(result.stdout, project.folder)
        self._blocks = read_blocks(plain(messages.rest))
        told = assign(plain(result.stderr), messages, self._blocks, project.folder)
        self._programs = told.programs
        self._cases = [case for program in told.programs for case in self._of_program(program)]
        self._cases += [case for block in told.loose for case in self._of_block(block, None)]
        self._name_unexplained(told.programs)

    def judged(self) -> TestRun:
        result, failed = self._result, [case for case in self._cases if case.outcome == "failed"]
        if failed and result.timed_out and all(case.id.endswith(DID_NOT_END) for case in failed):
            return self._run("unusable", reason="the tests did not end in time")
        if failed:
            masked = f"{len(failed)} failed, but cargo test exited with 0" if result.exit_code == 0 else None
            return self._run("failed", contradiction=masked)
        if result.timed_out:
            return self._run("unusable", reason="the tests did not end in time")
        if result.exit_code != 0:
            said = f"no test failed, but cargo test exited with {result.exit_code}"
            return self._run("failed", contradiction=said)
        if not self._sum(0) and not self._bare() and not result.truncated:
            ignored = self._sum(2)
            reason = f"all tests are ignored ({ignored})" if ignored else "the workspace has no tests to run"
            return self._run("none-ran", reason=reason)
        return self._run("passed")

    def _of_program(self, program: Program) -> list[TestCase]:
        if program.block is not None:
            return self._of_block(program.block, program)
        if program.failed and not program.has_harness:
            return [TestCase(f"{program.id} {FAILED}", "failed", message=program.died or "")]
        return []

    def _of_block(self, block: Block, program: Program | None) -> list[TestCase]:
        steady = doc_places(list(block.outcomes))
        prefix = f"{program.id} " if program else ""
        cases = []
        for name, outcome in block.outcomes.items():
            test_id = f"{DOC}{steady[name]}" if name in steady else prefix + name
            if outcome != "failed":
                cases.append(TestCase(test_id, outcome))
                continue
            lines = block.said.get(name, [])
            path, line = failure_place(name, lines, self._folder) or (None, None)
            cases.append(TestCase(test_id, outcome, path, line, failure_message(lines)))
        if block.result is None and not self._result.truncated:
            who = program.id if program else "a test program"
            how = f"{_DID_NOT_END} ({program.died})" if program and program.died else _DID_NOT_END
            cases.append(TestCase(f"{who} {DID_NOT_END}", "failed", message=how))
        return cases

    def _name_unexplained(self, programs: tuple[Program, ...]) -> None:
        """A program that failed although nothing of it was read as a failure is named itself."""
        failed = sum(program.failed for program in programs)
        explained = sum(block.failed for block in self._blocks)
        explained += sum(program.failed and not program.has_harness for program in programs)
        if failed > explained:
            silent = [
                program for program in programs if program.failed and program.block is None and program.has_harness
            ]
            for program in silent[: failed - explained]:
                self._cases.append(TestCase(f"{program.id} {FAILED}", "failed", message=program.died or ""))

    def _sum(self, position: int) -> int:
        return sum(block.result[position] for block in self._blocks if block.result)

    def _bare(self) -> list[str]:
        return [program.id for program in self._programs if not program.has_harness and program.block is None]

    def _run(self, verdict: TestVerdict, *, reason: str | None = None, contradiction: str | None = None) -> TestRun:
        ended = all(block.result is not None for block in self._blocks) and not self._result.truncated
        bare = self._bare()
        # Of a program without the harness nobody knows how many tests it has.
        known = ended and not self._result.timed_out and not bare
        failed = sum(case.outcome == "failed" for case in self._cases)
        passed, skipped = self._sum(0), self._sum(2)
        notes = [f"{name} has no test harness, so that its tests are not counted" for name in bare[:3]]
        if filtered := self._sum(4):
            notes.append(f"{filtered} tests were filtered out")
        return TestRun(
            verdict,
            passed=passed if known else None,
            failed=failed if known or failed else None,
            skipped=skipped if known else None,
            total=passed + failed + skipped if known else None,
            cases=tuple(self._cases),
            reason=reason,
            contradiction=contradiction,
            notes=tuple(notes),
        )
