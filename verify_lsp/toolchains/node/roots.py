"""Which folder is the project of a JavaScript or TypeScript file."""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from verify_lsp.toolchains.node.manifest import Package, folders_upward, read_package, read_text
from verify_lsp.toolchains.node.package_manager import LOCK_FILES

_YAML_ITEM = re.compile(r"""[ \t]*-[ \t]+(['"]?)([^'"#\s]+)\1[ \t]*(?:#.*)?$""")

_OWNERS = (
    "scripts",
    "dependencies",
    "devDependencies",
    "peerDependencies",
    "optionalDependencies",
    "workspaces",
    "packageManager",
    "bin",
)


def root_of(workspace: Path, path: str) -> str | None:
    """Return the folder that owns the workspace-relative `path`; None when no manifest stands above it.

    The nearest `package.json` wins, unless it only tells Node how to load a folder (`{"type": "module"}`,
    an entry point for bundlers): such a file owns nothing while a real one stands above it.
    """
    parts = PurePosixPath(path).parts
    if PurePosixPath(path).is_absolute() or ".." in parts or "node_modules" in parts:
        return None
    weak: Path | None = None
    for folder in folders_upward(workspace, PurePosixPath(path).parent.as_posix()):
        if (folder / "package.json").is_file() and _owns(workspace, folder):
            return _relative(workspace, folder)
        if _has(folder, "deno.json", "deno.jsonc"):
            return _relative(workspace, folder)
        if weak is None and _has(folder, "tsconfig.json", "jsconfig.json", "package.json"):
            weak = folder
    return None if weak is None else _relative(workspace, weak)


def _owns(workspace: Path, folder: Path) -> bool:
    package = read_package(folder)
    if package is None:
        return True  # A manifest in the middle of an edit is still the project's manifest.
    if any(package.data.get(key) for key in _OWNERS) or _has(folder, "pnpm-workspace.yaml", *LOCK_FILES):
        return True
    return package.name is not None and _is_member(workspace, folder)


def _is_member(workspace: Path, folder: Path) -> bool:
    above = [parent for parent in folders_upward(workspace, _relative(workspace, folder)) if parent != folder]
    for parent in above:
        globs = workspace_globs(parent)
        if globs:
            return any(_glob(glob).fullmatch(folder.relative_to(parent).as_posix()) for glob in globs)
    return False


def workspace_globs(folder: Path) -> tuple[str, ...]:
    """Return the globs of the workspace packages that `folder` declares, for npm, yarn, bun or pnpm."""
    package: Package | None = read_package(folder)
    if package is not None and package.workspaces:
        return package.workspaces
    return tuple(_pnpm_globs(read_text(folder / "pnpm-workspace.yaml") or ""))


def _pnpm_globs(text: str) -> Iterator[str]:
    """Read the one list that is wanted, in the one form that everybody writes."""
    inside = False
    for line in text.splitlines():
        item = _YAML_ITEM.match(line)
        if inside and item:
            yield item[2]
        elif line.strip() and not line.lstrip().startswith("#"):
            inside = line.startswith("packages:")


def _glob(glob: str) -> re.Pattern[str]:
    parts = re.split(r"(\*\*|\*)", glob.removeprefix("./").rstrip("/"))
    return re.compile("".join({"**": ".*", "*": "[^/]*"}.get(part, re.escape(part)) for part in parts))


def _has(folder: Path, *names: str) -> bool:
    return any((folder / name).is_file() for name in names)


def _relative(workspace: Path, folder: Path) -> str:
    return folder.relative_to(workspace).as_posix()
