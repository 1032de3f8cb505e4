"""The project's own interpreter, and how it is made to see the tree that is verified."""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs

from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.output import relative_path
from verify_lsp.toolchains.python.project.configuration import project_name
from verify_lsp.toolchains.python.project.environments import project_environments
from verify_lsp.toolchains.python.project.installed import editable_folders, installed_version
from verify_lsp.toolchains.python.project.roots import enclosing_folders


@attrs.frozen
class Interpreter:
    """An interpreter.

    Attributes:
        program: Absolute path.
        environment: The virtual environment it belongs to; None for a plain installation.
        site_packages: Where its packages are; empty when that cannot be told without running it.
        shown: How reports name it: relative to the workspace where it stands in there.
    """

    program: Path
    environment: Path | None
    site_packages: tuple[Path, ...]
    shown: str

    def version_of(self, distribution: str) -> str | None:
        """Return the version of an installed distribution; "" when unknown, None when it is not installed."""
        if not self.site_packages:
            return ""
        return installed_version(self.site_packages, distribution)

    def has(self, distribution: str) -> bool:
        """Tell whether a distribution is installed; an environment we cannot look into may have it."""
        return self.version_of(distribution) is not None

    def script(self, name: str) -> str | None:
        """Return the absolute path of an installed program, or None."""
        path = self.program.parent / (f"{name}.exe" if os.name == "nt" else name)
        return str(path) if os.access(path, os.X_OK) and path.is_file() else None

    def variables(self) -> Mapping[str, str]:
        """Return what activating the environment would set, beside PATH."""
        return {} if self.environment is None else {"VIRTUAL_ENV": str(self.environment)}


def find_interpreter(project: Project) -> Interpreter | None:
    """Return the interpreter made for the project, else the first Python on its path; None when there is none.

    It is looked for in the user's workspace, also when the commands run in a copy of it.
    """
    for program in project_environments(project.workspace, project.root):
        if _is_program(program):
            return _described(program, project)
    ours: Interpreter | None = None
    for program in _on_path(project):
        interpreter = _described(program, project)
        if not _is_ours(program) or _has_editable(interpreter, project):
            return interpreter
        ours = ours or interpreter
    return ours


def import_folders(project: Project, interpreter: Interpreter) -> tuple[str, ...]:
    """Return the folders that must come first on the module path, absolute.

    In a copy of the workspace that is the copy of everything the environment would import from the
    workspace. In the workspace itself a `src` is added only when the project is not installed.
    """
    if project.place == project.workspace:
        source = project.folder / "src"
        name = project_name(project.home)
        installed = name is None or interpreter.has(name)
        return () if installed or not source.is_dir() else (str(source),)
    folders = [project.folder, project.folder / "src"]
    for folder in editable_folders(interpreter.site_packages):
        inside = relative_path(str(folder), project.workspace)
        if inside is not None and "site-packages" not in inside:
            folders.append(project.place / inside)
    return tuple(dict.fromkeys(str(folder) for folder in folders if folder.is_dir()))


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _on_path(project: Project) -> Iterator[Path]:
    for folder in filter(os.path.isabs, project.path.split(os.pathsep)):
        for name in ("python3", "python", "python.exe"):
            program = Path(folder, name)
            if _is_program(program):
                yield from _behind_shim(program, project)
                break


def _behind_shim(program: Path, project: Project) -> Iterator[Path]:
    """A pyenv shim is a script; the version files say which interpreter it would start here."""
    versions = program.parent.parent / "versions"
    if program.parent.name != "shims" or not versions.is_dir():
        yield program
        return
    folders = [project.workspace / folder for folder in enclosing_folders(project.root)]
    for file in [*(folder / ".python-version" for folder in folders), versions.parent / "version"]:
        for wanted in _words(file):
            matches = [versions / wanted, *sorted(versions.glob(re.sub(r"[^\w.-]", "", wanted) + ".*"), reverse=True)]
            found = next((path / "bin/python" for path in matches if _is_program(path / "bin/python")), None)
            if found is not None and found.parent.parent.parent == versions:
                yield found
                return
    yield program


def _words(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [word for line in lines for word in line.partition("#")[0].split()]


def _is_ours(program: Path) -> bool:
    """verify-lsp's own environment is no place for the project's tests."""
    return sys.prefix != sys.base_prefix and os.path.realpath(program.parent.parent) == os.path.realpath(sys.prefix)


def _has_editable(interpreter: Interpreter, project: Project) -> bool:
    homes = {os.path.realpath(project.home), os.path.realpath(project.home / "src")}
    return any(os.path.realpath(folder) in homes for folder in editable_folders(interpreter.site_packages))


def _described(program: Path, project: Project) -> Interpreter:
    environment = program.parent.parent
    settings = _settings_of(environment)
    inside = relative_path(str(program.parent), project.workspace)
    return Interpreter(
        program=program,
        environment=environment if settings is not None else None,
        site_packages=tuple(_site_packages(program, settings)),
        shown=str(program) if inside is None else f"{inside}/{program.name}",
    )


def _settings_of(environment: Path) -> Mapping[str, str] | None:
    try:
        lines = (environment / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    pairs = (line.partition("=") for line in lines)
    return {key.strip(): value.strip() for key, _, value in pairs}


def _site_packages(program: Path, settings: Mapping[str, str] | None) -> Iterator[Path]:
    if settings is not None:
        yield from _packages_below(program.parent.parent)
        if settings.get("include-system-site-packages", "").lower() != "true":
            return
    real = Path(os.path.realpath(program))
    match = re.fullmatch(r"python(\d+\.\d+)", real.name)
    version = match[1] if match else "3*"
    own = list(_packages_below(real.parent.parent, version))
    yield from own
    if own and match:
        yield from _packages_below(Path.home() / ".local", version)


def _packages_below(prefix: Path, version: str = "*") -> Iterator[Path]:
    """Debian keeps packages in `dist-packages`, some of them for all versions of Python 3 at once."""
    patterns = [f"lib/python{version}/site-packages", "Lib/site-packages", f"lib64/python{version}/site-packages"]
    patterns += [
        f"{lib}/dist-packages" for lib in (f"local/lib/python{version}", f"lib/python{version}", "lib/python3")
    ]
    seen: set[str] = set()
    for pattern in patterns:
        for path in sorted(prefix.glob(pattern)):
            real = os.path.realpath(path)
            if path.is_dir() and real not in seen:
                seen.add(real)
                yield path
