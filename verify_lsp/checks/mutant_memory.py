"""What became of mutants in earlier runs, kept with a project's caches."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio

from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.checks.mutant_keys import keys_of
from verify_lsp.checks.tried_mutants import NAMES_KEPT
from verify_lsp.model.errors import EngineError
from verify_lsp.model.mutant import Mutant, MutantResult, MutationOrder, MutationRun
from verify_lsp.system.files import read_text_if_there, write_private
from verify_lsp.toolchains.registry import linked_folders

_VERSION = 2
_KEPT = 2_000
_LASTING = frozenset({"killed", "survived"})


def known_fates(owner: ProjectOf) -> Mapping[str, Mapping[str, Any]]:
    """Return what is known from earlier runs, by `MutationRun.keys`; a damaged memory knows nothing."""
    try:
        data = json.loads(read_text_if_there(_path(owner)) or "{}")
    except (EngineError, ValueError, RecursionError):
        return {}
    fates = data.get("fates") if isinstance(data, dict) and data.get("version") == _VERSION else None
    if not isinstance(fates, dict):
        return {}
    return {key: fate for key, fate in fates.items() if isinstance(fate, dict) and fate.get("status") in _LASTING}


async def recalled(context: CheckContext, owner: ProjectOf, order: MutationOrder) -> MutationRun:
    """Return what was decided in an earlier run, of the same function beside the same other files; the keys of all."""
    numbered = dict(enumerate(order.mutants))
    keys = await anyio.to_thread.run_sync(keys_of, numbered, context.place, owner.project.prefix, linked_folders())
    known = {
        number: _remembered(numbered[number], order.known[key]) for number, key in keys.items() if key in order.known
    }
    return MutationRun(results=known, keys=keys)


def remember(owner: ProjectOf, order: MutationOrder, told: MutationRun) -> None:
    """Keep what was decided, the newest first. Tests that fail at times decide nothing that lasts.

    Raises:
        EngineError: The cache cannot be written.
    """
    if told.uncertain:
        return
    new = {
        told.keys[position]: {
            "of": result.mutant.identity,
            "status": result.status,
            "tests": result.tests,
            "killed_by": result.killed_by,
            "covered_by": list(result.covered_by[:NAMES_KEPT]),
        }
        for position, result in told.results.items()
        if result.status in _LASTING and position in told.keys and result.mutant.path not in told.unreached
    }
    merged = {**new, **{key: fate for key, fate in order.known.items() if key not in new}}
    kept = dict(list(merged.items())[:_KEPT])
    if kept != order.known:
        write_private(_path(owner), json.dumps({"version": _VERSION, "fates": kept}), durable=False)


def _remembered(mutant: Mutant, fate: Mapping[str, Any]) -> MutantResult:
    """Return what became of a mutant in an earlier run."""
    tests, killed_by, covered_by = fate.get("tests"), fate.get("killed_by"), fate.get("covered_by")
    return MutantResult(
        mutant,
        fate["status"],
        tests=tests if isinstance(tests, int) else None,
        killed_by=killed_by if isinstance(killed_by, str) else None,
        covered_by=tuple(filter(_is_text, covered_by)) if isinstance(covered_by, list) else (),
    )


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _path(owner: ProjectOf) -> Path:
    return owner.project.cache / "mutants.json"
