"""Comments and attributes that keep a checker quiet, put on code that it had something to say about before."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import attrs

from verify_lsp.integrity.nodes import walk
from verify_lsp.integrity.sign import Sign
from verify_lsp.judgement.files.file_kinds import is_code, is_generated, is_vendored
from verify_lsp.model.change import Change, FileChange, Line
from verify_lsp.syntax.languages import language_of

if TYPE_CHECKING:
    from tree_sitter import Node

_LARGEST = 1_500_000
_MARKS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "type: ignore": r"#\s*type:\s*ignore\b(?:\[[^\]]*\])?",
        "pyright: ignore": r"#\s*pyright:\s*ignore\b(?:\[[^\]]*\])?",
        "noqa": r"#\s*noqa\b(?::\s*[A-Z]+\d+(?:[,\s]+[A-Z]+\d+)*)?",
        "pylint: disable": r"#\s*pylint:\s*disable(?:-next)?=[\w, -]+",
        "pragma: no cover": r"#\s*pragma:\s*no ?(?:cover|branch)\b",
        "eslint-disable": r"eslint-disable-(?:next-)?line\b[^*\n]*",
        "ts-ignore": r"@ts-(?:ignore|expect-error)\b[^*\n]*",
        "biome-ignore": r"biome-ignore\b[^*\n]*",
        "coverage ignore": r"(?:istanbul|c8|v8) ignore\b[^*\n]*",
        "nolint": r"//\s*nolint\b[^\n]*",
        "allow": r"^\s*#\[(?:allow|expect)\([^\n]*\)\]",
    }.items()
}
_WHOLE_FILE = re.compile(
    r"^\s*#\s*(?:mypy:\s*ignore-errors|(?:flake8|ruff):\s*noqa\b|pyright:\s*ignore|type:\s*ignore\s*$|pylint:\s*(?:skip-file|disable=all))"
    r"|@ts-nocheck\b|/\*\s*eslint-disable(?!-)|^\s*#!\[allow\(|(?:istanbul|c8|v8) ignore file",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"#\s*(?:type|pyright):\s*ignore\[[^\]]+\]\s*(?:#|-|\u2013)\s*\w+|#\s*noqa:\s*[A-Z]+\d+[\d\sA-Z,]*(?:#|-)\s*\w+"
    r"|eslint-disable-(?:next-)?line\s+[\w@/, -]+?\s--\s*\w+|@ts-expect-error\W+\w+.*\w+|nolint:[\w,]+\s*//\s*\w+|reason\s*="
)
_IN_PART = re.compile(r"eslint-disable\s+[@\w]|#!\[allow\((?!warnings|unused\)|clippy::all)|(?:flake8|ruff):\s*noqa:")
_MANY = 4
_OPENER = re.compile(r"\s*(?:#|//|/\*|\{/\*).*$")


@attrs.frozen
class Silenced:
    """What was seen. `added` counts every new one, on new code as well."""

    signs: tuple[Sign, ...]
    added: int


def silenced(change: Change) -> Silenced:
    """Return the signs of a change; one that only moved is none."""
    files = [
        file for file in change.files if is_code(file.path) and not is_vendored(file.path) and not is_generated(file)
    ]
    left = Counter(name for file in files for line in file.removed_lines for name in _names(line))
    signs: list[Sign] = []
    added = 0
    for file in files:
        marked = [line for line in file.added_lines if _names(line)]
        for line in _in_comments(file, marked) if marked else ():
            fresh = [name for name in _names(line) if not left[name]]
            left.subtract(name for name in _names(line) if left[name])
            added += bool(fresh)
            signs += _sign(file, line, fresh) if fresh else ()
    signs = [sign for file in files for sign in _gathered([each for each in signs if each.path == file.path])]
    return Silenced(tuple(signs), added)


def _gathered(signs: list[Sign]) -> Iterator[Sign]:
    """Of one file, all lines that were silenced at once are one sign."""
    lines = [sign for sign in signs if sign.rule == "integrity.suppression-added"]
    yield from (sign for sign in signs if sign.rule != "integrity.suppression-added")
    if len(lines) < _MANY:
        yield from lines
        return
    message = f"A checker is told to say nothing of {len(lines)} lines, which were there before; this is the first."
    yield attrs.evolve(lines[0], message=message, quiet=min(sign.quiet for sign in lines))


def _names(line: Line) -> list[str]:
    if len(line.text) > 1_000:
        return []
    if _WHOLE_FILE.search(line.text):
        return ["file"]
    return [name for name, pattern in _MARKS.items() if pattern.search(line.text)]


def _in_comments(file: FileChange, lines: list[Line]) -> Iterator[Line]:
    """Yield the lines on which a comment or an attribute stands, where a grammar can tell."""
    language = language_of(file.path)
    if language is None or file.after is None or len(file.after) > _LARGEST:
        yield from lines
        return
    from verify_lsp.syntax.trees import parse

    try:
        rows = set(_rows(parse(language, file.after.encode("utf-8", "surrogatepass")).root_node))
    except RecursionError:
        return
    yield from (line for line in lines if line.line in rows)


def _rows(root: "Node") -> Iterator[int]:
    for node in walk(root):
        if node.type.endswith("comment") or node.type.endswith("attribute_item"):
            yield from range(node.start_point[0] + 1, node.end_point[0] + 2)


def _sign(file: FileChange, line: Line, names: list[str]) -> Iterator[Sign]:
    shown = " ".join(line.text.split())[:110]
    if names == ["file"]:
        if file.change != "added":
            what = "less" if _IN_PART.search(line.text) else "nothing"
            message = f"A checker is told to say {what} of the whole file from here on."
            yield Sign(
                "integrity.file-silenced",
                file.path,
                line.line,
                message,
                shown,
                int(_IN_PART.search(line.text) is not None),
            )
    elif _is_on_old_code(file, line):
        message = f"A checker is told to say nothing of this line, which was there before ({', '.join(names)})."
        quiet = int(_REASON.search(line.text) is not None)
        yield Sign("integrity.suppression-added", file.path, line.line, message, shown, quiet)


def _is_on_old_code(file: FileChange, line: Line) -> bool:
    code = _code(line.text)
    if code:
        return any(_code(old.text) == code for old in file.removed_lines)
    added = {each.line: each.text for each in file.added_lines}
    follows = line.line + 1
    while follows in added and not _code(added[follows]):
        follows += 1
    if follows not in added:
        return bool(file.change != "added" and file.after and follows <= file.after.count("\n"))
    return any(_code(old.text) == _code(added[follows]) for old in file.removed_lines)


def _code(text: str) -> str:
    """A line without its comment and without space."""
    if text.lstrip().startswith("#["):
        return ""
    return re.sub(r"\s+", "", _OPENER.sub("", text))
