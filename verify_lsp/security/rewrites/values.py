"""Rewrites that put a safe value in the place of a dangerous one."""

from typing import TYPE_CHECKING

from verify_lsp.security.code.sites import Code
from verify_lsp.security.match import Match
from verify_lsp.security.rewrites.edit import Edit, Mended
from verify_lsp.security.site import BindSite

if TYPE_CHECKING:
    from tree_sitter import Node

_OWNER_ONLY = 0o022


def set_true(code: Code, match: Match) -> Mended | None:
    """Turn a switch on that was off."""
    return _switched(code, match, on=True)


def set_false(code: Code, match: Match) -> Mended | None:
    """Turn a switch off that was on."""
    return _switched(code, match, on=False)


def _switched(code: Code, match: Match, *, on: bool) -> Mended | None:
    value = decisive_value(code, match)
    words = ("False", "True") if code.source.language == "python" else ("false", "true")
    if value is None or code.text(value) != words[not on]:
        return None
    return Mended(f"Set it to {words[on]}", (Edit(value.start_byte, value.end_byte, words[on]),))


def chmod(code: Code, match: Match) -> Mended | None:
    """Take the right to write from everybody but the owner."""
    value = decisive_value(code, match)
    if value is None or value.type != "integer":
        return None
    text = code.text(value)
    try:
        mode = int(text, 8)
    except ValueError:
        return None
    safe = f"{text[:2]}{mode & ~_OWNER_ONLY:0{len(text) - 2}o}"
    return Mended(f"Let only the owner write ({safe})", (Edit(value.start_byte, value.end_byte, safe),))


def decisive_value(code: Code, match: Match) -> "Node | None":
    """Return the value that makes a match a danger: what is bound, or the argument that the last condition named."""
    if isinstance(match.site, BindSite):
        return match.site.value
    if len(match.decisive) < 2:
        return None
    start, end = match.decisive[-1]
    node = code.root.descendant_for_byte_range(start, end)
    return node if node is not None and (node.start_byte, node.end_byte) == (start, end) else None
