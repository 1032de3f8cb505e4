"""Running pytest with our plugin beside the project's own."""

import functools

from verify_lsp.model.command import RESULTS, Command
from verify_lsp.toolchains.base import Project, TestStep
from verify_lsp.toolchains.python.project.interpreter import Interpreter
from verify_lsp.toolchains.python.testing.pytest_report import read_pytest_run
from verify_lsp.toolchains.python.testing.request import environment, request, support

PLUGIN = "verify_lsp_pytest"


def pytest_step(project: Project, interpreter: Interpreter, timeout_s: float) -> TestStep:
    """Return the step that runs the project's tests with its own options."""
    program = str(interpreter.program)
    version = "from importlib.metadata import version; print('pytest', version('pytest'))"
    return TestStep(
        tool="pytest",
        command=_command(project, interpreter, timeout_s, None),
        parse=functools.partial(read_pytest_run, folder=project.folder, shown=interpreter.shown),
        only=lambda ids: _command(project, interpreter, timeout_s, ids) if ids else None,
        version=Command((program, "-c", version), cwd=project.root),
    )


def _command(
    project: Project, interpreter: Interpreter, timeout_s: float, selection: tuple[str, ...] | None
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
        support=support((PLUGIN, "verify_lsp_session", "verify_lsp_origins"), request(project, selection)),
        path_prepend=(str(interpreter.program.parent),),
    )
