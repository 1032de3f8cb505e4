"""All safe rewrites of a text at once."""

from collections.abc import Callable, Iterable

from verify_lsp.model.rewrite import Rewrite, TextEdit, rewritten

_ROUNDS = 20
"""One fix may bring another into reach; a text that is not settled after so many rounds stays as it is then."""


def fix_all(text: str, rewrites_of: Callable[[str], Iterable[Rewrite]]) -> str:
    """Return `text` with every rewrite applied that `rewrites_of` offers, again and again until it offers none."""
    for _ in range(_ROUNDS):
        together = combined(rewrites_of(text))
        if together is None:
            break
        text = rewritten(text, together)
    return text


def combined(rewrites: Iterable[Rewrite]) -> Rewrite | None:
    """Return one rewrite with the edits of as many as go together, the earlier in the text first; None of none.

    A rewrite goes in whole or not at all; edits that two have in common, such as one import, are made once.
    """
    taken: list[TextEdit] = []
    titles: list[str] = []
    for rewrite in sorted(rewrites, key=lambda each: [(edit.start, edit.end) for edit in each.edits]):
        new = [edit for edit in rewrite.edits if edit not in taken]
        if rewrite.edits and all(_apart(edit, other) for edit in new for other in taken):
            taken += new
            titles.append(rewrite.title)
    if not taken:
        return None
    title = titles[0] if len(titles) == 1 else f"Apply {len(titles)} safe fixes"
    return Rewrite(title, tuple(sorted(taken, key=lambda edit: (edit.start, edit.end))))


def _apart(one: TextEdit, other: TextEdit) -> bool:
    """Edits that merely touch are not apart: which of the two insertions comes first would be left to chance."""
    return one.end < other.start or other.end < one.start
