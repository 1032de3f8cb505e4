"""Running the tests of a JavaScript or TypeScript project with mutants that are given out where code is loaded.

Nothing is written into the project: the texts lie in the private folder, and a script that node loads first reads them there.
"""

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.model.command import CommandResult
from verify_lsp.toolchains.base import BuiltIn
from verify_lsp.toolchains.node.testing.mutants import REACHED, Suite, built_in, supported_files

_MAP = "over.json"
_ENVIRONMENT = {"BABEL_DISABLE_CACHE": "1"}
"""Babel's own loader keeps what it made of a file under the file's time, in the project."""


def laid_over(suite: Suite, folder: Path) -> BuiltIn | None:
    """Return how the suite is tried; None where something is built first, or node may not be what loads the code.

    Args:
        folder: Private, absolute, and stands until all mutants were tried.
    """
    if suite.prepare or not suite.argv(folder).known:
        return None
    environment = {**suite.command.env, **_ENVIRONMENT, "VERIFY_LSP_OVER": str(folder / _MAP)}
    loading = attrs.evolve(suite, command=attrs.evolve(suite.command, env=environment))
    return attrs.evolve(
        built_in(loading, folder),
        files=lambda texts: _files(suite.project.folder, texts, folder),
        build=(),
        unsure=lambda result, paths: _unsure(result, [str((suite.project.folder / path).resolve()) for path in paths]),
    )


def _files(root: Path, texts: Mapping[str, str], folder: Path) -> dict[Path, str]:
    files, places = supported_files(folder), dict[str, str]()
    for number, (path, text) in enumerate(sorted(texts.items()), 1):
        held = folder / "over" / f"{number}{Path(path).suffix}"
        files[held] = text
        for name in (root / path, (root / path).resolve()):
            places[str(name)] = str(held)
    return {**files, folder / _MAP: json.dumps(places)}


def _unsure(result: CommandResult, paths: Collection[str]) -> bool:
    """Tell whether some of these files (real, absolute) were not loaded, or may have been read in other ways."""
    missing = set(paths)
    for line in result.files.get(REACHED, "").splitlines():
        told = _object(line)
        if "unsure" in told:
            return True
        if isinstance(name := told.get("loaded"), str):
            missing.discard(str(Path(name).resolve()))
    return bool(missing)


def _object(line: str) -> Mapping[str, Any]:
    try:
        told: Any = json.loads(line)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}
