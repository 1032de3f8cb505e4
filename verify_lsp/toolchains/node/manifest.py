"""Reading `package.json` and its relatives: bounded, forgiving about comments, never trusting a type."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

_LIMIT = 4 * 1024 * 1024
_DEPENDENCY_KEYS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")

# Strings are matched first so that `//` inside them is no comment; commas before a closing bracket go.
_JSONC_PART = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_JSONC_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)


@attrs.frozen
class Package:
    """A folder's `package.json`, as far as it has the types that it should have."""

    folder: Path
    data: Mapping[str, Any]

    @property
    def name(self) -> str | None:
        """The package's name."""
        name = self.data.get("name")
        return name if isinstance(name, str) and name else None

    @property
    def scripts(self) -> Mapping[str, str]:
        """Script name to command line, without those that are blank."""
        scripts = self.data.get("scripts")
        if not isinstance(scripts, dict):
            return {}
        return {key: line for key, line in scripts.items() if isinstance(line, str) and line.strip()}

    @property
    def dependencies(self) -> frozenset[str]:
        """Names of all that it declares to need, whatever for."""
        tables = (self.data.get(key) for key in _DEPENDENCY_KEYS)
        return frozenset(name for table in tables if isinstance(table, dict) for name in table)

    @property
    def workspaces(self) -> tuple[str, ...]:
        """The globs of its workspace packages; empty when it has none."""
        declared = self.data.get("workspaces")
        if isinstance(declared, dict):
            declared = declared.get("packages")
        return tuple(glob for glob in declared if isinstance(glob, str)) if isinstance(declared, list) else ()


def read_package(folder: Path) -> Package | None:
    """Return the `package.json` of `folder`; None when there is none or it holds no object."""
    data = read_json(folder / "package.json")
    return Package(folder, data) if isinstance(data, dict) else None


def read_json(path: Path) -> Any:
    """Return the JSON in `path`, with or without a byte order mark; None when it cannot be read."""
    return _parsed(read_text(path))


def read_jsonc(path: Path) -> Any:
    """Return the JSON in `path`, where comments and trailing commas may stand; None when it cannot be read."""
    text = read_text(path)
    if text is None:
        return None
    bare = _JSONC_PART.sub(lambda part: part[0] if part[0].startswith('"') else " ", text)
    return _parsed(_JSONC_COMMA.sub(lambda part: part[1] or "", bare))


def read_text(path: Path, limit: int = _LIMIT) -> str | None:
    """Return the text of a regular file of at most `limit` bytes; None for everything else."""
    try:
        if not path.is_file() or path.stat().st_size > limit:
            return None
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return None


def folders_upward(place: Path, root: str) -> Iterator[Path]:
    """Yield the folder `root` of `place`, then each folder above it, up to and with `place`."""
    folder = place / root
    yield folder
    while folder != place and place in folder.parents:
        folder = folder.parent
        yield folder


def _parsed(text: str | None) -> Any:
    if text is None:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
