"""Tabs that indent YAML: replaced by spaces where that can mean one thing only."""

import re
from itertools import pairwise

from verify_lsp.model.rewrite import Rewrite, TextEdit, rewritten
from verify_lsp.verifiers.data.yaml_text.events import read_events

_INDENTED = re.compile(r"^ *\t[ \t]*(?=[^\s])", re.MULTILINE)
_SPACES = re.compile(r"^ +(?=[^\s#])", re.MULTILINE)
_WIDTHS = (2, 4, 8)
_DEFAULT_WIDTH = 2


def without_tabs(text: str) -> Rewrite | None:
    """Return the rewrite that indents with spaces; None unless every usual width gives the same YAML.

    A width of 1 is left out, as it would nest what a person sees side by side. A line that would go on the text above
    it was most likely meant to begin something.
    """
    lines = {number for number, line in enumerate(text.split("\n")) if _INDENTED.match(line)}
    shapes = []
    for width in _WIDTHS:
        events = read_events(rewritten(text, _replaced(text, width)))
        if events.fault is not None or events.too_deep or any(lines.intersection(each) for each in events.continued):
            return None
        shapes.append(events.shape)
    if any(one != other for one, other in pairwise(shapes)):
        return None
    return _replaced(text, _own_width(text))


def _replaced(text: str, width: int) -> Rewrite:
    edits = (
        TextEdit(found.start(), found.end(), found[0].replace("\t", " " * width)) for found in _INDENTED.finditer(text)
    )
    return Rewrite("Indent with spaces", tuple(edits))


def _own_width(text: str) -> int:
    """The file's own step where it is a usual one."""
    shortest = min((len(found[0]) for found in _SPACES.finditer(text)), default=_DEFAULT_WIDTH)
    return shortest if shortest in _WIDTHS else _DEFAULT_WIDTH
