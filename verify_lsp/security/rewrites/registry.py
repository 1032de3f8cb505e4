"""The safe rewrites by name, and what each of them has to stand before it is offered."""

from collections.abc import Callable, Mapping
from itertools import pairwise

from verify_lsp.model.rewrite import Rewrite, TextEdit
from verify_lsp.security.code.sites import Code
from verify_lsp.security.match import Match
from verify_lsp.security.rewrites import calls, values
from verify_lsp.security.rewrites.edit import Edit, Mended
from verify_lsp.security.source import Source

_MAKERS: Mapping[str, Callable[[Code, Match], Mended | None]] = {
    "remove-argument": calls.remove_argument,
    "yaml-safe-load": calls.yaml_safe_load,
    "mktemp": calls.mktemp,
    "tar-filter": calls.tar_filter,
    "timeout": calls.timeout,
    "default-context": calls.default_context,
    "set-true": values.set_true,
    "set-false": values.set_false,
    "chmod": values.chmod,
}

NAMES = frozenset(_MAKERS)
"""The names that rules may use."""


def rewrite_for(code: Code, match: Match) -> Rewrite | None:
    """Return what certainly mends a match; None where that is not certain.

    A text that does not parse is left alone, and so is one that would not parse any more.
    """
    if match.rule.rewrite is None or code.root.has_error:
        return None
    mended = _MAKERS[match.rule.rewrite](code, match)
    if mended is None:
        return None
    edits = tuple(sorted(mended.edits, key=lambda edit: (edit.start, edit.end)))
    if any(left.end > right.start for left, right in pairwise(edits)) or not _changes(code.source, edits):
        return None
    if not code.source.parses_after([(edit.start, edit.end, edit.new_text.encode()) for edit in edits]):
        return None
    return Rewrite(mended.title, _text_edits(code.source, edits))


def _changes(source: Source, edits: tuple[Edit, ...]) -> bool:
    return any(source.slice(edit.start, edit.end) != edit.new_text for edit in edits)


def _text_edits(source: Source, edits: tuple[Edit, ...]) -> tuple[TextEdit, ...]:
    return tuple(
        TextEdit(source.code_points(edit.start), source.code_points(edit.end), edit.new_text) for edit in edits
    )
