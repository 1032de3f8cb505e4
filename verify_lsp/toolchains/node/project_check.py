"""The type check of a JavaScript or TypeScript project: its own compiler, its own configuration, nothing written."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

import attrs

from verify_lsp.model.command import RESULTS, Command, CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.base import Absent, ProblemStep, Project, Unreadable
from verify_lsp.toolchains.node.installed import (
    find_own_program,
    missing_dependencies,
    not_installed,
    package_folder,
    program_folders,
    version_of,
)
from verify_lsp.toolchains.node.manifest import folders_upward, read_package, read_text
from verify_lsp.toolchains.node.package_manager import QUIET
from verify_lsp.toolchains.node.tsc_output import files_of_build_info, read_tsc, stopped_at_syntax
from verify_lsp.toolchains.node.tsconfig import TYPED, Configs, find_configs

_COMPONENTS = frozenset({".vue", ".svelte", ".astro"})
_INCREMENTAL_WITHOUT_OUTPUT = (4, 0, 0)
_INFO_LIMIT = 64 * 1024 * 1024


@attrs.frozen
class _Compiler:
    """The compiler of a project.

    Attributes:
        name: "tsc", or "vue-tsc", which reads components too and is told the same.
        library: TypeScript as a library; None from version 7 on.
        version: None when it is not the project's own.
    """

    name: str
    path: str
    library: Path | None
    version: tuple[int, ...] | None


def project_check(project: Project, timeout_s: float) -> ProblemStep | Absent:
    """Return how to type-check a project.

    One configuration is checked by `tsc --noEmit`. Several, and those with project references, are checked
    one after the other by a script of ours, because `tsc --build` writes into the tree.
    """
    configs = find_configs(project)
    if configs is None:
        return _untyped(project)
    compiler = _compiler(project)
    if isinstance(compiler, Absent):
        return compiler
    if len(configs.leaves) == 1 and not configs.linked:
        return _plain_check(project, compiler, configs.leaves[0], timeout_s)
    return _check_several(project, compiler, configs, timeout_s)


def _check_several(project: Project, compiler: _Compiler, configs: Configs, timeout_s: float) -> ProblemStep | Absent:
    if not shutil.which("node", path=project.path):
        return Absent("node is not installed", needless=False)
    if compiler.library is not None and compiler.name == "tsc":
        return _check_with_library(project, compiler, configs, timeout_s)
    if configs.linked:
        which = "TypeScript 7" if compiler.name == "tsc" else compiler.name
        return Absent(f"{which} checks project references only after a build (set projectCheckCommand)", needless=False)
    return _check_one_by_one(project, compiler, configs, timeout_s)


def _untyped(project: Project) -> Absent:
    folders = folders_upward(project.place, project.root)
    if any((folder / name).is_file() for folder in folders for name in ("deno.json", "deno.jsonc")):
        return Absent("Deno projects are not type-checked (set projectCheckCommand to `deno check`)", needless=False)
    return Absent("no tsconfig.json, and no jsconfig.json with checkJs", needless=True)


def _compiler(project: Project) -> _Compiler | Absent:
    """The project's own compiler; one on PATH only where the project does not ask for a version of its own."""
    packages = [read_package(folder) for folder in folders_upward(project.place, project.root)]
    declared = frozenset(name for package in packages if package for name in package.dependencies)
    version = version_of(project, "typescript")
    folder = package_folder(project, "typescript")
    library = folder / "lib" / "typescript.js" if folder else None
    for name in ("vue-tsc", "tsc"):
        if name == "vue-tsc" and name not in declared:
            continue
        own = find_own_program(project, name)
        if own is not None:
            return _Compiler(name, own, library if library and library.is_file() else None, version)
    for package in packages:
        if absent := missing_dependencies(project, package):
            return absent
    found = shutil.which("tsc", path=project.path)
    return (
        _Compiler("tsc", found, None, None)
        if found and "typescript" not in declared
        else not_installed(project, "typescript")
    )


def _plain_check(project: Project, compiler: _Compiler, config: str, timeout_s: float) -> ProblemStep:
    argv = [compiler.name, "--noEmit", "--pretty", "false", "--project", config]
    info: Path | None = None
    if compiler.version is not None and compiler.version >= _INCREMENTAL_WITHOUT_OUTPUT:
        # Composite projects must be incremental, and would leave their `.tsbuildinfo` in the tree.
        info = project.cache / ("tree.tsbuildinfo" if project.place == project.workspace else "copy.tsbuildinfo")
        argv += ["--incremental", "--tsBuildInfoFile", str(info)]
    command = _command(project, tuple(argv), timeout_s)

    def seen(_: CommandResult) -> frozenset[str] | None:
        return files_of_build_info(read_text(info, _INFO_LIMIT), info.parent) if info else None

    return _step(project, compiler, command, seen)


def _check_with_library(project: Project, compiler: _Compiler, configs: Configs, timeout_s: float) -> ProblemStep:
    argv = (
        "node",
        f"{RESULTS}/check_projects.cjs",
        "api",
        str(compiler.library),
        f"{RESULTS}/seen.json",
        *configs.leaves,
    )
    command = attrs.evolve(_command(project, argv, timeout_s), support=_driver())

    def seen(result: CommandResult) -> frozenset[str] | None:
        return files_of_build_info(result.files.get("seen.json"), project.folder)

    return _step(project, compiler, command, seen, all_phases=True)


def _check_one_by_one(project: Project, compiler: _Compiler, configs: Configs, timeout_s: float) -> ProblemStep:
    folder = project.cache / ("tree" if project.place == project.workspace else "copy")
    argv = ("node", f"{RESULTS}/check_projects.cjs", "spawn", compiler.path, str(folder), *configs.leaves)
    command = attrs.evolve(_command(project, argv, timeout_s), support=_driver())

    def seen(_: CommandResult) -> frozenset[str] | None:
        texts = [read_text(folder / f"{index}.tsbuildinfo", _INFO_LIMIT) for index in range(len(configs.leaves))]
        lists = [files_of_build_info(text, folder) for text in texts]
        return frozenset().union(*filter(None, lists)) if all(lists) else None

    return _step(project, compiler, command, seen)


def _step(
    project: Project,
    compiler: _Compiler,
    command: Command,
    seen: Callable[[CommandResult], frozenset[str] | None],
    *,
    all_phases: bool = False,
) -> ProblemStep:
    def parse(result: CommandResult) -> tuple[Problem, ...] | Unreadable:
        problems = read_tsc(result, project, compiler.name, all_phases=all_phases)
        if isinstance(problems, Unreadable) or all_phases or not stopped_at_syntax(problems):
            return problems
        if any(problem.path in project.changed for problem in problems):
            return problems
        where = f"{compiler.name} stopped at syntax errors in {problems[0].path}"
        return Unreadable(f"{where}, and did not look at types", broke=False)

    def unseen(result: CommandResult) -> tuple[str, ...]:
        files = None if isinstance(parse(result), Unreadable) else seen(result)
        kinds = TYPED | _COMPONENTS
        wanted = [path for path in project.changed if PurePosixPath(path).suffix.lower() in kinds]
        return tuple(path for path in wanted if files is not None and not files.intersection(_spellings(project, path)))

    version = _command(project, (compiler.name, "--version"), 30.0)
    return ProblemStep(compiler.name, command, parse, version=version, unseen=unseen)


def _spellings(project: Project, path: str) -> Iterator[str]:
    yield os.path.normpath(project.folder / path)
    yield os.path.realpath(project.folder / path)


def _command(project: Project, argv: tuple[str, ...], timeout_s: float) -> Command:
    return Command(argv, cwd=project.root, env=QUIET, timeout_s=timeout_s, path_prepend=program_folders(project))


def _driver() -> dict[str, str]:
    name = "check_projects.cjs"
    return {name: Path(__file__).with_name(name).read_text(encoding="utf-8")}
