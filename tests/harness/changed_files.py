"""Changes made of two texts, by difflib: for tests of what is pure."""

import difflib

from verify_lsp.model.change import Change, FileChange, Line


def changed_file(path: str, before: str | None, after: str | None, old_path: str | None = None) -> FileChange:
    """Return the change of one file; an absent text is an absent file."""
    old, new = _lines(before), _lines(after)
    added: list[Line] = []
    removed: list[Line] = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            removed += [Line(number + 1, old[number]) for number in range(i1, i2)]
            added += [Line(number + 1, new[number]) for number in range(j1, j2)]
    kind = "added" if before is None else "deleted" if after is None else "renamed" if old_path else "modified"
    return FileChange(
        path,
        kind,
        added_lines=tuple(added),
        removed_lines=tuple(removed),
        old_path=old_path,
        before=before,
        after=after,
    )


def change_of(*files: FileChange) -> Change:
    """Return a change of these files."""
    return Change(tuple(sorted(files, key=lambda file: file.path)))


def _lines(text: str | None) -> list[str]:
    if not text:
        return []
    lines = text.split("\n")
    return lines[:-1] if text.endswith("\n") else lines
