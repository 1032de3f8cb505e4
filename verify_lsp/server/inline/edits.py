"""From edits of a text to those of the protocol, for the very version of it that the client has."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any

from verify_lsp.model.rewrite import Rewrite, TextEdit
from verify_lsp.server.positions import Encoding, units_before

Json = dict[str, Any]


def edits_of(rewrite: Rewrite, text: str, encoding: Encoding) -> list[Json]:
    """Return the protocol's edits for a rewrite of `text`."""
    return _edits(rewrite.edits, text, encoding)


def edits_between(before: str, after: str, encoding: Encoding) -> list[Json]:
    """Return edits that make `after` of `before`, and leave lines alone that stay as they are."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    changes = [
        TextEdit(starts[start], starts[end], "".join(new[new_start:new_end]))
        for tag, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if tag != "equal"
    ]
    return _edits(changes, before, encoding)


def _edits(edits: Iterable[TextEdit], text: str, encoding: Encoding) -> list[Json]:
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    return [
        {
            "range": {
                "start": _position(edit.start, lines, starts, encoding),
                "end": _position(edit.end, lines, starts, encoding),
            },
            "newText": edit.new_text,
        }
        for edit in edits
    ]


def _position(offset: int, lines: Sequence[str], starts: Sequence[int], encoding: Encoding) -> dict[str, int]:
    line = min(bisect_right(starts, offset) - 1, len(lines) - 1)
    return {"line": line, "character": units_before(lines[line], offset - starts[line], encoding)}
