"""Places where nothing is called or bound, as the line alone tells: comments, imports, definitions."""

import re

from verify_lsp.security.source import Source

_FAR = 400
_COMMENT_FAR = 4_000
_HASH = re.compile(rb"[ \t]*#[^{\n]*\Z")
_SLASHES = re.compile(rb"[ \t]*//[^{`\n]*\Z")
_STAR = re.compile(rb"[ \t]*\*")
_OPENED = re.compile(rb"(?:^|\n)[ \t]*/\*[^`]*\Z")
_DEFINED = re.compile(rb"(?:^|[\s;])(?:def|func|fn|function\*?)[ \t]{1,8}\w*\Z")
_PYTHON_IMPORT = re.compile(rb"[ \t]*(?:from[ \t]+[.\w]+[ \t]+)?import[ \t]+[\w.,* \t]*(?:\r?\n|\Z)")
_SCRIPT_IMPORT = re.compile(
    rb"import[ \t]+(?:type[ \t]+)?[\w{}, \t$*]*[ \t]from[ \t]*['\"][^'\"\n]*['\"];?[ \t]*(?:\r?\n|\Z)"
)


def is_mention(source: Source, offset: int, end: int) -> bool:
    """Say whether a name from one offset to another is no part of any call or binding.

    It does not say so where it is not certain. What stands in a text may as well count: nothing is called there.
    """
    data = source.data
    start = data.rfind(b"\n", max(offset - _FAR, 0), offset) + 1
    if start == 0 and offset > _FAR:
        return False
    head = data[start:offset]
    if source.language == "python":
        return bool(_HASH.match(head) or _defines(head, data, end) or _PYTHON_IMPORT.match(data, start))
    if source.language == "shell":
        return False
    return bool(
        _SLASHES.match(head)
        or _defines(head, data, end)
        or (_STAR.match(head) and b"*/" not in head and _is_in_comment(data, start))
        or _SCRIPT_IMPORT.match(data, start)
    )


def _defines(head: bytes, data: bytes, end: int) -> bool:
    """Whether a function is defined by a name; what its parameters are given by default has an anchor of its own."""
    return _DEFINED.search(head) is not None and data[end - 1 : end] == b"("


def _is_in_comment(data: bytes, start: int) -> bool:
    """Whether a block comment was opened at the start of a line above, and not closed since.

    Without a mark of a text over several lines in between, that line is either what it seems, or in such a text.
    """
    above = data[max(start - _COMMENT_FAR, 0) : start]
    opened = above.rfind(b"/*")
    if opened < 0 or b"*/" in above[opened:] or data.find(b"*/", start, start + _COMMENT_FAR) < 0:
        return False
    return _OPENED.search(above, above.rfind(b"\n", 0, opened) + 1) is not None
