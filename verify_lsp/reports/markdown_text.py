"""Foreign text as Markdown that shows it and does nothing else: no markup, no links, no mentions, no HTML."""

import re

# What has a meaning inside a line. An underscore between two letters or digits has none, and stays for readability.
_SPECIAL = re.compile(r"[\\`*\[\]|~$<>&]|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=\bwww)\.")
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
# What would begin a heading, a list, a quote or a rule, were it to stand first in an item.
_FIRST = re.compile(r"^(?:[#+=-]|\d+(?=[.)](?:\s|$)))")
# People and issues that a forge would call up wherever they are not code.
_CALLS = re.compile(r"(?:[@#](?=\w)[\w-]*|\bGH-\d+)+")
_LINK = re.compile(r"https?://[A-Za-z0-9][A-Za-z0-9./?=&%#~:@+,;_-]*")


def escaped(line: str) -> str:
    """Return one line of text, in which nothing but the text itself will show."""
    parts: list[str] = []
    end = 0
    for call in _CALLS.finditer(line):
        parts += [_escaped(line[end : call.start()]), f"`{call[0]}`"]
        end = call.end()
    whole = "".join([*parts, _escaped(line[end:])])
    first = _FIRST.match(whole)
    if first is None:
        return whole
    return f"{first[0]}\\{whole[first.end() :]}" if first[0].isdigit() else f"\\{whole}"


def code(line: str) -> str:
    """Return one line of text as a code span; nothing for nothing."""
    if not line.strip():
        return ""
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line[0] in "` " or line[-1] in "` " else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def fenced(lines: list[str], indent: str = "") -> list[str]:
    """Return lines of text as a block of code that none of them can end."""
    fence = "`" * max(3, 1 + max(map(_longest_run, lines), default=0))
    return [indent + line for line in (f"{fence}text", *lines, fence)]


def linked(shown: str, url: str | None) -> str:
    """Return `shown`, which is Markdown, as a link where `url` is a plain web address; else as it is."""
    return f"[{shown}](<{url}>)" if url and _LINK.fullmatch(url) else shown


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda match: _ENTITIES.get(match[0], f"\\{match[0]}"), text)


def _longest_run(line: str) -> int:
    return max(map(len, re.findall("`+", line)), default=0)
