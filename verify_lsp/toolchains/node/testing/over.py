"""Running the tests of a JavaScript or TypeScript project with mutants that are given out where code is loaded.

No file of the copy is rewritten: the texts lie in the private folder, and a script that node loads first gives them to
whatever loads code. Whoever else reads a changed file gets it as it is. That this is so must show in the survey, in which
these others get texts that tell when they are run as code; where it does not show, the texts are written into the copy.
"""

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.model.command import RESULTS, CommandResult
from verify_lsp.model.testrun import TestRun
from verify_lsp.toolchains.base import BuiltIn
from verify_lsp.toolchains.node.testing.mutants import Suite, built_in
from verify_lsp.toolchains.node.testing.switch import PRELUDE, TELLING_PRELUDE

_MAP = "over.json"
_NOTES = "over.ndjson"
_ENVIRONMENT = {"BABEL_DISABLE_CACHE": "1"}
"""Babel's own loader keeps what it made of a file under the time that the file has."""


@attrs.frozen
class _Notes:
    """What the processes of a run wrote down.

    Attributes:
        loaded: Files (real, absolute) that were given out with mutants in them.
        kinds: `read` where others were given a file, `compiles` where these look as if they made code of texts,
            `unsure` where a file may have been had unseen, `ran` where a text that tells was run.
    """

    loaded: frozenset[str]
    kinds: frozenset[str]


def given_out(suite: Suite, folder: Path) -> BuiltIn:
    """Return how the suite is tried. Where something is built, or node may not be what loads the code, texts are written.

    Args:
        folder: Private, absolute, and stands until all mutants were tried.
    """
    written = built_in(suite, folder)
    if suite.prepare or not suite.argv(folder).known:
        return written
    variables = {"VERIFY_LSP_OVER": str(folder / _MAP), "VERIFY_LSP_OVER_NOTES": f"{RESULTS}/{_NOTES}"}
    environment = {**suite.command.env, **_ENVIRONMENT, **variables}
    loading = built_in(attrs.evolve(suite, command=attrs.evolve(suite.command, env=environment)), folder)
    root = suite.project.folder
    given = attrs.evolve(
        loading,
        files=lambda texts: {**loading.files({}), **_files(root, texts, folder)},
        parse=lambda result: _held(loading.parse(result), _notes(result)),
        instead=lambda result, paths: None if _shown(loading.parse(result), _notes(result), root, paths) else written,
    )

    def instead(result: CommandResult, paths: Collection[str]) -> BuiltIn | None:
        run, notes = loading.parse(result), _notes(result)
        if _shown(run, notes, root, paths):
            return None
        # Tests that hold the text of a file against something fail where it tells.
        return given if run.verdict != "passed" and notes.kinds == {"read"} else written

    telling = {**loading.survey.env, "VERIFY_LSP_OVER_TELLING": "1"}
    return attrs.evolve(given, survey=attrs.evolve(loading.survey, env=telling), instead=instead)


def _shown(run: TestRun, notes: _Notes, root: Path, paths: Collection[str]) -> bool:
    """Tell whether tests passed on these files, all of them given out, none run in another way."""
    missing = {str((root / path).resolve()) for path in paths} - notes.loaded
    return run.verdict == "passed" and not missing and not notes.kinds & {"unsure", "ran"}


def _held(run: TestRun, notes: _Notes) -> TestRun:
    """Tests that pass show nothing where nothing was given out."""
    if run.verdict == "passed" and not notes.loaded:
        return TestRun("unusable", reason="the tests passed without loading the changed files")
    return run


def _files(root: Path, texts: Mapping[str, str], folder: Path) -> dict[Path, str]:
    files, places = dict[Path, str](), dict[str, Mapping[str, str]]()
    for number, (path, text) in enumerate(sorted(texts.items()), 1):
        held, telling = (folder / kind / f"{number}{Path(path).suffix}" for kind in ("over", "telling"))
        files[held] = text
        place = {"text": str(held)}
        if PRELUDE in text:
            files[telling] = text.replace(PRELUDE, TELLING_PRELUDE, 1)
            place["telling"] = str(telling)
        for name in (root / path, (root / path).resolve()):
            places[str(name)] = place
    return {**files, folder / _MAP: json.dumps(places)}


def _notes(result: CommandResult) -> _Notes:
    loaded, kinds = set[str](), set[str]()
    for line in result.files.get(_NOTES, "").splitlines():
        for kind, what in _object(line).items():
            if kind == "loaded":
                loaded.add(str(Path(str(what)).resolve()))
            else:
                kinds.add(kind)
    return _Notes(frozenset(loaded), frozenset(kinds))


def _object(line: str) -> Mapping[str, Any]:
    try:
        told: Any = json.loads(line)
    except ValueError:
        return {"unsure": line}
    return told if isinstance(told, dict) else {"unsure": line}
