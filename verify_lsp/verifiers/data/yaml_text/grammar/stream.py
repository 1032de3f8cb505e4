"""Judges a whole text by the grammar of YAML 1.2.2, from its directives to its last document."""

import re

import attrs

from verify_lsp.verifiers.data.yaml_text.grammar import block, tokens
from verify_lsp.verifiers.data.yaml_text.grammar.flow import Document
from verify_lsp.verifiers.data.yaml_text.grammar.tokens import NoOpinionError, Reason, RefusedError

_CARRIAGE_RETURN = re.compile(r"\r\n?")


@attrs.frozen
class Opinion:
    """What the grammar says of a text.

    Attributes:
        accepted: True where the whole text is right, and every alias stands behind its anchor.
        reason: Why the grammar refuses it; None where it does not, or has no opinion.
        offset: Where it could not go on: 0-based code points.
    """

    accepted: bool
    reason: Reason | None = None
    offset: int = 0


def opinion(text: str) -> Opinion:
    """Judge `text`, which has only characters that YAML allows. Raises nothing; too deep a text gets no opinion."""
    plain = _CARRIAGE_RETURN.sub("\n", text) if "\r" in text else text
    try:
        undefined = _stream(plain)
    except RefusedError as refused:
        return Opinion(accepted=False, reason=refused.reason, offset=_original(text, refused.offset))
    except NoOpinionError:
        return Opinion(accepted=False)
    return Opinion(accepted=not undefined)


def _original(text: str, offset: int) -> int:
    """Return the place of `offset` before line ends of two characters became one."""
    for pair in re.finditer("\r\n", text):
        if pair.start() >= offset:
            break
        offset += 1
    return offset


def _stream(text: str) -> bool:
    """Tell whether an alias has no anchor."""
    offset = 0
    bare_allowed = True
    undefined = False
    while True:
        offset = _prefix_end(text, offset)
        if offset >= len(text):
            return undefined
        if tokens.MARKER.match(text, offset) is not None and text[offset] == ".":
            offset = block.comments_end(text, offset + 3)
            bare_allowed = True
            continue
        handles: frozenset[str] = frozenset()
        if bare_allowed and text[offset] == "%":
            offset, handles = _directives(text, offset)
        found = tokens.MARKER.search(text, offset + 1)
        end = found.start() if found is not None else len(text)
        undefined |= _document(text, offset, end, handles)
        bare_allowed = False
        offset = end


def _document(text: str, start: int, end: int, handles: frozenset[str]) -> bool:
    """Read one document. Tell whether an alias in it has no anchor."""
    document = Document(text[start:end], handles)
    explicit = tokens.MARKER.match(document.text) is not None
    try:
        line = block.skip_lines(document.text, block.node(document, 3 if explicit else 0, block.ROOT))
        if line < len(document.text):
            block.refuse_entry(document.text, tokens.spaces_end(document.text, line))
    except RefusedError as refused:
        raise RefusedError(start + refused.offset, refused.reason) from None
    return bool(document.undefined)


def _prefix_end(text: str, offset: int) -> int:
    """Return where the first line begins that is neither blank nor a comment; byte order marks may stand between."""
    while True:
        offset = block.skip_lines(text, offset)
        if not text.startswith("\ufeff", offset):
            return offset
        offset += 1


def _directives(text: str, offset: int) -> tuple[int, frozenset[str]]:
    """Read the directives before a document. Return where its `---` stands, and the tag handles they declare."""
    handles: set[str] = set()
    versions = 0
    while text.startswith("%", offset):
        name = tokens.DIRECTIVE_NAME.match(text, offset)
        kind = name[1] if name is not None else ""
        found = tokens.DIRECTIVES.get(kind, tokens.OTHER_DIRECTIVE).match(text, offset)
        versions += kind == "YAML"
        rest = tokens.LINE_REST.match(text, found.end()) if found is not None else None
        if found is None or rest is None or versions > 1 or (kind == "TAG" and found[1] in handles):
            raise RefusedError(offset, "directive")
        if kind == "TAG":
            handles.add(found[1])
        offset = block.skip_lines(text, rest.end())
    if not text.startswith("---", offset) or tokens.MARKER.match(text, offset) is None:
        raise RefusedError(offset, "directive")
    return offset, frozenset(handles)
