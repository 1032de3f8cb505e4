"""What a manifest says, before and after: its sections, and the packages it asks for."""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from posixpath import basename
from typing import Any

from verify_lsp.model.change import FileChange

_SIZE_LIMIT = 1_000_000
_NAME = re.compile(r"\s*(@?[A-Za-z0-9][\w./@-]*?)\s*(?:\[|[<>=!~;@,\s(]|$)")
_GO_REQUIRE = re.compile(r"^\s*(?:require\s+)?([\w.-]+\.[\w./~-]+)\s+v\d", re.MULTILINE)
_REQUIREMENTS = re.compile(r"^(?:requirements|constraints)[\w.-]*\.(?:txt|in)$|^requirements/", re.IGNORECASE)
_NPM_TABLES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_CARGO_TABLES = ("dependencies", "dev-dependencies", "build-dependencies")


def is_manifest(path: str) -> bool:
    """Say whether `path` is a file that asks for packages, as far as this module can read it."""
    return _reader(path) is not None


def new_dependencies(file: FileChange) -> tuple[str, ...]:
    """Return the packages that the manifest asks for after the change and did not before, sorted.

    Empty for other files, and where the text of either side is unknown or cannot be read.
    """
    reader = _reader(file.path)
    if reader is None or file.after is None or (file.before is None and file.change != "added"):
        return ()
    try:
        before = set() if file.before is None else {_normal(name) for name in reader(file.before[:_SIZE_LIMIT])}
        after = {_normal(name): name for name in reader(file.after[:_SIZE_LIMIT])}
    except (ValueError, RecursionError):
        return ()
    return tuple(sorted(name for normal, name in after.items() if normal not in before))


def changed_sections(file: FileChange) -> frozenset[str] | None:
    """Return the names of the sections that differ, such as `scripts` or `tool.ruff`.

    None where that cannot be told: a text is missing or cannot be read.
    """
    sections = _sections_of(file.path)
    if sections is None or (file.after is None and file.change != "deleted"):
        return None
    if file.before is None and file.change != "added":
        return None
    try:
        before = sections((file.before or "")[:_SIZE_LIMIT])
        after = sections((file.after or "")[:_SIZE_LIMIT])
    except (ValueError, RecursionError):
        return None
    return frozenset(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _reader(path: str) -> Callable[[str], Iterable[str]] | None:
    name = basename(path)
    if _REQUIREMENTS.match(name) or _REQUIREMENTS.match("/".join(path.split("/")[-2:])):
        return _from_requirements
    return _READERS.get(name)


def _from_requirements(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if line.strip() and not line.lstrip().startswith(("#", "-")) and (found := _NAME.match(line)):
            yield found[1]


def _from_package_json(text: str) -> Iterator[str]:
    data = _json(text)
    for table in _NPM_TABLES:
        yield from _table(data.get(table))


def _from_pyproject(text: str) -> Iterator[str]:
    data = tomllib.loads(text)
    project, tool = _table(data.get("project")), _table(data.get("tool"))
    lists = [project.get("dependencies"), *_table(project.get("optional-dependencies")).values()]
    lists += [*_table(data.get("dependency-groups")).values(), _table(tool.get("uv")).get("dev-dependencies")]
    lists.append(_table(data.get("build-system")).get("requires"))
    for requirements in lists:
        strings = (item for item in requirements if isinstance(item, str)) if isinstance(requirements, list) else ()
        yield from (found[1] for item in strings if (found := _NAME.match(item)))
    poetry = _table(tool.get("poetry"))
    groups = [poetry, *map(_table, _table(poetry.get("group")).values())]
    for group in groups:
        for table in ("dependencies", "dev-dependencies"):
            yield from (name for name in _table(group.get(table)) if name.lower() != "python")


def _from_cargo(text: str) -> Iterator[str]:
    data = tomllib.loads(text)
    owners = [data, _table(data.get("workspace")), *map(_table, _table(data.get("target")).values())]
    for owner in owners:
        for table in _CARGO_TABLES:
            yield from _table(owner.get(table))


def _from_go_mod(text: str) -> Iterator[str]:
    return (found[1] for found in _GO_REQUIRE.finditer(text))


def _from_pipfile(text: str) -> Iterator[str]:
    data = tomllib.loads(text)
    for table in ("packages", "dev-packages"):
        yield from _table(data.get(table))


_READERS: Mapping[str, Callable[[str], Iterable[str]]] = {
    "package.json": _from_package_json,
    "pyproject.toml": _from_pyproject,
    "Cargo.toml": _from_cargo,
    "go.mod": _from_go_mod,
    "Pipfile": _from_pipfile,
}


def _sections_of(path: str) -> Callable[[str], Mapping[str, Any]] | None:
    name = basename(path)
    if name == "package.json":
        return _json
    if name in {"pyproject.toml", "Cargo.toml"}:
        return _toml_sections
    return _ini_sections if name == "setup.cfg" else None


def _json(text: str) -> Mapping[str, Any]:
    return _table(json.loads(text.removeprefix("\ufeff"))) if text.strip() else {}


def _toml_sections(text: str) -> Mapping[str, Any]:
    """Tables by name; those of `tool` and `workspace`, which hold many things, one by one."""
    data = dict(tomllib.loads(text))
    for group in ("tool", "workspace"):
        data.update({f"{group}.{name}": value for name, value in _table(data.pop(group, None)).items()})
    return data


def _ini_sections(text: str) -> Mapping[str, str]:
    sections: dict[str, str] = {}
    name = ""
    for line in text.split("\n"):
        if (stripped := line.strip()).startswith("[") and stripped.endswith("]"):
            name = stripped[1:-1].strip()
        elif stripped and not stripped.startswith(("#", ";")):
            sections[name] = sections.get(name, "") + line.rstrip() + "\n"
    return sections


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
