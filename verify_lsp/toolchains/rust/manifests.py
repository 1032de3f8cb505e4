"""Cargo manifests: which crate or workspace owns a file, and whether the lock file fits them."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.output import relative_path

MANIFEST = "Cargo.toml"
LOCK = "Cargo.lock"


def root_of(workspace: Path, path: str) -> str | None:
    """Return the folder that cargo is run in for a file, relative to the workspace; None outside of every crate.

    That is the folder of the Cargo workspace which the file's crate is a member of, else the crate's own.
    """
    folder = next((above for above in PurePosixPath(path).parents if _is_crate(workspace / above)), None)
    if folder is None:
        return None
    own = read_manifest(workspace / folder)
    if "workspace" in own:
        return str(folder)
    if isinstance(named := table(own, "package").get("workspace"), str):
        return relative_path(str(workspace / folder / named), workspace) or str(folder)
    for above in folder.parents:
        manifest = read_manifest(workspace / above)
        if "workspace" not in manifest:
            continue
        if (workspace / folder).resolve() in members(workspace / above):
            return str(above)
        if not _is_excluded(workspace / above, manifest, workspace / folder):
            break  # Cargo itself refuses such a crate; it says so best.
    return str(folder)


def members(root: Path) -> frozenset[Path]:
    """Return the absolute folders of a workspace's crates: listed ones, and those they depend on by path."""
    manifest = read_manifest(root)
    waiting = [
        folder for pattern in _strings(table(manifest, "workspace").get("members")) for folder in _glob(root, pattern)
    ]
    if "package" in manifest:
        waiting.append(root)
    found: set[Path] = set()
    while waiting:
        folder = waiting.pop().resolve()
        if folder in found or not (folder / MANIFEST).is_file() or _is_excluded(root, manifest, folder):
            continue
        found.add(folder)
        waiting += [path for path in _needed_by_path(folder, root, manifest) if path.is_relative_to(root.resolve())]
    return frozenset(found)


def has_unlisted_crates(root: Path) -> bool:
    """Return whether a workspace needs a crate by path that lies within its folder, but is none of its members."""
    manifest = read_manifest(root)
    known = members(root)
    patches = (*_tables(list(table(manifest, "patch").values())), table(manifest, "replace"))
    patched = [(root / path).resolve() for crates in patches for asked in crates.values() if (path := _path_in(asked))]
    needed = [path for member in known for path in _needed_by_path(member, root, manifest)]
    return any(path.is_relative_to(root.resolve()) and path not in known for path in (*patched, *needed))


def lock_trouble(folder: Path) -> str | None:
    """Say what cargo would do to the lock file of a workspace; None when the file fits the manifests.

    Names and versions are compared. A changed version requirement alone is left for cargo to find.
    """
    lock = folder / LOCK
    if not lock.is_file():
        return f"cargo would create {LOCK}"
    locked = {
        str(package.get("name")): (package.get("version"), _locked_names(package))
        for package in _tables(_read(lock).get("package"))
        if "source" not in package
    }
    root = read_manifest(folder)
    for member in sorted(members(folder)):
        manifest = read_manifest(member)
        package = table(manifest, "package")
        version = version_of(package, root)
        if locked.get(str(package.get("name"))) != (version, _asked_names(manifest, root)):
            return f"cargo would rewrite {LOCK}, which does not fit {MANIFEST}"
    return None


def version_of(package: dict[str, Any], root: dict[str, Any]) -> Any:
    """Return a package's version as its manifest gives it, or as the workspace's root manifest lends it."""
    version = package.get("version", "0.0.0")
    return table(root, "workspace", "package").get("version") if _inherits(version) else version


def copy_because(project: Project) -> str | None:
    """Say what cargo would write into the user's tree: a lock file that is missing or out of step."""
    return lock_trouble(project.folder) if read_manifest(project.folder) else None


def dependencies(manifest: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the dependencies of a crate of every kind and for every target: the name it uses, and what it asks for."""
    for tables in (manifest, *_tables(list(table(manifest, "target").values()))):
        for kind in (
            "dependencies",
            "dev-dependencies",
            "build-dependencies",
            "dev_dependencies",
            "build_dependencies",
        ):
            yield from table(tables, kind).items()


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a folder; empty when there is none, or none that can be read."""
    return _read(folder / MANIFEST)


def table(data: dict[str, Any], *keys: str) -> dict[str, Any]:
    """Return a table within tables; empty where something else stands."""
    value: Any = data
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _needed_by_path(folder: Path, root: Path, manifest: dict[str, Any]) -> list[Path]:
    """Return the folders of the crates that a crate needs by path; the workspace may name the path for it."""
    inherited = table(manifest, "workspace", "dependencies")
    needed = []
    for name, asked in dependencies(read_manifest(folder)):
        base, asked_for = (root, inherited.get(name)) if _inherits(asked) else (folder, asked)
        if path := _path_in(asked_for):
            needed.append((base / path).resolve())
    return needed


def _path_in(asked: Any) -> str | None:
    path = asked.get("path") if isinstance(asked, dict) else None
    return path if isinstance(path, str) else None


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}


def _is_crate(folder: Path) -> bool:
    """A vendored crate carries checksums, and belongs to whoever vendored it."""
    return (folder / MANIFEST).is_file() and not (folder / ".cargo-checksum.json").exists()


def _is_excluded(root: Path, manifest: dict[str, Any], folder: Path) -> bool:
    excluded = _strings(table(manifest, "workspace").get("exclude"))
    return any(folder.resolve().is_relative_to((root / name).resolve()) for name in excluded)


def _glob(root: Path, pattern: str) -> Iterator[Path]:
    if not re.search(r"[*?\[]", pattern):
        yield root / pattern
    elif not PurePosixPath(pattern).is_absolute():
        yield from (folder for folder in root.glob(pattern) if folder.is_dir())


def _asked_names(manifest: dict[str, Any], root: dict[str, Any]) -> frozenset[str]:
    inherited = table(root, "workspace", "dependencies")
    return frozenset(
        _real_name(name, inherited.get(name) if _inherits(asked) else asked) for name, asked in dependencies(manifest)
    )


def _real_name(name: str, asked: Any) -> str:
    renamed = asked.get("package") if isinstance(asked, dict) else None
    return renamed if isinstance(renamed, str) else name


def _locked_names(package: dict[str, Any]) -> frozenset[str]:
    return frozenset(entry.split(" ")[0] for entry in _strings(package.get("dependencies")))


def _inherits(value: Any) -> bool:
    return isinstance(value, dict) and value.get("workspace") is True


def _strings(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _tables(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
