"""Running unittest, Django's test command and nose2."""

import functools
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from verify_lsp.model.command import Command
from verify_lsp.model.mutant import MutationOrder
from verify_lsp.toolchains.base import MutationStep, Project, TestStep
from verify_lsp.toolchains.python.project.interpreter import Interpreter
from verify_lsp.toolchains.python.testing.mutants import chosen, mutated_command, read_mutants
from verify_lsp.toolchains.python.testing.request import environment, request, support
from verify_lsp.toolchains.python.testing.unittest_report import read_printed_run, read_unittest_run

RUNNER = "verify_lsp_unittest"

_DOTTED = re.compile(r"[\w.]+")


def unittest_step(
    project: Project, interpreter: Interpreter, timeout_s: float, test_files: tuple[str, ...]
) -> TestStep:
    """Return the step that discovers tests as `python -m unittest` does, from every folder that has some."""
    extra = {"script": None, "start_folders": _start_folders(project.folder, test_files)}

    def command(selection: tuple[str, ...] | None) -> Command:
        return _command(project, interpreter, timeout_s, {**request(project, selection), **extra})

    parse = functools.partial(read_unittest_run, folder=project.folder, tool="unittest", shown=interpreter.shown)
    return TestStep(
        tool="unittest",
        command=command(None),
        parse=parse,
        only=lambda ids: command(ids) if ids else None,
        version=_python_version(project, interpreter),
        mutation=lambda order, _apart: _mutation(project, command(None), order),
    )


def django_step(project: Project, interpreter: Interpreter, timeout_s: float) -> TestStep:
    """Return the step that runs `manage.py test` under our runner's eyes."""

    def command(labels: tuple[str, ...]) -> Command:
        script = ["manage.py", "test", "--noinput", *labels]
        asked = {**request(project, None), "script": script, "start_folders": []}
        return _command(project, interpreter, timeout_s, asked)

    def only(ids: tuple[str, ...]) -> Command | None:
        return command(ids) if ids and all(_DOTTED.fullmatch(test_id) for test_id in ids) else None

    parse = functools.partial(read_unittest_run, folder=project.folder, tool="manage.py test", shown=interpreter.shown)
    version = Command((str(interpreter.program), "-m", "django", "--version"), cwd=project.root)
    return TestStep(
        tool="manage.py test",
        command=command(()),
        parse=parse,
        only=only,
        version=version,
        mutation=lambda order, _apart: _mutation(project, command(()), order),
    )


def nose2_step(project: Project, interpreter: Interpreter, timeout_s: float) -> TestStep:
    """Return the step that runs nose2, whose printed summary is that of unittest."""

    def command(names: tuple[str, ...]) -> Command:
        return Command(
            argv=(str(interpreter.program), "-m", "nose2", *names),
            cwd=project.root,
            env=environment(project, interpreter),
            timeout_s=timeout_s,
            path_prepend=(str(interpreter.program.parent),),
        )

    def only(ids: tuple[str, ...]) -> Command | None:
        return command(ids) if ids and all(_DOTTED.fullmatch(test_id) for test_id in ids) else None

    parse = functools.partial(read_printed_run, tool="nose2")
    return TestStep("nose2", command(()), parse, only=only, version=_nose2_version(project, interpreter))


def _mutation(project: Project, command: Command, order: MutationOrder) -> MutationStep:
    with_mutants = mutated_command(project, command, order)
    return MutationStep(
        command=with_mutants,
        read=functools.partial(read_mutants, order=order),
        alone=lambda position: chosen(with_mutants, position),
        canary=lambda position: chosen(with_mutants, position, canary=True),
    )


def _command(project: Project, interpreter: Interpreter, timeout_s: float, asked: Mapping[str, Any]) -> Command:
    return Command(
        argv=(str(interpreter.program), "-m", RUNNER),
        cwd=project.root,
        env=environment(project, interpreter),
        timeout_s=timeout_s,
        support=support(asked),
        path_prepend=(str(interpreter.program.parent),),
    )


def _start_folders(folder: Path, test_files: tuple[str, ...]) -> list[list[str]]:
    """Discovery enters packages only, so that it starts once in each folder that is no package and has tests below.

    unittest's own pattern is `test*.py`; `*_test.py` is looked for where nothing has that name.
    """
    plain = [path for path in test_files if PurePosixPath(path).name.startswith("test")]
    pattern = "test*.py" if plain else "*_test.py"
    starts = dict.fromkeys(_start_of(folder, path) for path in plain or test_files)
    return [[start, pattern] for start in sorted(starts)]


def _start_of(folder: Path, path: str) -> str:
    start = PurePosixPath(path).parent
    while start.name and (folder / start / "__init__.py").is_file():
        start = start.parent
    return str(start)


def _python_version(project: Project, interpreter: Interpreter) -> Command:
    code = "import platform; print('Python', platform.python_version())"
    return Command((str(interpreter.program), "-c", code), cwd=project.root)


def _nose2_version(project: Project, interpreter: Interpreter) -> Command:
    code = "from importlib.metadata import version; print('nose2', version('nose2'))"
    return Command((str(interpreter.program), "-c", code), cwd=project.root)
