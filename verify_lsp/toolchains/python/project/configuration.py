"""Reading the files that Python tools are configured in; a file that cannot be read configures nothing."""

import configparser
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_PYPROJECT = "pyproject.toml"


def tool_table(folder: Path, tool: str) -> Mapping[str, Any] | None:
    """Return `[tool.TOOL]` of the `pyproject.toml` in `folder`; None when there is no such table."""
    table = pyproject(folder).get("tool", {})
    found = table.get(tool) if isinstance(table, dict) else None
    return found if isinstance(found, dict) else None


def pyproject(folder: Path) -> Mapping[str, Any]:
    """Return the `pyproject.toml` in `folder`, empty when there is none or it is broken."""
    return toml(folder / _PYPROJECT)


def toml(path: Path) -> Mapping[str, Any]:
    """Return a TOML file as a table, empty when there is none or it is broken."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return {}


def ini_section(path: Path, section: str) -> Mapping[str, str] | None:
    """Return one section of an INI file; None when there is no such section."""
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(path.read_text(encoding="utf-8-sig"))
        return dict(parser.items(section)) if parser.has_section(section) else None
    except (OSError, UnicodeDecodeError, configparser.Error):
        return None


def project_name(folder: Path) -> str | None:
    """Return the distribution name that the project in `folder` declares statically."""
    poetry = tool_table(folder, "poetry") or {}
    declared = pyproject(folder).get("project", {})
    metadata = ini_section(folder / "setup.cfg", "metadata") or {}
    for name in (
        declared.get("name") if isinstance(declared, dict) else None,
        poetry.get("name"),
        metadata.get("name"),
    ):
        if isinstance(name, str) and name:
            return name
    return None


def mentions(folder: Path, package: str) -> bool:
    """Tell whether the project's dependency files speak of `package`, in whatever way."""
    names = [_PYPROJECT, "setup.py", "setup.cfg", "Pipfile", "tox.ini", "noxfile.py", "environment.yml"]
    paths = [folder / name for name in names] + sorted(folder.glob("*requirements*.txt"))
    paths += sorted((folder / "requirements").glob("*.txt"))
    for path in paths[:50]:
        try:
            if package in path.read_text(encoding="utf-8", errors="replace"):
                return True
        except OSError:
            continue
    return False
