"""Trying built-in mutants by a test command that somebody else composed: it runs as it is written, once for each mutant.

Every process that it starts and that has the changed code knows by its environment which mutant is on. Of the command only
its exit code and what it prints are known, so that which mutants it reaches is seen in a run without any, and a run that
passes counts only where the mutant was asked for in it: a tool may have answered from what it kept of an earlier run.
"""

from collections.abc import Callable, Mapping

import attrs

from verify_lsp.model.command import RESULTS, Command, CommandResult
from verify_lsp.model.testrun import TestCase, TestRun
from verify_lsp.toolchains.base import BuiltIn, TestStep

REACH = "reach"
"""Where processes note what they reach, below the private folder of a run."""

_UNLINK = "find . -maxdepth 4 -name target -type l -exec rm {} +"
"""What is built into such a folder must not lie in the user's own, which a copy has a link to."""

_ASKED = "asked"
_COMMAND = "the test command"


def tried_by(
    step: TestStep,
    built_in: BuiltIn,
    environment: Mapping[str, str],
    reached: Callable[[CommandResult], frozenset[int]],
    needed: tuple[Command, ...] = (),
) -> BuiltIn:
    """Return how mutants are tried by a command of the user's own.

    Args:
        step: The command; what it prepares is run after each build.
        built_in: How the project's own tests are tried; what is written and built for them serves here too.
        environment: Variables by which what the command starts finds the texts, and its caches without a home.
        reached: The mutants that the processes of a run have noted, from what these left.
        needed: What of the build the command cannot do without.
    """
    command = attrs.evolve(
        step.command, env={**step.command.env, **environment, "VERIFY_LSP_ASKED": f"{RESULTS}/{_ASKED}"}
    )
    prepare = tuple(attrs.evolve(each, env={**each.env, **environment}) for each in step.prepare)

    def trial(number: int, _names: tuple[str, ...]) -> tuple[Command, ...]:
        return (attrs.evolve(command, env={**command.env, "VERIFY_LSP_MUTANT": str(number)}),)

    unlink = Command(("sh", "-c", _UNLINK), timeout_s=command.timeout_s)
    noting = {**command.env, "VERIFY_LSP_MUTANT": "", "VERIFY_LSP_REACH": f"{RESULTS}/{REACH}"}
    return BuiltIn(
        files=built_in.files,
        build=(unlink, *built_in.build, *prepare),
        needed=(unlink, *needed, *prepare),
        prepares=True,
        blamed=built_in.blamed,
        survey=attrs.evolve(command, env=noting, support={**command.support, f"{REACH}/.verify-lsp": ""}),
        shown=step.command,
        reached=lambda result: dict.fromkeys(sorted(reached(result)), ()),
        trial=trial,
        parse=lambda result: read_by_exit(result, step.parse),
        apart=built_in.apart,
        blind=lambda result: not any(name.startswith(f"{REACH}/") for name in result.files),
        asked=lambda result: _ASKED in result.files,
        tells=lambda run: run.passed is not None or run.failed is not None,
        written=_of_a_test,
    )


def read_by_exit(result: CommandResult, parse: Callable[[CommandResult], TestRun]) -> TestRun:
    """Return what a run of the command says: its exit code is the verdict, and what it prints may name a test.

    Args:
        parse: Reads a run that came to its end as the tests check does.
    """
    if result.timed_out:
        return TestRun("unusable", reason=f"{_COMMAND} did not end in time")
    if result.missing or result.exit_code is None:
        return TestRun("unusable", reason=f"{_COMMAND} could not be started")
    run = parse(result)
    return _failed(run, result) if run.verdict == "failed" else run


def _failed(run: TestRun, result: CommandResult) -> TestRun:
    """A test that is named has failed, also where the exit code is another program's: `go test ./... | tee log`."""
    if run.unbuilt and all(_is_unbuilt(case, run) for case in run.failures()):
        return TestRun("unusable", reason=f"what {_COMMAND} needs does not build")
    if run.failures() or run.failed:
        return run
    unnamed = TestCase(f"{_COMMAND} (exit {result.exit_code})", "failed")
    return attrs.evolve(run, failed=1, cases=(*run.cases, unnamed))


def _of_a_test(run: TestRun) -> TestRun:
    """Leave a failure that no test is named for to what compiles or checks texts: it is no kill."""
    unnamed = all(case.id.startswith(f"{_COMMAND} (exit ") for case in run.failures())
    if run.verdict == "failed" and run.failures() and unnamed:
        why = f"{_COMMAND} fails with it, but names no test that does: it may be what builds or checks the text"
        return TestRun("unusable", reason=why)
    return run


def _is_unbuilt(case: TestCase, run: TestRun) -> bool:
    return any(case.id == name or case.id.startswith(f"{name} [") for name in run.unbuilt)
