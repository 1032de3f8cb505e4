"""How templates are told from the text that they make."""

import re

from verify_lsp.verifiers.data.places import Span

TEMPLATE = "template: what it makes is not known before it is rendered"
"""Why a template is skipped."""

# What begins a placeholder must look like a name or a call, as `{{"a": 1}}` is a slip and no template.
_PLACEHOLDER = re.compile(
    r"\{\{[-~#/^>&!]?\s*[\w.$(@][^{}\n]*\}\}\}?|\{%[-+~]?\s*\w[^\n]*?%\}|\{#[^\n]*?#\}|<%[^\n]*?%>|\$\{\{[^\n]*?\}\}"
)
# A statement that has a line to itself, as no YAML would have it, or a placeholder where a value or key begins.
_CONSTRUCT = re.compile(
    r"^[ \t]*(?:\{%[-+~]?[ \t]*\w|\{\{[-~#/^>&!]|\{\{[ \t]*(?:if|end|range|with|include|template|define|toYaml)\b|\{#|<%)"
    r"|(?:^[ \t]*|[=:\-,\[{(][ \t]*|\w)(?P<value>\{\{(?!\{)[-~]?[ \t]*[\w.$(@][^{}\n]*\}\})"
    r"|\{%[-+~]?[ \t]*(?:if|for|end|set|raw|include|macro|else)\b",
    re.MULTILINE,
)


def is_placeholder(text: str, offset: int) -> bool:
    """Tell whether something that a template engine replaces begins at `offset`."""
    return _PLACEHOLDER.match(text, offset) is not None


def is_construct_before(text: str, offset: int, literal: tuple[Span, ...] = ()) -> bool:
    """Tell whether something of a template stands outside of block texts and quotes, up to the line of `offset`."""
    end = text.find("\n", offset)
    for found in _CONSTRUCT.finditer(text, 0, len(text) if end < 0 else end):
        place = found.start("value") if found["value"] else found.start()
        if text[place - 1 : place] == "$" or _quoted(text, place) or _in_comment(text, place):
            continue
        if not any(span.start <= place < span.end for span in literal):
            return True
    return False


def _quoted(text: str, place: int) -> bool:
    before = text[text.rfind("\n", 0, place) + 1 : place]
    return before.count('"') % 2 == 1 or before.count("'") % 2 == 1


def _in_comment(text: str, place: int) -> bool:
    before = text[text.rfind("\n", 0, place) + 1 : place].lstrip()
    return before.startswith("#") or " #" in before
