"""Linking heavy folders into a shadow copy, entry by entry where a plain link would lead back to the user's code."""

import os
from pathlib import Path

HEAVY = frozenset({"node_modules", ".venv", "venv", "target"})
"""Folders that are linked instead of copied, wherever they are; toolchains add their own."""

_PATH_FILE_LIMIT = 64 * 1024


def link_heavy(source: Path, target: Path, name: str) -> None:
    """Make the folder `name` of `source` available below `target`.

    An installed package that is itself a link into the tree (a workspace's own package), and one that is installed
    in place ("editable"), become the copy's; all else is linked.
    """
    if Path(name).name == "node_modules":
        _link_packages(source, target, name)
    elif (source / name / "pyvenv.cfg").is_file():
        _link_environment(source, target, name)
    else:
        (target / name).symlink_to(source / name)


def link_like(source: Path, target: Path, name: str) -> None:
    """Make the link `name` of `source` anew below `target`, so that it leads to what it means there."""
    (target / name).symlink_to(led(source, target, name, str((source / name).readlink())))


def led(source: Path, target: Path, name: str, goal: str) -> str:
    """Return where the link `name` below `target` must lead when it leads to `goal` below `source`.

    What leads within the tree stays in the copy; a relative link out of the tree leads to where it led.
    """
    at_home = os.path.normpath(os.path.join(source, os.path.dirname(name), goal))  # noqa: PTH118, PTH120  # "..".
    inside = Path(at_home).is_relative_to(source)
    if Path(goal).is_absolute():
        return str(target / Path(at_home).relative_to(source)) if inside else goal
    return goal if inside else at_home


def _link_packages(source: Path, target: Path, name: str) -> None:
    (target / name).mkdir()
    for entry in (source / name).iterdir():
        path = f"{name}/{entry.name}"
        if entry.is_symlink():
            link_like(source, target, path)
        elif entry.name.startswith("@") and entry.is_dir():
            _link_packages(source, target, path)
        else:
            (target / path).symlink_to(entry)


def _link_environment(source: Path, target: Path, name: str) -> None:
    (target / name).mkdir()
    for entry in (source / name).iterdir():
        copy = target / name / entry.name
        if entry.name == "lib" and not entry.is_symlink():
            copy.mkdir()
            for version in entry.iterdir():
                _link_version(source, target, f"{name}/lib/{version.name}")
        else:
            copy.symlink_to(entry)


def _link_version(source: Path, target: Path, name: str) -> None:
    packages = source / name / "site-packages"
    if not packages.is_dir() or packages.is_symlink():
        (target / name).symlink_to(source / name)
        return
    (target / name / "site-packages").mkdir(parents=True)
    for entry in packages.iterdir():
        copy = target / name / "site-packages" / entry.name
        content = entry.read_bytes() if _names_paths(entry) else b""
        if os.fsencode(source) in content:
            copy.write_bytes(content.replace(os.fsencode(source), os.fsencode(target)))
        else:
            copy.symlink_to(entry)


def _names_paths(entry: Path) -> bool:
    """Tell whether a file of an environment is one by which packages are installed in place."""
    fits = entry.suffix in (".pth", ".egg-link") or (entry.name.startswith("__editable__") and entry.suffix == ".py")
    return fits and entry.is_file() and entry.stat().st_size <= _PATH_FILE_LIMIT
