"""The labelled corpus: dangers and their legitimate twins, written for this project and for nothing else.

A file holds entries `## bad PATH` and `## fine PATH`, each followed by the text. «…» stands for a made-up secret and
\\uXXXX for a character that nobody sees; entries of `guards.txt` are diffs.
"""

import re
from pathlib import Path

import attrs

from verify_lsp.model.change import Line
from verify_lsp.security.samples import filled

FOLDER = Path(__file__).with_name("corpus")
_ENTRY = re.compile(r"^## (bad|fine) (\S+)\n", re.MULTILINE)
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})|\\U([0-9a-f]{8})")


@attrs.frozen
class Entry:
    family: str
    number: int
    bad: bool
    path: str
    text: str
    lines: frozenset[int] | None = None
    removed: tuple[Line, ...] = ()


def entries() -> list[Entry]:
    found = []
    for file in sorted(FOLDER.glob("*.txt")):
        parts = _ENTRY.split(file.read_text("utf-8"))[1:]
        for number, (label, path, text) in enumerate(zip(parts[::3], parts[1::3], parts[2::3], strict=True)):
            found.append(_entry(file.stem, number, label, path, text))
    return found


def _entry(family: str, number: int, label: str, path: str, text: str) -> Entry:
    bad = label == "bad"
    if family == "hidden":
        text = _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), text)
    if family != "guards":
        return Entry(family, number, bad, path, filled(text))
    after, added, removed, old = [], set(), [], 0
    for line in text.rstrip("\n").split("\n"):
        old += line[:1] != "+"
        if line[:1] == "-":
            removed.append(Line(old, line[1:]))
            continue
        after.append(line[1:])
        if line[:1] == "+":
            added.add(len(after))
    return Entry(family, number, bad, path, "\n".join(after) + "\n", frozenset(added), tuple(removed))
