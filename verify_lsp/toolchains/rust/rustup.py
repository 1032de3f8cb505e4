"""Rust programs behind rustup's proxies, found without running them.

Rustup puts one program under many names on the PATH, also under those of components that are not
installed: only the toolchain's own folder says what is there.
"""

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.toolchains.base import Absent, Project

_CHANNEL_FILES = ("rust-toolchain", "rust-toolchain.toml")


@attrs.frozen
class RustToolchain:
    """The toolchain that rustup chooses for a folder. `folder` is None when it is not installed."""

    name: str
    folder: Path | None

    def is_older_than(self, minor: int) -> bool:
        """Return whether its name says that it is older than Rust 1.`minor`; a channel such as `stable` is not."""
        found = re.match(r"1\.(\d+)", self.name)
        return found is not None and int(found.group(1)) < minor


def no_cargo(project: Project) -> Absent | None:
    """Say that cargo, or the toolchain that the project asks for, is not installed, if that is so."""
    programs = list(_programs("cargo", project.path))
    if not programs:
        return Absent("cargo is not installed", needless=False)
    if is_proxy(programs[0]) and (chosen := chosen_toolchain(project.folder)) and chosen.folder is None:
        return Absent(f"the Rust toolchain {chosen.name} is not installed", needless=False)
    return None


def component(project: Project, name: str) -> str | None:
    """Return the absolute path of a program such as `rust-analyzer` that really is installed, or None."""
    for program in _programs(name, project.path):
        if not is_proxy(program):
            return str(program)
        chosen = chosen_toolchain(project.folder)
        real = chosen.folder / "bin" / program.name if chosen and chosen.folder else None
        if real is not None and os.access(real, os.X_OK):
            return str(real)
    return None


def is_proxy(program: Path) -> bool:
    """Return whether a program is rustup under another name: a link to it, or a copy beside it."""
    if program.resolve().stem == "rustup":
        return True
    rustup = program.with_name("rustup" + program.suffix)
    try:
        same = rustup.stat().st_size == program.stat().st_size
    except OSError:
        return False
    return same and rustup.name != program.name


def chosen_toolchain(folder: Path) -> RustToolchain | None:
    """Return the toolchain for a folder, by rustup's rules; None when nothing names one."""
    home = Path(os.environ.get("RUSTUP_HOME") or Path.home() / ".rustup")
    settings = _read(home / "settings.toml")
    name = os.environ.get("RUSTUP_TOOLCHAIN") or _named_above(folder, settings) or settings.get("default_toolchain")
    if not isinstance(name, str) or not name:
        return None
    if os.sep in name:
        return RustToolchain(name, Path(name) if Path(name).is_dir() else None)
    return RustToolchain(name, _installed(home / "toolchains", name))


def _named_above(folder: Path, settings: dict[str, Any]) -> str | None:
    """Return what the nearest folder says: a directory override, else a toolchain file."""
    overrides = settings.get("overrides")
    overrides = overrides if isinstance(overrides, dict) else {}
    folder = folder.resolve()
    for above in (folder, *folder.parents):
        if isinstance(named := overrides.get(str(above)), str):
            return named
        for file in _CHANNEL_FILES:
            if channel := _channel(above / file):
                return channel
    return None


def _channel(file: Path) -> str | None:
    try:
        text = file.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return None
    if "\n" not in text and "[" not in text:
        return text or None  # The older form: the name alone.
    toolchain = _read(file).get("toolchain")
    if not isinstance(toolchain, dict):
        return None
    if isinstance(path := toolchain.get("path"), str):
        return str((file.parent / path).resolve())
    channel = toolchain.get("channel")
    return channel if isinstance(channel, str) else None


def _installed(toolchains: Path, name: str) -> Path | None:
    """Find a toolchain's folder: its name as said, or with this machine's target behind it."""
    if (toolchains / name).is_dir():
        return toolchains / name
    with_target = re.compile(re.escape(name) + r"-[a-z]\w*-[\w-]+")
    found = sorted(folder for folder in toolchains.glob("*") if with_target.fullmatch(folder.name) and folder.is_dir())
    return found[0] if found else None


def _programs(name: str, path: str) -> Iterator[Path]:
    for folder in path.split(os.pathsep):
        for file in (name, f"{name}.exe"):
            program = Path(folder) / file
            if folder and program.is_file() and os.access(program, os.X_OK):
                yield program


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
