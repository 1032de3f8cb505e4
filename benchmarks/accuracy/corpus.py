"""The labelled corpus: dangers and their legitimate twins, written for this project and for nothing else.

A file holds entries `## bad PATH RULE` and `## fine PATH`, each followed by the text. The rule is the one that is made for
this danger. «…» stands for a made-up secret and \\uXXXX for a character that nobody sees; entries of `guards.txt` are diffs.
"""

import re
from pathlib import Path

import attrs

from verify_lsp.model.change import Line
from verify_lsp.security.samples import filled

FOLDER = Path(__file__).with_name("corpus")
_ENTRY = re.compile(r"^## (bad|fine) (\S+)(?: (\S+))?\n", re.MULTILINE)
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})|\\U([0-9a-f]{8})")


@attrs.frozen
class Entry:
    """One text.

    Attributes:
        group: The corpus file that it stands in, and `number` its place there.
        rule: The rule that is made for its danger; None for a fine text.
        lines: The lines that count as added; None for all.
    """

    group: str
    number: int
    rule: str | None
    path: str
    text: str
    lines: frozenset[int] | None = None
    removed: tuple[Line, ...] = ()

    @property
    def bad(self) -> bool:
        """Whether there is a danger in it."""
        return self.rule is not None


def entries() -> list[Entry]:
    found = []
    for file in sorted(FOLDER.glob("*.txt")):
        parts = _ENTRY.split(file.read_text("utf-8"))[1:]
        every = zip(parts[::4], parts[1::4], parts[2::4], parts[3::4], strict=True)
        for number, (label, path, rule, text) in enumerate(every):
            if (label == "bad") != bool(rule):
                raise ValueError(f"{file.name}, entry {number}: a danger names its rule, and a fine text none")
            found.append(_entry(file.stem, number, rule, path, text))
    return found


def _entry(group: str, number: int, rule: str | None, path: str, text: str) -> Entry:
    if group == "hidden":
        text = _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), text)
    if group != "guards":
        return Entry(group, number, rule, path, filled(text))
    after, added, removed, old = [], set(), [], 0
    for line in text.rstrip("\n").split("\n"):
        old += line[:1] != "+"
        if line[:1] == "-":
            removed.append(Line(old, line[1:]))
            continue
        after.append(line[1:])
        if line[:1] == "+":
            added.add(len(after))
    return Entry(group, number, rule, path, "\n".join(after) + "\n", frozenset(added), tuple(removed))
