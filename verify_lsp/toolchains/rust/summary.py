"""The output of a test command of the user's own: cargo test, or cargo nextest."""

import re

import attrs

from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import TestCase, TestRun, TestVerdict
from verify_lsp.toolchains.output import plain
from verify_lsp.toolchains.rust.libtest import Block, read_blocks
from verify_lsp.toolchains.rust.nextest import read_nextest
from verify_lsp.toolchains.rust.selection import BUILD_FAILED, DID_NOT_END

_NOT_COMPILED = re.compile(r"error: could not compile `(?P<package>[^`]+)` \((?P<target>.+)\) due to .*")


def parse_tests(result: CommandResult) -> TestRun | None:
    """Return what a test command's output says about Rust tests; None when it is not Rust's."""
    text = plain(f"{result.stdout}\n{result.stderr}")
    found = (match for line in text.split("\n") if (match := _NOT_COMPILED.fullmatch(line)))
    if unbuilt := tuple(dict.fromkeys(f"{match['package']} ({match['target']})" for match in found)):
        cases = tuple(TestCase(f"{name} {BUILD_FAILED}", "failed") for name in unbuilt)
        said = _contradiction(len(cases), result)
        return TestRun("failed", failed=len(cases), cases=cases, contradiction=said, unbuilt=unbuilt)
    blocks = read_blocks(text)
    nextest = read_nextest(text, result)
    if not blocks:
        return nextest
    run = _from_blocks(blocks, result)
    return _added_up(nextest, run) if nextest else run


def _from_blocks(blocks: list[Block], result: CommandResult) -> TestRun:
    cases = [TestCase(name, outcome) for block in blocks for name, outcome in block.outcomes.items()]
    ended = [block.result for block in blocks if block.result is not None]
    cases += [TestCase(f"a test program {DID_NOT_END}", "failed")] * (len(blocks) - len(ended))
    failed = sum(case.outcome == "failed" for case in cases)
    passed, skipped, filtered = (sum(numbers[position] for numbers in ended) for position in (0, 2, 4))
    reason = None
    verdict: TestVerdict = "passed"
    if failed or result.exit_code not in {0, None}:
        verdict = "failed"
    elif not passed:
        verdict = "none-ran"
        reason = f"all tests are ignored ({skipped})" if skipped else "there were no tests to run"
    known = len(ended) == len(blocks) and not result.truncated
    return TestRun(
        verdict,
        passed=passed if known else None,
        failed=failed if known or failed else None,
        skipped=skipped if known else None,
        total=passed + failed + skipped if known else None,
        cases=tuple(cases),
        reason=reason,
        contradiction=_contradiction(failed, result),
        notes=(f"{filtered} tests were filtered out",) if filtered else (),
    )


def _added_up(first: TestRun, second: TestRun) -> TestRun:
    """Add up the two: nextest does not run the examples in comments, so that people run both."""

    def total(one: int | None, other: int | None) -> int | None:
        return None if one is None or other is None else one + other

    worst: tuple[TestVerdict, ...] = ("failed", "passed", "none-ran")
    verdict = next(each for each in worst if each in {first.verdict, second.verdict})
    return attrs.evolve(
        second,
        verdict=verdict,
        passed=total(first.passed, second.passed),
        failed=total(first.failed, second.failed),
        skipped=total(first.skipped, second.skipped),
        total=total(first.total, second.total),
        cases=(*first.cases, *second.cases),
        reason=first.reason if verdict == "none-ran" else None,
        # They share one exit code: it contradicts only what both say.
        contradiction=first.contradiction if second.contradiction else None,
    )


def _contradiction(failed: int, result: CommandResult) -> str | None:
    if failed and result.exit_code == 0:
        return f"the output says {failed} failed, the exit code is 0"
    if not failed and result.exit_code:
        return f"the output names no failure, the exit code is {result.exit_code}"
    return None
