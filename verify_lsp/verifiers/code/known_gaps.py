"""Valid syntax that the grammars do not know, and how to spell it in as many bytes so that they take it."""

import re
from collections.abc import Callable, Mapping

from verify_lsp.syntax.languages import Language

_Respelling = tuple[re.Pattern[bytes], Callable[[re.Match[bytes]], bytes]]


def _blank(found: re.Match[bytes]) -> bytes:
    return re.sub(rb"[^\n]", b" ", found[0])


def _name(found: re.Match[bytes]) -> bytes:
    return b"_" * len(found[0])


def _as_const(found: re.Match[bytes]) -> bytes:
    return b"const".rjust(len(found[0]))


_ECMASCRIPT: tuple[_Respelling, ...] = (
    (re.compile(rb"(?<=\bimport )(?:defer|source)(?= +(?:\*|\w+ +from\b|\w+\n))"), _blank),
    (re.compile(rb"(?<=\bimport)\.(?:defer|source)(?=\()"), _blank),
    (
        re.compile(
            rb"(?<=[\"'])\s*\b(?:with|assert) *\{[^{}\"']*(?:[\"'][^\"'\n]*[\"'][^{}\"']*)*\}(?= *(?:;|\n|\Z|\r))"
        ),
        _blank,
    ),
    (re.compile(rb"\bawait +using\b(?= +\w)|\busing\b(?= +\w+ *[:=])"), _as_const),
    (
        re.compile(rb"(?<=\bas )(?:do|default|class|in|of|if|for|new|delete|function|import|export|return)(?= *[,}])"),
        _name,
    ),
    (re.compile(rb"\baccessor(?= +[\w#$])"), _blank),
    # In JSX, keywords may name attributes.
    (re.compile(rb"(?<=[ \t\n])(?:class|for|default|in|is|as|async|typeof)(?==[{\"'])"), _name),
    (re.compile(rb"(?<=[{,] )(?:class|do|if|in|for|new|delete|function|import|export|return)(?= as \w)"), _name),
)
_TYPES: tuple[_Respelling, ...] = (
    *_ECMASCRIPT,
    (re.compile(rb"(?<=\bexport )type(?= +\*)"), _blank),
    (re.compile(rb"\bimport\((?:\"[^\"\n]*\"|'[^'\n]*')\)"), _name),
    (re.compile(rb"\b(?:in|out)(?=\d)"), _name),
)
_RUST: tuple[_Respelling, ...] = ((re.compile(rb"\bstr(?=!\s*[\[({])"), _name),)

_BY_LANGUAGE: Mapping[Language, tuple[_Respelling, ...]] = {
    "javascript": _ECMASCRIPT,
    "typescript": _TYPES,
    "tsx": _TYPES,
    "rust": _RUST,
}


def respelled(language: Language, data: bytes) -> bytes:
    """Return the text as the grammar would have it: places stay where they are. Unchanged where nothing is known."""
    for pattern, replacement in _BY_LANGUAGE.get(language, ()):
        data = pattern.sub(replacement, data)
    return data
