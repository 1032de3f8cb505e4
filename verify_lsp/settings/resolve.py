"""From options to settings: the editor's word wins over the workspace's, and both over the defaults."""

import tomllib
from pathlib import Path

import attrs

from verify_lsp.model.errors import EngineError
from verify_lsp.settings.options import FIELDS, NEEDS_TRUST, Options, read_options
from verify_lsp.settings.settings import Settings
from verify_lsp.system.files import read_bytes_if_there

OWN_FILE = "verify.toml"
SHARED_FILE = "pyproject.toml"
_MAX_BYTES = 4 * 1024 * 1024


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
    for name in (OWN_FILE, SHARED_FILE):
        try:
            content = read_bytes_if_there(workspace / name, _MAX_BYTES)
            if content is not None:
                return _options_in(name, content.decode("utf-8-sig"))
        except EngineError as error:
            return Options(problems=(str(error),))
        except UnicodeDecodeError:
            return Options(problems=(f"{name} cannot be read: it is not UTF-8",))
    return Options()


def protected_paths_in(name: str, text: str) -> tuple[str, ...]:
    """Return `protectedPaths` of a settings file's text, read as the file `name`; () where it has none."""
    found: tuple[str, ...] = _options_in(name, text).values.get("protected_paths", ())
    return found


def settings_changed(name: str, before: str | None, after: str | None) -> tuple[str, ...]:
    """Return the public names of the settings that differ between two texts of the settings file `name`."""
    then, now = (_options_in(name, text or "").values for text in (before, after))
    return tuple(key for key, field in FIELDS.items() if then.get(field.name) != now.get(field.name))


def _options_in(name: str, text: str) -> Options:
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        return Options(problems=(f"{name} cannot be read: {why}",))
    if name == OWN_FILE:
        return read_options(data, name)
    tools = data.get("tool")
    return read_options(tools.get("verify-lsp"), name) if isinstance(tools, dict) else Options()
