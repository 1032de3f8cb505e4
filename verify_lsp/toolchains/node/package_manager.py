"""Which package manager runs a project's scripts."""

import re
import shutil
from pathlib import Path
from typing import Literal

import attrs

from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.node.manifest import folders_upward, read_package

ManagerName = Literal["npm", "pnpm", "yarn", "bun"]

LOCK_FILES: dict[str, ManagerName] = {
    "package-lock.json": "npm",
    "npm-shrinkwrap.json": "npm",
    "pnpm-lock.yaml": "pnpm",
    "yarn.lock": "yarn",
    "bun.lock": "bun",
    "bun.lockb": "bun",
}

QUIET = {
    "CI": "1",
    # Corepack would fetch the version that `packageManager` names; nothing is installed in order to verify.
    "COREPACK_ENABLE_NETWORK": "0",
    "COREPACK_ENABLE_DOWNLOAD_PROMPT": "0",
    "COREPACK_ENABLE_AUTO_PIN": "0",
    "npm_config_yes": "false",
    # Daemons outlive the run, terminal pictures cannot be read, and first runs ask about telemetry.
    "NX_DAEMON": "false",
    "NX_TUI": "false",
    "TURBO_UI": "false",
    "TURBO_TELEMETRY_DISABLED": "1",
    "NG_CLI_ANALYTICS": "false",
    "DO_NOT_TRACK": "1",
    "BROWSER": "none",
}
"""Variables for every command of a script: no question, no download, no watcher, no daemon."""

# pnpm would fetch itself in another version, or install first; npm warns of variables that it does not know.
_QUIET_PNPM = {
    f"{prefix}_{name}": "false"
    for prefix in ("npm_config", "pnpm_config")
    for name in ("manage_package_manager_versions", "verify_deps_before_run")
}

_MAJOR = re.compile(r"[^@]*@\D{0,2}(\d+)")


@attrs.frozen
class PackageManager:
    """A project's package manager.

    Attributes:
        chosen: The one that the project names.
        runs: The one that will run scripts, because `chosen` may not be installed; None when none is.
        hooks: Whether running a script runs its `pre` script first.
    """

    chosen: ManagerName
    runs: ManagerName | None
    hooks: bool

    @property
    def note(self) -> str | None:
        """What a reader should know when another manager stands in."""
        if self.runs is None or self.runs == self.chosen:
            return None
        return f"{self.chosen} is not installed, so {self.runs} ran the script"

    @property
    def quiet(self) -> dict[str, str]:
        """Variables for what this package manager runs."""
        return {**QUIET, **_QUIET_PNPM} if self.runs == "pnpm" else dict(QUIET)

    def run(self, script: str) -> tuple[str, ...]:
        """Return the command that runs `script`. It is `bun run test`, never `bun test`."""
        return (self.runs or self.chosen, "run", script)


def package_manager(project: Project) -> PackageManager:
    """Choose by the `packageManager` field, then by the nearest lock file, else npm.

    The field wins wherever it stands between the project and the workspace, since a stray lock file is a
    common accident and a stray field is not.
    """
    folders = tuple(folders_upward(project.place, project.root))
    chosen, major = next(filter(None, map(_declared, folders)), None) or (_locked(folders), None)
    plug_and_play = any((folder / ".pnp.cjs").is_file() for folder in folders)
    modern_yarn = any((folder / ".yarnrc.yml").is_file() for folder in folders) or (major or 0) > 1
    runs = _installed(chosen, project.path, stand_in=not plug_and_play)
    return PackageManager(chosen, runs, hooks=not (chosen == "yarn" and modern_yarn))


def _declared(folder: Path) -> tuple[ManagerName, int | None] | None:
    package = read_package(folder)
    if package is None:
        return None
    field = package.data.get("packageManager")
    if isinstance(field, str):
        name = _manager_name(field.partition("@")[0])
        major = _MAJOR.match(field)
        return None if name is None else (name, int(major[1]) if major else None)
    engines = package.data.get("devEngines")
    manager = engines.get("packageManager") if isinstance(engines, dict) else None
    name = _manager_name(manager.get("name")) if isinstance(manager, dict) else None
    return None if name is None else (name, None)


def _locked(folders: tuple[Path, ...]) -> ManagerName:
    for folder in folders:
        for lock, manager in LOCK_FILES.items():
            if (folder / lock).is_file():
                return manager
    return "npm"


def _installed(chosen: ManagerName, path: str, *, stand_in: bool) -> ManagerName | None:
    """A script is a shell line: npm runs it as well, except where yarn resolves modules without `node_modules`."""
    if shutil.which(chosen, path=path):
        return chosen
    return "npm" if stand_in and shutil.which("npm", path=path) else None


def _manager_name(name: object) -> ManagerName | None:
    match name:
        case "npm" | "pnpm" | "yarn" | "bun":
            return name
        case _:
            return None
