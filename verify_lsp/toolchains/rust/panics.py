"""Where a Rust test failed, and what it said, read from what it printed."""

import re
from pathlib import Path

from verify_lsp.toolchains.output import head, relative_path

_PANIC = re.compile(r"thread '.*'(?: \(\d+\))? panicked at (?P<path>\S.*\.rs):(?P<line>\d+):\d+:")
# Before Rust 1.73 the message stood on the same line.
_OLD_PANIC = re.compile(r"thread '.*' panicked at '(?P<message>.*)', (?P<path>\S.*\.rs):(?P<line>\d+):\d+")
_NOTE = re.compile(r"note: .* at (?P<path>\S+\.rs):(?P<line>\d+):\d+")
_DOC = re.compile(r"(?P<path>\S.*\.(?:rs|md)) - .*\(line (?P<line>\d+)\)")
_END = re.compile(r"stack backtrace:|note: (?:run with|Some details)|thread '.*' panicked at ")


def failure_place(name: str, lines: list[str], folder: Path) -> tuple[str, int] | None:
    """Return the file and line of a failed test: its first panic in the project, else what names a line.

    The lines that an example in a comment panics at are those of the program made of it; its name is right.
    """
    if found := _DOC.fullmatch(name):
        inside = relative_path(found["path"], folder)
        return (inside, int(found["line"])) if inside else None
    for pattern in (_PANIC, _OLD_PANIC, _NOTE):
        for line in lines:
            found = pattern.fullmatch(line)
            inside = relative_path(found["path"], folder) if found else None
            if found and inside and (folder / inside).is_file():
                return inside, int(found["line"])
    return None


def failure_message(lines: list[str]) -> str:
    """Return what the first panic said, else all that was printed, bounded."""
    for index, line in enumerate(lines):
        if found := _OLD_PANIC.fullmatch(line):
            return head(found["message"])
        if _PANIC.fullmatch(line):
            rest = lines[index + 1 :]
            end = next((number for number, later in enumerate(rest) if _END.match(later)), len(rest))
            return head("\n".join(rest[:end]))
    return head("\n".join(lines))
