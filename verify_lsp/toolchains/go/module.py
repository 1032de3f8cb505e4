"""Go modules: which one owns a file, and what `go` needs to be told to work in it."""

import os
import re
import shutil
from pathlib import Path, PurePosixPath

from verify_lsp.toolchains.base import Absent, Project
from verify_lsp.toolchains.go.settings import go_setting, goarch, goos, module_cache

# Folders whose own go.mod does not count: what stands there belongs to the module around it.
_PART_OF_THE_MODULE_AROUND = frozenset({"vendor", "testdata"})


def root_of(workspace: Path, path: str) -> str | None:
    """Return the folder of the module that owns a file, relative to the workspace; None outside of every module."""
    for folder in PurePosixPath(path).parents:
        inner = _PART_OF_THE_MODULE_AROUND.intersection(folder.parts)
        if not inner and (workspace / folder / "go.mod").is_file():
            return str(folder)
    return None


def no_go(project: Project) -> Absent | None:
    """Say that Go is not installed, if that is so."""
    if shutil.which("go", path=project.path) is None:
        return Absent("go is not installed", needless=False)
    return None


def go_environment(project: Project) -> dict[str, str]:
    """Return the variables for every `go` command in this module.

    No toolchain is downloaded. A newer one that the module asks for is used when Go fetched it before.
    A module that the `go.work` above it does not list is looked at alone, as Go tells its users to.
    """
    environment = {"GOTOOLCHAIN": _toolchain(project)}
    workspace_file = _workspace_file(project.folder)
    if workspace_file is not None and project.folder.resolve() not in _used_modules(workspace_file):
        environment["GOWORK"] = "off"
    return environment


def reading_flags() -> tuple[str, ...]:
    """Return the flag that keeps `go` from rewriting go.mod and go.sum where the user's GOFLAGS would let it."""
    return ("-mod=readonly",) if re.search(r"(?:^|\s)--?mod=mod\b", go_setting("GOFLAGS")) else ()


def takes_overlay(project: Project) -> bool:
    """Return whether files can be laid over those of this module: it has a path, and the user lays none over them."""
    laid = re.search(r"(?:^|\s)['\"]?--?overlay\b", go_setting("GOFLAGS"))
    return laid is None and takes_package(project)


def takes_package(project: Project) -> bool:
    """Return whether the files of this module can import a package that is put below it: it has a path."""
    return os.name != "nt" and module_path(project.folder) is not None


def module_path(folder: Path) -> str | None:
    """Return the import path that `go.mod` in `folder` declares."""
    found = re.search(r'^module\s+"?([^\s"]+)"?', _text(folder / "go.mod"), re.MULTILINE)
    return found.group(1) if found else None


def package_folder(package: str, module: str | None) -> str | None:
    """Return the folder of an import path relative to its module, "." for the module's own; None for foreign ones."""
    if module is None:
        return None
    if package == module:
        return "."
    return package.removeprefix(module + "/") if package.startswith(module + "/") else None


def _workspace_file(folder: Path) -> Path | None:
    asked = go_setting("GOWORK")
    if asked:
        return None if asked == "off" else Path(asked)
    return next((above / "go.work" for above in (folder, *folder.parents) if (above / "go.work").is_file()), None)


def _used_modules(workspace_file: Path) -> frozenset[Path]:
    text = re.sub(r"//.*", "", _text(workspace_file))
    listed = [line for block in re.findall(r"^use\s*\(([^)]*)\)", text, re.MULTILINE) for line in block.splitlines()]
    listed += re.findall(r"^use[ \t]+([^\s(].*)$", text, re.MULTILINE)
    names = (line.strip().strip('"`') for line in listed)
    return frozenset((workspace_file.parent / name).resolve() for name in names if name)


def _toolchain(project: Project) -> str:
    """Return the value of GOTOOLCHAIN: the installed Go, or one that the module needs and that is already here."""
    installed = _installed_version(project)
    files = [project.folder / "go.mod", _workspace_file(project.folder)]
    asked = [name for file in files if file is not None for name in _asked_versions(_text(file))]
    wanted = max(asked, key=_key, default=None)
    if installed is None or wanted is None or _key(wanted) <= _key(installed):
        return "local"
    # Go names a release "1.21.0", while a `go` line may leave out the patch.
    exact = wanted if wanted.count(".") == 2 or not re.fullmatch(r"[\d.]+", wanted) else f"{wanted}.0"
    fetched = module_cache() / "golang.org" / f"toolchain@v0.0.1-go{exact}.{goos()}-{goarch()}"
    return f"go{exact}" if fetched.is_dir() else "local"


def _installed_version(project: Project) -> str | None:
    program = shutil.which("go", path=project.path)
    if program is None:
        return None
    found = re.match(r"go(\S+)", _text(Path(program).resolve().parent.parent / "VERSION"))
    return found.group(1) if found else None


def _asked_versions(text: str) -> list[str]:
    return re.findall(r"^(?:go\s+|toolchain\s+go)(\d+\.\d+(?:\.\d+|rc\d+|beta\d+)?)\s*(?://.*)?$", text, re.MULTILINE)


def _key(version: str) -> tuple[int, ...]:
    numbers = [int(number) for number in re.findall(r"\d+", version)[:3]]
    return (*numbers, *([0] * (3 - len(numbers)))) if numbers else (0, 0, 0)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
