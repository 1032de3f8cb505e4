"""Running pytest with our plugin beside the project's own."""

import functools

import attrs

from verify_lsp.model.command import RESULTS, Command
from verify_lsp.model.mutant import MutationOrder
from verify_lsp.toolchains.base import MutationStep, Project, TestStep
from verify_lsp.toolchains.python.project.interpreter import Interpreter
from verify_lsp.toolchains.python.testing.mutants import chosen, mutated_command, read_mutants
from verify_lsp.toolchains.python.testing.pytest_report import read_pytest_run
from verify_lsp.toolchains.python.testing.request import environment, request, support

PLUGIN = "verify_lsp_pytest"


def pytest_step(project: Project, interpreter: Interpreter, timeout_s: float) -> TestStep:
    """Return the step that runs the project's tests with its own options."""
    program = str(interpreter.program)
    version = "from importlib.metadata import version; print('pytest', version('pytest'))"
    command = _command(project, interpreter, timeout_s)
    return TestStep(
        tool="pytest",
        command=command,
        parse=functools.partial(read_pytest_run, folder=project.folder, shown=interpreter.shown),
        only=lambda ids: _command(project, interpreter, timeout_s, ids) if ids else None,
        version=Command((program, "-c", version), cwd=project.root),
        mutation=lambda order, apart: _mutation(project, command, order, apart=apart),
    )


def _mutation(project: Project, command: Command, order: MutationOrder, *, apart: bool) -> MutationStep:
    """Reach is noted in one process only, so that workers are switched off where the run is ours alone."""
    with_mutants = mutated_command(project, command, order)
    own = attrs.evolve(with_mutants, argv=(*command.argv, "-n", "0")) if apart else with_mutants
    return MutationStep(
        command=own,
        read=functools.partial(read_mutants, order=order),
        alone=lambda position: chosen(with_mutants, position, arguments=("-x",)),
        canary=lambda position: chosen(with_mutants, position, arguments=("-x",), canary=True),
    )


def _command(
    project: Project, interpreter: Interpreter, timeout_s: float, selection: tuple[str, ...] | None = None
) -> Command:
    """Ids are handed over in a file: they may hold any character, and there may be thousands.

    pytest's own cache goes to the private folder, rather than being switched off, because options of the
    project such as `--ff` need it; being empty, it narrows no run.
    """
    return Command(
        argv=(
            str(interpreter.program),
            "-m",
            "pytest",
            "-p",
            PLUGIN,
            "-o",
            f"cache_dir={RESULTS}/zz-pytest-cache",
        ),
        cwd=project.root,
        env=environment(project, interpreter),
        timeout_s=timeout_s,
        support=support(request(project, selection)),
        path_prepend=(str(interpreter.program.parent),),
    )
