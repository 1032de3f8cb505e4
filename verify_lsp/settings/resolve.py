"""From options to settings: the editor's word wins over the workspace's, and both over the defaults."""

import tomllib
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.settings.options import NEEDS_TRUST, Options, read_options
from verify_lsp.settings.settings import Settings

OWN_FILE = "verify.toml"
SHARED_FILE = "pyproject.toml"


@attrs.frozen
class Resolved:
    """Settings that hold, and what a user should know about how they came to be."""

    settings: Settings
    problems: tuple[str, ...] = ()


def resolve_settings(workspace: Path, editor: Options, *, trusted: bool) -> Resolved:
    """Return the settings of the folder `workspace`.

    Commands and addresses that a workspace file names are ignored until the workspace is trusted.
    """
    from_file = workspace_options(workspace)
    problems = [*from_file.problems, *editor.problems]
    if not trusted and (ignored := from_file.given(NEEDS_TRUST)):
        problems.append(
            f"ignored until this workspace is trusted: {', '.join(ignored)} (set by a file of the workspace)"
        )
        from_file = from_file.without(NEEDS_TRUST)
    return Resolved(Settings(**{**from_file.values, **editor.values}), tuple(problems))


def workspace_options(workspace: Path) -> Options:
    """Read `verify.toml`, else `[tool.verify-lsp]` of `pyproject.toml`."""
    own = workspace / OWN_FILE
    if own.is_file():
        data, problem = _read_toml(own)
        return read_options(data, OWN_FILE) if problem is None else Options(problems=(problem,))
    data, problem = _read_toml(workspace / SHARED_FILE)
    table = data.get("tool", {}).get("verify-lsp", {}) if problem is None else {}
    return read_options(table, SHARED_FILE) if isinstance(table, dict) else Options()


def protected_paths_in(name: str, text: str) -> tuple[str, ...]:
    """Return `protectedPaths` of a settings file's text, read as the file `name`; () where it has none."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return ()
    table = data if name == OWN_FILE else data.get("tool", {}).get("verify-lsp", {})
    options = read_options(table, name) if isinstance(table, dict) else Options()
    found: tuple[str, ...] = options.values.get("protected_paths", ())
    return found


def _read_toml(path: Path) -> tuple[dict[str, Any], str | None]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig")), None
    except FileNotFoundError:
        return {}, None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return {}, f"{path.name} cannot be read: {error}"
