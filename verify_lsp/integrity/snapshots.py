"""Recorded outputs that were written anew."""

from collections.abc import Iterator

from verify_lsp.integrity.sign import Sign
from verify_lsp.judgement.files.behaviour import changes_behaviour
from verify_lsp.judgement.files.file_kinds import is_test
from verify_lsp.judgement.globs import matches_any
from verify_lsp.model.change import Change

_SNAPSHOTS = ("*.{snap,ambr,golden}", "**/{__snapshots__,snapshots,__image_snapshots__}/**", "*.golden.*")


def is_snapshot(path: str) -> bool:
    """Say whether a file holds what a test recorded."""
    return matches_any(path, _SNAPSHOTS)


def rewritten(change: Change) -> Iterator[Sign]:
    """Yield a sign for each recording that differs now, where no code, data or package changed that it may come from."""
    if not any(is_snapshot(file.path) for file in change.files):
        return
    others = [file for file in change.files if not is_snapshot(file.path) and changes_behaviour(file)]
    if any(not is_test(file.path) for file in others):
        return
    for file in change.files:
        if not is_snapshot(file.path) or file.change != "modified" or not (file.removed_lines or file.binary):
            continue
        line = file.added_lines[0].line if file.added_lines else 1
        message = "What a test recorded was written anew, and no code changed that it could come from."
        evidence = f"{len(file.removed_lines)} lines of the recording are gone, {len(file.added_lines)} are new"
        yield Sign("integrity.snapshot-rewritten", file.path, line, message, evidence, 1 if others else 0)
