"""The safe rewrites by name, and what each of them has to stand before it is offered."""

from collections.abc import Callable, Mapping

from verify_lsp.model.rewrite import Rewrite, TextEdit, rewritten
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
    rewrite = Rewrite(mended.title, _text_edits(code.source, mended.edits))
    try:
        text = rewritten(code.source.text, rewrite)
    except ValueError:
        return None
    after = Source(code.source.path, text).root
    return None if after is None or after.has_error or text == code.source.text else rewrite


def _text_edits(source: Source, edits: tuple[Edit, ...]) -> tuple[TextEdit, ...]:
    in_order = sorted(edits, key=lambda edit: (edit.start, edit.end))
    return tuple(
        TextEdit(source.code_points(edit.start), source.code_points(edit.end), edit.new_text) for edit in in_order
    )
