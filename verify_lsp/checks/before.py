"""What was there before the change: measured at the base commit, kept by base commit, never guessed."""

import hashlib
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import attrs

from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.checks.places import in_workspace
from verify_lsp.codec import from_wire, to_wire
from verify_lsp.judgement.lines import match_preexisting
from verify_lsp.model.errors import VerifyError
from verify_lsp.model.finding import Problem
from verify_lsp.system.files import read_text_if_there, write_private
from verify_lsp.toolchains.base import Project, Unreadable


@attrs.frozen
class ToldApart:
    """Problems held against those of the base.

    Attributes:
        problems: All problems now, paths relative to the workspace.
        preexisting: For each of them, whether it was there before.
        unknown: Why "before" could not be measured; then only problems on added lines count as new.
    """

    problems: tuple[Problem, ...]
    preexisting: tuple[bool, ...]
    unknown: str | None = None


Measure = Callable[[Project], Awaitable[tuple[Problem, ...] | Unreadable]]


async def tell_apart(
    context: CheckContext, owner: ProjectOf, key: str, problems: tuple[Problem, ...], measure: Measure
) -> ToldApart:
    """Tell the problems that the change brought from those it found.

    Args:
        key: Names the tool, its version and its arguments; with the base commit it names the cache entry.
        problems: The problems now, paths relative to the workspace.
        measure: Looks at a project laid out at the base; its paths are relative to the project's root.
    """
    if not problems:
        return ToldApart((), ())
    if context.base_tree is None:
        return ToldApart(problems, (False,) * len(problems))
    before = await _before(context, owner, key, measure)
    if isinstance(before, Unreadable):
        on_added = _added_places(context)
        flags = tuple((problem.path, problem.line) not in on_added for problem in problems)
        return ToldApart(problems, flags, before.reason)
    return ToldApart(problems, match_preexisting(problems, before, context.change))


async def _before(
    context: CheckContext, owner: ProjectOf, key: str, measure: Measure
) -> tuple[Problem, ...] | Unreadable:
    entry = _entry(context, key + owner.project.root)
    if entry is not None and (kept := _read(entry)) is not None:
        return kept
    if context.base_tree is None:
        return ()
    async with context.base_tree() as place:
        project = project_at_base(context, owner, place)
        if not project.folder.is_dir():
            return ()
        measured = await measure(project)
    if isinstance(measured, Unreadable):
        return measured
    problems = tuple(in_workspace(problem, owner.project.root) for problem in measured)
    if entry is not None:
        write_private(entry, json.dumps([to_wire(problem) for problem in problems]))
    return problems


def project_at_base(context: CheckContext, owner: ProjectOf, place: Path) -> Project:
    """Return the same project as it stood before: its files under their old names."""
    prefix = owner.project.prefix
    extensions = owner.toolchain.extensions
    old_names = (change.old_path or change.path for change in context.change.files if change.change != "added")
    changed = tuple(
        name.removeprefix(prefix)
        for name in old_names
        if name.startswith(prefix) and Path(name).suffix.lower() in extensions and (place / name).is_file()
    )
    return attrs.evolve(owner.project, place=place, changed=changed, deleted=())


def _added_places(context: CheckContext) -> frozenset[tuple[str, int]]:
    return frozenset((change.path, line.line) for change in context.change.files for line in change.added_lines)


def _entry(context: CheckContext, key: str) -> Path | None:
    if context.base_cache is None:
        return None
    return context.base_cache / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.json"


def _read(entry: Path) -> tuple[Problem, ...] | None:
    try:
        text = read_text_if_there(entry)
        return None if text is None else tuple(from_wire(item, Problem) for item in json.loads(text))
    except (VerifyError, ValueError, TypeError):
        return None  # A damaged entry is measured again.
