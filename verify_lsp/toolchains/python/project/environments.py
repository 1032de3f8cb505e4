"""Where the tools of the Python world keep a project's virtual environment."""

import base64
import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from verify_lsp.toolchains.python.project.configuration import project_name, toml, tool_table
from verify_lsp.toolchains.python.project.roots import enclosing_folders

IN_PROJECT = (".venv", "venv", "env", ".env", ".virtualenv")


def project_environments(workspace: Path, root: str) -> Iterator[Path]:
    """Yield the interpreters made for the project in `root`, the likeliest first; they may not exist.

    `uv run` and `poetry run` are never asked: without an environment they would make one.
    """
    folders = [workspace / folder for folder in enclosing_folders(root)]
    for folder in folders:
        yield from (program_of(folder / name) for name in IN_PROJECT)
    for folder in folders:
        yield from _pdm(folder)
    for folder in folders:
        if (folder / "poetry.lock").is_file() or tool_table(folder, "poetry") is not None:
            yield from _poetry(folder)
        if (folder / "Pipfile").is_file():
            yield from _pipenv(folder)


def program_of(environment: Path) -> Path:
    """Return where the interpreter of a virtual environment stands."""
    return environment / "Scripts/python.exe" if os.name == "nt" else environment / "bin/python"


def _pdm(folder: Path) -> Iterator[Path]:
    """`.pdm-python` holds the path of the interpreter that PDM uses; nothing else is taken from it."""
    try:
        recorded = Path((folder / ".pdm-python").read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError):
        return
    if recorded.is_absolute() and recorded.name.startswith("python"):
        yield recorded


def _poetry(folder: Path) -> Iterator[Path]:
    """Poetry names an environment by the project's name and a hash of its folder."""
    name = project_name(folder)
    if name is None:
        return
    name = re.sub(r'[ $`!*@"\\\r\n\t]', "_", name.lower())[:42]
    stem = f"{name}-{_hash(os.path.normcase(os.path.realpath(folder)))[:8]}-py"
    for environments in _poetry_folders(folder):
        yield from (program_of(path) for path in sorted(environments.glob(_escaped(stem) + "*"), reverse=True))


def _poetry_folders(folder: Path) -> Iterator[Path]:
    home = Path.home()
    for settings in (toml(folder / "poetry.toml"), toml(home / ".config/pypoetry/config.toml")):
        path = settings.get("virtualenvs", {}).get("path") if isinstance(settings.get("virtualenvs"), dict) else None
        cache = settings.get("cache-dir")
        if isinstance(path, str):
            yield Path(path.replace("{cache-dir}", str(cache or home / ".cache/pypoetry")))
        if isinstance(cache, str):
            yield Path(cache, "virtualenvs")
    yield home / ".cache/pypoetry/virtualenvs"
    yield home / "Library/Caches/pypoetry/virtualenvs"


def _pipenv(folder: Path) -> Iterator[Path]:
    """Pipenv names an environment by the project's folder and a hash of the Pipfile's path."""
    name = re.sub(r'[ &$`!*@"()\[\]\\\r\n\t]', "_", folder.resolve().name)[:42]
    digest = _hash(str(folder.resolve() / "Pipfile"))[:8]
    yield program_of(Path.home() / ".local/share/virtualenvs" / f"{name}-{digest}")


def _hash(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _escaped(text: str) -> str:
    return re.sub(r"([*?\[])", r"[\1]", text)
