"""The tests of a JavaScript or TypeScript project: which script, how to run it, how to read it."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import attrs

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.testrun import TestRun
from verify_lsp.toolchains.base import Absent, BuiltIn, Project, TestStep
from verify_lsp.toolchains.node.installed import (
    find_own_program,
    missing_dependencies,
    not_installed,
    package_folder,
    program_folders,
    version_of,
)
from verify_lsp.toolchains.node.manifest import Package, folders_upward, read_package
from verify_lsp.toolchains.node.package_manager import PackageManager, package_manager
from verify_lsp.toolchains.node.testing.compiled_output import compiled_folder
from verify_lsp.toolchains.node.testing.deno import deno_step
from verify_lsp.toolchains.node.testing.mutants import Suite
from verify_lsp.toolchains.node.testing.over import given_out
from verify_lsp.toolchains.node.testing.reading import read_printed, read_reported
from verify_lsp.toolchains.node.testing.runners import (
    BROWSER_RUNNERS,
    Invocation,
    find_invocation,
    plan_for,
)
from verify_lsp.toolchains.node.testing.script import Script, plain_script, runs_script
from verify_lsp.toolchains.node.testing.substitute import BUILDS, calls, find_part, find_substitute
from verify_lsp.toolchains.node.testing.together import DRIVERS, Driver
from verify_lsp.toolchains.node.testing.trials import TrialArgv, trial_argv

_SCRIPTS = ("test", "test:unit", "unit")
_LINE = "verify-lsp: typed"
_PLACEHOLDER = re.compile(r"no test specified|^\s*(?:exit 0|true|:)\s*$|^\s*echo\b[^&|;]*(?:&&\s*exit [01])?\s*$")


@attrs.frozen
class _Owner:
    """The package whose script runs the tests, and that script.

    Attributes:
        invocation: The runner that the script plainly starts; None where only a shell understands it.
    """

    project: Project
    package: Package
    name: str
    script: Script | None
    invocation: Invocation | None


def find_tests(project: Project, timeout_s: float) -> TestStep | Absent:
    """Return how to test a project.

    The owning package's own script runs in its own folder; a package without one is tested by the nearest
    package above that has one. A script that plainly starts one known runner is run with a report; every
    other script runs unchanged under the package manager, and what it prints is read.
    """
    owner = _owner(project)
    if owner is None:
        return deno_step(project, timeout_s)
    if isinstance(owner, Absent):
        return owner
    if absent := missing_dependencies(owner.project, owner.package):
        return absent
    manager = package_manager(owner.project)
    step = _reported(owner, timeout_s)
    if step is None and manager.runs != manager.chosen and calls(owner.package, owner.name, manager.chosen):
        return _substituted(project, owner, manager, timeout_s)
    if step is None:
        step = _printed(owner, manager, timeout_s)
    return step if isinstance(step, Absent) else _whole(step, project, owner, manager, timeout_s)


def find_tests_of(project: Project, line: str, timeout_s: float) -> TestStep | None:
    """Return how to run what a line that somebody types in the workspace's own package plainly starts.

    That is the project's own script (`npm test`), or a runner that writes us a report; None where it is anything else.
    """
    package = read_package(project.folder) if project.root == "." else None
    if package is None:
        return None
    own = _owner(project)
    if isinstance(own, _Owner) and own.project.root == "." and runs_script(line, own.name):
        step = find_tests(project, timeout_s)
        return step if isinstance(step, TestStep) else None
    script = plain_script({**package.scripts, _LINE: line}, _LINE, project.folder)
    if script is None or missing_dependencies(project, package):
        return None
    owner = _Owner(project, package, script.name, script, find_invocation(script.words))
    reported = _reported(owner, timeout_s)
    if not isinstance(reported, TestStep):
        return None
    return _whole(reported, project, owner, package_manager(project), timeout_s)


def _owner(project: Project) -> _Owner | Absent | None:
    """Find the nearest script that tests; None when no manifest is there at all."""
    refused: Absent | None = None
    for folder in folders_upward(project.place, project.root):
        if not (folder / "package.json").is_file():
            continue
        package = read_package(folder)
        where = _named(project, folder)
        if package is None:
            return Absent(f"{where}package.json cannot be read", needless=False)
        owner = attrs.evolve(project, root=folder.relative_to(project.place).as_posix())
        for name in _SCRIPTS:
            if name not in package.scripts or _PLACEHOLDER.search(package.scripts[name]):
                continue
            script = plain_script(package.scripts, name, folder)
            invocation = find_invocation(script.words) if script else None
            if invocation is None or invocation.runner not in BROWSER_RUNNERS:
                return _Owner(owner, package, name, script, invocation)
            refused = Absent(
                f"the script {name!r} runs browser tests ({invocation.runner}), which are not run", needless=False
            )
        refused = refused or Absent(f"no tests are configured in {where}package.json", needless=True)
    return refused


def _reported(owner: _Owner, timeout_s: float) -> TestStep | Absent | None:
    """Run the script's own runner with a report; None when it cannot write one."""
    invocation, project = owner.invocation, owner.project
    if invocation is None or owner.script is None:
        return None
    program = invocation.start[0]
    own = find_own_program(project, program)
    if own is None and (project.folder / ".pnp.cjs").is_file():
        return None
    plan = plan_for(invocation, version_of(project, invocation.runner))
    if plan is None:
        return None
    if own is None and not shutil.which(program, path=project.path):
        return not_installed(project, program)
    command = _command(owner, plan.argv, timeout_s, owner.script.env, plan.support)

    def parse(result: CommandResult) -> TestRun:
        return read_reported(result, plan, invocation.runner, project.folder)

    def only(ids: tuple[str, ...]) -> Command | None:
        argv = plan.only(ids)
        return attrs.evolve(command, argv=argv) if argv else None

    version = attrs.evolve(command, argv=(*_version_start(invocation), "--version"), support={})
    return TestStep(invocation.runner, command, parse, only=only, version=version)


def _printed(owner: _Owner, manager: PackageManager, timeout_s: float) -> TestStep | Absent:
    """Run the script as it is; `ng test` alone needs to be told not to watch."""
    if manager.runs is None:
        return Absent(f"{manager.chosen} is not installed", needless=False)
    argv = manager.run(owner.name)
    invocation = owner.invocation
    if invocation is not None and invocation.runner == "ng" and find_own_program(owner.project, "ng"):
        argv = (*invocation.start, *invocation.rest, "--watch=false")
    command = _command(owner, argv, timeout_s)
    notes = (manager.note,) if manager.note else ()
    tool = invocation.runner if invocation else f"{manager.runs} run {owner.name}"

    def parse(result: CommandResult) -> TestRun:
        return read_printed(result, tool, notes)

    return TestStep(tool, command, parse)


def _substituted(project: Project, owner: _Owner, manager: PackageManager, timeout_s: float) -> TestStep | Absent:
    """A script that calls a missing package manager cannot run; a part of it, or another script, may."""
    substitute = find_substitute(owner.package, owner.name, manager.chosen)
    if substitute is None:
        return Absent(f"{manager.chosen} is not installed, and the script {owner.name!r} calls it", needless=False)
    stand_in = attrs.evolve(owner, script=substitute.script, invocation=substitute.invocation)
    step = _reported(stand_in, timeout_s)
    if step is None or isinstance(step, Absent):
        return step or Absent(f"{manager.chosen} is not installed", needless=False)
    return _noted_step(_whole(step, project, stand_in, manager, timeout_s), substitute.note)


def _whole(step: TestStep, project: Project, owner: _Owner, manager: PackageManager, timeout_s: float) -> TestStep:
    """Add what must run first, and how mutants are tried. In a copy, what the tests read may be built anew."""
    prepared = _prepared(step, owner, manager, timeout_s)

    def mutants(folder: Path) -> BuiltIn:
        alone = _tests_alone(owner, timeout_s)
        if alone is not None:
            return given_out(_suite(alone[0], project, alone[1], alone[2]), folder)
        read = prepared.prepare or not compiled_folder(owner.project, owner.package)
        build = () if read else _build(owner, manager, timeout_s)
        return given_out(_suite(step, project, owner, prepared.prepare or build), folder)

    return attrs.evolve(prepared, built_in=mutants, in_copy=True)


def _suite(step: TestStep, project: Project, owner: _Owner, prepare: tuple[Command, ...]) -> Suite:
    invocation = owner.invocation

    def argv(folder: Path) -> TrialArgv:
        version = version_of(owner.project, invocation.runner) if invocation else None
        plan = plan_for(invocation, version) if invocation else None
        if invocation is None or plan is None or plan.argv != step.command.argv:
            return TrialArgv(step.command.argv)
        return trial_argv(invocation, plan, version, folder)

    def driver(folder: Path) -> Driver | None:
        package, program = package_folder(owner.project, step.tool), DRIVERS.get(step.tool)
        if invocation is None or invocation.wrapped or package is None or program is None:
            return None
        if any(word.startswith("-") for word in invocation.start):
            # Without node's own options the tests may not run at all.
            return None
        whole, starts = argv(folder).whole, len(invocation.start)
        return Driver(program, package / "package.json", whole[starts:]) if whole[:starts] == invocation.start else None

    return Suite(project, owner.project, step.command, step.parse, prepare, argv, driver)


def _tests_alone(owner: _Owner, timeout_s: float) -> tuple[TestStep, _Owner, tuple[Command, ...]] | None:
    """Return what a longer script runs as tests, and what it builds ahead; a linter would complain of mutants."""
    part = find_part(owner.package, owner.name)
    if part is None:
        return None
    alone = attrs.evolve(owner, script=part.script, invocation=part.invocation)
    found = _reported(alone, timeout_s)
    if not isinstance(found, TestStep):
        words = (*part.invocation.start, *part.invocation.rest)
        tool = part.invocation.runner
        command = _command(alone, words, timeout_s, part.script.env)
        found = TestStep(tool, command, lambda result: read_printed(result, tool, ()))
    whole_lines = (_command(owner, (line,), timeout_s) for line in part.ahead)
    shell = tuple(attrs.evolve(line, shell=True) for line in whole_lines)  # noqa: S604  # the project wrote it
    return found, alone, shell


def _prepared(step: TestStep, owner: _Owner, manager: PackageManager, timeout_s: float) -> TestStep:
    """Put in front what the package manager would run first, or a build that the tests import.

    A build writes to the place of the run, which may be the user's own tree. That is done only where git
    ignores the folder, so that no file of the user's changes; otherwise the run says what it did not do.
    """
    scripts, script = owner.package.scripts, owner.script
    direct = script is not None and step.command.argv[:2] != manager.run(owner.name)[:2]
    before = f"pre{script.name}" if script is not None and direct else ""
    if before in scripts and manager.hooks and manager.runs:
        return attrs.evolve(step, prepare=(_command(owner, manager.run(before), timeout_s),))
    build = _build(owner, manager, timeout_s)
    compiled = compiled_folder(owner.project, owner.package) if build else None
    if compiled is None:
        return step
    folder, ignored = compiled
    if ignored:
        return attrs.evolve(step, prepare=build)
    note = f"the tests import {folder}/, which git tracks, so it was not built anew (set preTestCommand to build it)"
    return _noted_step(step, note)


def _build(owner: _Owner, manager: PackageManager, timeout_s: float) -> tuple[Command, ...]:
    scripts = owner.package.scripts
    if "build" not in scripts or manager.runs is None or _builds_itself(scripts, owner.name):
        return ()
    return (_command(owner, manager.run("build"), timeout_s),)


def _noted_step(step: TestStep, note: str) -> TestStep:
    read = step.parse
    return attrs.evolve(step, parse=lambda result: _noted(read(result), note))


def _builds_itself(scripts: Mapping[str, str], name: str) -> bool:
    lines = (scripts.get(key, "") for key in (f"pre{name}", name))
    return any(BUILDS.search(line) for line in lines)


def _noted(run: TestRun, note: str) -> TestRun:
    return attrs.evolve(run, notes=(*run.notes, note))


def _command(
    owner: _Owner,
    argv: tuple[str, ...],
    timeout_s: float,
    env: Mapping[str, str] | None = None,
    support: Mapping[str, str] | None = None,
) -> Command:
    package = owner.package
    # Libraries that colour text are tested for it, and fail where NO_COLOR is set; an empty one is as good as none.
    told = {"NO_COLOR": "", "npm_lifecycle_event": owner.name, "npm_package_name": package.name or ""}
    version = package.data.get("version")
    if isinstance(version, str):
        told["npm_package_version"] = version
    return Command(
        argv=argv,
        cwd=owner.project.root,
        env={**told, **(env or {}), **package_manager(owner.project).quiet},
        timeout_s=timeout_s,
        support=support or {},
        path_prepend=program_folders(owner.project),
    )


def _version_start(invocation: Invocation) -> tuple[str, ...]:
    """`react-scripts test --version` would run the tests; `react-scripts --version` does not."""
    return invocation.start[:1] if invocation.wrapped else invocation.start


def _named(project: Project, folder: Path) -> str:
    relative = folder.relative_to(project.place).as_posix()
    return "" if relative == "." else f"{relative}/"
